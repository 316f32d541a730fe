"""Refusals: one sentence, as a page for people and as a problem document for programs."""

import logging

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Scope

from diablerie.engine.text import Line, say
from diablerie.web import pages

PROBLEM = "application/problem+json"
log = logging.getLogger("diablerie.web")

SENTENCES = {
    404: say("There is nothing here. Perhaps the link was cut short, or the table is gone."),
    405: say("That cannot be done here."),
    413: say("That is too much at once."),
}


class Refused(Exception):
    """A request that is refused: the status and the sentence, which may name a clause."""

    def __init__(self, status: int, line: Line) -> None:
        super().__init__(str(line))
        self.status = status
        self.line = line


def answer(scope: Scope, status: int, line: Line) -> Response:
    """The response that tells a refusal, in the form the client asked for."""
    request = Request(scope)
    if wants_page(request.headers):
        return pages.answer(request, "problem.html", status=status, status_code=status, line=line)
    return problem(request, status, line)


def wants_page(headers: Headers) -> bool:
    """Whether the client is a browser showing a page, not a program or our script."""
    return "text/html" in headers.get("accept", "")


def problem(request: Request, status: int, line: Line, game: str = "") -> Response:
    """A problem document (RFC 9457); a clause comes with the address of its text."""
    speech = pages.speech(request)
    body = {"type": "about:blank", "status": status, "title": speech.plain(line)}
    if line.clause:
        body["clause"] = line.clause
    if line.clause and game:
        body["rule"] = f"/rules/{game}#{line.clause}"
    return JSONResponse(body, status, media_type=PROBLEM)


async def on_refused(request: Request, error: Exception) -> Response:
    """The handler for Refused."""
    assert isinstance(error, Refused)
    return answer(request.scope, error.status, error.line)


async def on_http(request: Request, error: Exception) -> Response:
    """The handler for what the framework refuses."""
    assert isinstance(error, HTTPException)
    line = SENTENCES.get(error.status_code, say("This request cannot be answered."))
    response = answer(request.scope, error.status_code, line)
    response.headers.update(error.headers or {})
    return response


async def on_crash(request: Request, error: Exception) -> Response:
    """The handler for our own mistakes: told in the log, not on the page."""
    log.error("crash", exc_info=error, extra={"route": request.scope.get("path_format", "")})
    line = say("Something went wrong here, and it is not your fault. It has been noted.")
    return answer(request.scope, 500, line)
