"""Languages: which one a visitor reads, and its translations.

The source is English. A language is offered if it has a catalogue,
`locales/NAME/LC_MESSAGES/diablerie.po`, which is compiled when a page first needs it (0.1 s). A game
may have catalogues of its own, `.po` or `.mo`, in its folder `locales`.
"""

import io
import re
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from pathlib import Path

from babel import negotiate_locale
from starlette.requests import Request

import diablerie
from diablerie.engine import rules_text
from diablerie.engine.text import ENGLISH, Translations
from diablerie.games import ALL

LOCALES = Path(diablerie.__file__).parent / "locales"
SOURCE = "en"
LANGUAGE_COOKIE = "language"
# An item of Accept-Language (RFC 9110, 12.4.2); programs also write tags as locales, de_DE
WEIGHTED_TAG = re.compile(
    r"\s*(?P<tag>[a-z0-9_-]+)\s*(?:;\s*q\s*=\s*(?P<weight>[01](?:\.[0-9]{0,9})?)\s*)?", re.I
)


@cache
def available() -> tuple[str, ...]:
    """The codes of all languages, the source first."""
    return (SOURCE, *sorted({path.parent.parent.name for path in _catalogues("*")}))


def _catalogues(language: str) -> list[Path]:
    """The catalogues of a language: our own, then the games'."""
    homes = (Path(str(files(game.home) / "locales")) for game in ALL.values())
    folders = (LOCALES, *homes)
    return [path for f in folders for path in sorted(f.glob(f"{language}/LC_MESSAGES/*.[mp]o"))]


@cache
def texts(language: str) -> Translations:
    """The gettext functions of a language. They search one catalogue after the other."""
    if language == SOURCE:
        return ENGLISH
    texts = NullTranslations()
    for path in _catalogues(language):
        texts.add_fallback(_read(path))
    texts.add_fallback(Law(language))
    return texts


class Law(NullTranslations):
    """The translated clauses of all games, for the messages that `rules_text.line` makes."""

    def __init__(self, language: str) -> None:
        super().__init__()
        clauses = (rules_text.wordings(game, language) for game in ALL.values())
        self.wordings = {line: text for one in clauses for line, text in one.items()}

    def gettext(self, message: str) -> str:
        """The clause in this language, any other message as it is."""
        return self.wordings.get(message, message)


def _read(path: Path) -> NullTranslations:
    """Read one catalogue. A `.po` file is compiled in memory, without its fuzzy messages."""
    with path.open("rb") as file:
        if path.suffix == ".mo":
            return GNUTranslations(file)
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po

        compiled = io.BytesIO()
        write_mo(compiled, read_po(file))
        compiled.seek(0)
        return GNUTranslations(compiled)


def request_language(request: Request) -> str:
    """The language of a request: the cookie's, else the best of Accept-Language."""
    preferred = _preferred(request.headers.get("accept-language", ""))
    return remembered(request) or negotiate_locale(preferred, available(), sep="-") or SOURCE


def remembered(request: Request) -> str:
    """The language that was chosen in this browser, "" if none was."""
    wanted = request.cookies.get(LANGUAGE_COOKIE, "")
    return wanted if wanted in available() else ""


def _preferred(header: str) -> list[str]:
    """The languages of an Accept-Language header, best first."""
    weighed = []
    for item in header.split(",")[:20]:
        found = WEIGHTED_TAG.fullmatch(item)
        if found and (weight := float(found["weight"] or 1)):  # 0: anything but that
            weighed.append((weight, found["tag"].replace("_", "-")))
    return [tag for _, tag in sorted(weighed, key=lambda pair: -pair[0])]
