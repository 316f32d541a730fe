"""Refusals: one sentence, as a page for people and as a problem document for programs."""

import logging
from typing import Any

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Scope

from diablerie.engine.text import Line, say
from diablerie.table.errors import Refused
from diablerie.web import pages

PROBLEM = "application/problem+json"
log = logging.getLogger("diablerie.web")

SENTENCES = {
    404: say("There is nothing here. Perhaps the link was cut short, or the table is gone."),
    405: say("That cannot be done here."),
}


class Unreadable(Refused):
    """A request that is not what it should be, before anybody looked at what it says."""

    slug = "unreadable"

    def __init__(self, status: int, line: Line) -> None:
        super().__init__(line)
        self.status = status


def wants_page(headers: Headers) -> bool:
    """Whether the client is a browser showing a page, not a program or our script."""
    return "text/html" in headers.get("accept", "")


def answer(scope: Scope, error: Refused) -> Response:
    """The response that tells a refusal, in the form the client asked for."""
    request = Request(scope)
    if wants_page(request.headers):
        return pages.answer(
            request, "problem.html", status_code=error.status, status=error.status, line=error.line
        )
    return problem(request, error)


def problem(request: Request, error: Refused, **more: Any) -> Response:
    """A problem document (RFC 9457) with a word for programs, `code`, and what else is known."""
    title = pages.speech(request).plain(error.line)
    body = {"type": "about:blank", "title": title, "status": error.status, "code": error.slug}
    if error.clause:
        more["clause"] = error.clause
    return JSONResponse(body | more, error.status, media_type=PROBLEM)


async def on_refused(request: Request, error: Exception) -> Response:
    """The handler for what the table refuses."""
    assert isinstance(error, Refused)
    return answer(request.scope, error)


async def on_http(request: Request, error: Exception) -> Response:
    """The handler for what the framework refuses."""
    assert isinstance(error, HTTPException)
    line = SENTENCES.get(error.status_code, say("This request cannot be answered."))
    response = answer(request.scope, Unreadable(error.status_code, line))
    response.headers.update(error.headers or {})
    return response


async def on_crash(request: Request, error: Exception) -> Response:
    """The handler for our own mistakes: told in the log, not on the page."""
    line = say("Something went wrong here, and it is not your fault. It has been noted.")
    return answer(request.scope, Unreadable(500, line))
