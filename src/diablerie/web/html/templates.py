"""Templates: one Jinja environment for each language, and the pages rendered with it."""

from collections.abc import Callable, MutableMapping
from functools import cache
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

from babel import Locale
from jinja2 import Environment, ModuleLoader, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

import diablerie
from diablerie.art import devil, marks
from diablerie.art.head import head
from diablerie.art.svg import Svg, element
from diablerie.engine.text import Translations
from diablerie.table.commands import chat
from diablerie.web.html import assets, compression, option_fields, reach
from diablerie.web.html.speech import Speech
from diablerie.web.people import language
from diablerie.web.people.preferences import read_preferences

# templates as modules: only the static site has them
COMPILED = Path(__file__).parents[1] / "compiled"
TEMPLATE_MOODS = ("grin", "think", "triumph", "sleep", "sly", "burnt")


class Templates(Environment):
    """Jinja's environment, whose templates hold their globals in a plain dictionary.

    At every import of macros Jinja compares the names of globals, which takes 50 µs if they are in a
    chain of dictionaries.
    """

    def make_globals(self, d: MutableMapping[str, object] | None) -> MutableMapping[str, object]:
        """The globals of a template: those of the environment, and its own."""
        return {**self.globals, **(d or {})}


@cache
def environment(locale: str) -> Environment:
    """The templates in a language."""
    env = Templates(
        loader=ModuleLoader(COMPILED) if COMPILED.exists() else PackageLoader("diablerie.web"),
        autoescape=True,
        auto_reload=False,  # they come with the package
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    texts = language.texts(locale)
    env.globals |= _messages(texts) | {
        "asset": assets.address,
        "scenes_file": assets.scenes_file,
        "house": assets.HOUSE_SHEET,
        "locale": locale,
        "languages": {code: Locale.parse(code).display_name for code in language.available()},
        "version": diablerie.__version__,
        "speech": Speech(texts),
        "figure": devil.figure,
        "poster": devil.poster,
        "head": devil.avatar,
        "heads": heads,
        "mark": marks.dot,
        "qr": reach.qr_svg,
        "option_parts": option_fields.parts,
        "option_fields": option_fields.field_names,
        "here_only": reach.here_only,
        "phrase_of": chat.phrase_of,
        "reactions": chat.REACTIONS,
        "phrases": chat.PHRASES,
    }
    return env


def _messages(texts: Translations) -> dict[str, Callable[..., Markup]]:
    """The functions `_` and `ngettext` of templates: a message in this language, as HTML.

    Messages hold {names} as those of `say` do. The message itself may contain markup; the values
    are escaped, unless they are Markup.
    """

    @cache  # templates hold a few hundred; to format one takes 10 µs
    def whole(message: str) -> Markup:
        return Markup(texts.gettext(message)).format()

    def gettext(message: str, /, **values: object) -> Markup:
        return Markup(texts.gettext(message)).format(**values) if values else whole(message)

    def ngettext(singular: str, plural: str, n: int, /, **values: object) -> Markup:
        return Markup(texts.ngettext(singular, plural, n)).format(n=n, **values)

    return {"_": gettext, "ngettext": ngettext}


@cache
def heads() -> Svg:
    """All heads as hidden symbols, for `<use href="#head-MOOD">` in a seat's colour."""
    symbols = [
        element("symbol", head(mood), id=f"head-{mood}", viewBox="-92 -154 180 200")
        for mood in TEMPLATE_MOODS
    ]
    return element("svg", *symbols, class_="sprite", width=0, height=0, aria_hidden="true")


def request_speech(request: Request) -> Speech:
    """How sentences become text for this visitor."""
    return Speech(language.texts(language.request_language(request)))


def render_template(locale: str, template: str, **context: object) -> str:
    """Render a template in a language."""
    return environment(locale).get_template(template).render(context)


def macro(locale: str, name: str) -> Callable[..., str]:
    """A macro of `macros.html` in a language."""
    return cast(
        Callable[..., str], getattr(environment(locale).get_template("macros.html").module, name)
    )


def here(request: Request) -> str:
    """The address that shows this page again: where a form was sent from, if it answers one."""
    asked = request.method in ("GET", "HEAD")
    try:
        url = urlsplit(str(request.url) if asked else request.headers.get("referer", ""))
    except ValueError:
        return "/"
    return (url.path or "/") + (f"?{url.query}" if url.query else "")


def page_response(
    request: Request, template: str, *, status_code: int = 200, **context: object
) -> HTMLResponse:
    """A page in the visitor's language, with the status of the `refusal` that it shows, if any."""
    locale = language.request_language(request)
    if refusal := context.get("refusal"):
        status_code = getattr(refusal, "status", 422)  # else a sentence about bad input
    headers = {"content-language": locale, "vary": "Accept-Language, Cookie, Accept"}
    more = {"path": here(request), "looks": read_preferences(request)}
    network = request.app.state.network
    more |= {"alone": network.alone, "guest": network.has_guest(request)}
    body = render_template(locale, template, **more | context).encode()
    if len(body) >= compression.COMPRESSED_FROM_BYTES and compression.accepts_gzip(request.headers):
        body = compression.compressed(body)
        headers["content-encoding"] = "gzip"
        headers["vary"] += f", {compression.VARY}"  # else the middleware says so
    return HTMLResponse(body, status_code, headers)
