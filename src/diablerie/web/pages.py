"""Templates: one Jinja environment for each language, and the pages made with it."""

from functools import cache
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

import diablerie
from diablerie.engine import law
from diablerie.web import assets, faces, inviting, language
from diablerie.web.looks import looks
from diablerie.web.speech import Speech


@cache
def environment(tongue: str) -> Environment:
    """The templates in a language."""
    made = Environment(
        loader=PackageLoader("diablerie.web"),
        autoescape=True,
        auto_reload=False,  # they come with the package
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
    )
    texts = language.texts(tongue)
    made.install_gettext_callables(  # type: ignore[attr-defined]
        texts.gettext, texts.ngettext, newstyle=True
    )
    made.globals |= _globals(tongue)
    return made


def _globals(tongue: str) -> dict[str, Any]:
    return {
        "asset": assets.address,
        "tongue": tongue,
        "languages": language.names(),
        "version": diablerie.__version__,
        "speech": Speech(language.texts(tongue)),
        "figure": faces.figure,
        "head": faces.avatar,
        "heads": faces.heads,
        "mark": faces.mark,
        "qr": inviting.picture,
        "here_only": inviting.here_only,
        "serve_command": inviting.command,
        "law": law.line,
    }


def speech(request: Request, names: tuple[str, ...] = ()) -> Speech:
    """How lines are told to this visitor."""
    return Speech(language.texts(language.chosen(request)), names)


def render(tongue: str, template: str, **context: Any) -> str:
    """A template as text."""
    return environment(tongue).get_template(template).render(context)


def here(request: Request) -> str:
    """The address that shows this page again: where a form was sent from, if it answers one."""
    asked = request.method in ("GET", "HEAD")
    try:
        url = urlsplit(str(request.url) if asked else request.headers.get("referer", ""))
    except ValueError:
        return "/"
    return (url.path or "/") + (f"?{url.query}" if url.query else "")


def answer(
    request: Request, template: str, *, status_code: int = 200, **context: Any
) -> HTMLResponse:
    """A page in the visitor's language."""
    tongue = language.chosen(request)
    headers = {"content-language": tongue, "vary": "Accept-Language, Cookie, Accept"}
    more = {"path": here(request), "looks": looks(request)}
    text = render(tongue, template, **more | context)
    return HTMLResponse(text, status_code, headers)
