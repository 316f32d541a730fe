"""Languages: which one a visitor reads, and the texts of it.

English is the source; a language joins by its catalogue, `locales/xx/LC_MESSAGES/diablerie.mo`.
"""

from functools import cache
from pathlib import Path

from babel import Locale, negotiate_locale
from babel.support import Translations as Catalogue
from starlette.requests import Request

import diablerie
from diablerie.engine.text import ENGLISH, Translations

LOCALES = Path(diablerie.__file__).parent / "locales"
DOMAIN = "diablerie"
SOURCE = "en"
COOKIE = "language"


@cache
def available() -> tuple[str, ...]:
    """The languages there are texts for, the source first."""
    found = sorted(p.parent.parent.name for p in LOCALES.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))
    return (SOURCE, *found)


def names() -> dict[str, str]:
    """The languages by what they call themselves."""
    return {code: Locale.parse(code).display_name or code for code in available()}


@cache
def texts(language: str) -> Translations:
    """The gettext functions of a language."""
    if language == SOURCE:
        return ENGLISH
    loaded: Translations = Catalogue.load(LOCALES, [language], DOMAIN)
    return loaded


def chosen(request: Request) -> str:
    """The language of a request: the cookie's, else the best of Accept-Language."""
    wanted = request.cookies.get(COOKIE, "")
    if wanted in available():
        return wanted
    preferred = _preferred(request.headers.get("accept-language", ""))
    return negotiate_locale(preferred, available(), sep="-") or SOURCE


def _preferred(header: str) -> list[str]:
    """The languages of an Accept-Language header, best first."""
    weighed = []
    for item in header.split(",")[:20]:
        tag, _, weight = item.strip().partition(";q=")
        try:
            weighed.append((float(weight or 1), tag))
        except ValueError:
            continue
    return [tag for _, tag in sorted(weighed, key=lambda pair: -pair[0]) if tag]
