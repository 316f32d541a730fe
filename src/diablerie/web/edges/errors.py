"""Refusals as responses: a page for people, a problem document (RFC 9457) for programs."""

import logging

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Scope

from diablerie.api import PREFIX
from diablerie.engine.text import Line, say
from diablerie.table.errors import Refused, Usual
from diablerie.web.html import templates
from diablerie.web.people import language

BROKEN_OFF = (408, 413, 414, 431)  # the server closes the connection without reading the rest
PROBLEM = "application/problem+json"
log = logging.getLogger("diablerie.web")

STATUS_SENTENCES = {
    404: say("There is nothing here. The link may be incomplete, or the table may be gone."),
    405: say("That cannot be done here."),
}


STATUS_CODES = {  # of refusals for which no class stands
    400: "unreadable",
    403: "cross-site",
    404: "not-found",
    405: "no-such-method",
    408: "too-slow",
    413: "too-large",
    414: "address-too-long",
    415: "wrong-type",
    421: "wrong-host",
    422: "bad-input",
    431: "headers-too-long",
    500: "failed",
}


class Unreadable(Refused):
    """A request that is malformed, so that its content was not looked at.

    `slug` is the word of STATUS_CODES for the status, unless another one is given.
    """

    def __init__(self, status: int, line: Line, slug: str = "") -> None:
        super().__init__(line)
        self.slug = slug or STATUS_CODES.get(status, "unreadable")
        self.status = status


class NoToken(Usual):
    """A program sent no token, or one that does not exist or was revoked."""

    status = 401
    slug = "no-token"
    usual = say("You need a token for this: make one on the page for programs.")


def wants_page(headers: Headers) -> bool:
    """Whether the client wants a page: a browser does, a program and our script do not."""
    return "text/html" in headers.get("accept", "")


def wants_data(headers: Headers) -> bool:
    """Whether the client asks for data where there is a page, too, as our script does.

    Who fetches a page for its preview accepts anything, and must get the page.
    """
    return "application/json" in headers.get("accept", "") and not wants_page(headers)


def problem_response(scope: Scope, error: Refused) -> Response:
    """The response to a refused request: a page or a problem document, as the client accepts."""
    request = Request(scope)
    if scope["path"].startswith(PREFIX) or not wants_page(request.headers):
        return problem(request, error)
    page = templates.page_response(
        request,
        "problem.html",
        status_code=error.status,
        status=error.status,
        line=error.line,
    )
    if error.retry and request.method == "GET":  # the page arrives by itself when it can
        page.headers["refresh"] = str(error.retry)
    return with_retry_headers(page, error)


def with_retry_headers(response: Response, error: Refused) -> Response:
    """The response with headers for the client: Retry-After, WWW-Authenticate, Connection."""
    if error.retry is not None:
        response.headers["retry-after"] = str(error.retry)
    if isinstance(error, NoToken):
        response.headers["www-authenticate"] = "Bearer"
    if error.status in BROKEN_OFF:
        response.headers["connection"] = "close"
    return response


def problem(request: Request, error: Refused, **more: object) -> Response:
    """A problem document (RFC 9457) with `code`, a word for programs, and the fields of `more`."""
    title = templates.request_speech(request).plain(error.line)
    body = {"type": "about:blank", "title": title, "status": error.status, "code": error.slug}
    if error.clause:
        more["clause"] = error.clause
    headers = {"content-language": language.request_language(request)}
    return with_retry_headers(JSONResponse(body | more, error.status, headers, PROBLEM), error)


async def on_refused(request: Request, error: Exception) -> Response:
    """The handler of `Refused`."""
    assert isinstance(error, Refused)
    clock = request.app.state.authority.clock
    response: Response = await clock.serve(lambda: problem_response(request.scope, error))
    return response


async def on_http(request: Request, error: Exception) -> Response:
    """The handler of what Starlette refuses: unknown addresses and methods."""
    assert isinstance(error, HTTPException)
    line = STATUS_SENTENCES.get(error.status_code, say("This request cannot be answered."))
    response = problem_response(request.scope, Unreadable(error.status_code, line))
    response.headers.update(error.headers or {})
    return response


async def on_crash(request: Request, error: Exception) -> Response:
    """The handler of every other exception: the log has its traceback, the page does not."""
    line = say("Something went wrong here, and it is not your fault. It has been recorded.")
    return problem_response(request.scope, Unreadable(500, line))
