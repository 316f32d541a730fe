"""The page “It does not work” for whom a notice sends there: docs/trouble.md, in English."""

import re
from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

from diablerie.runtime.serving import apart
from diablerie.web.html import templates
from diablerie.web.routes.rules import rendered

LINKS_TO_DOCUMENTS = re.compile(r"\[([^\]]+)\]\((?!#)[^)]*\)")  # links to files that no server has


@cache
def _text() -> str:
    return LINKS_TO_DOCUMENTS.sub(r"\1", (files("diablerie.web") / "trouble.md").read_text("utf-8"))


def trouble(request: Request) -> Response:
    """GET /trouble"""
    html, contents = apart(lambda: rendered(_text()))
    return templates.page_response(request, "trouble.html", html=html, contents=contents)
