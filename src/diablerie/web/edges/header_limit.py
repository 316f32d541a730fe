"""A limit on all headers of a request together, before anything reads them.

Browsers send cookies to every port of a host, so honest people bring those of other programs, too;
but no honest request comes near the limit.
"""

from starlette.types import ASGIApp, Receive, Scope, Send

from diablerie.engine.text import say
from diablerie.table.authority import Authority
from diablerie.web.edges.errors import Unreadable, problem_response
from diablerie.web.edges.rate_limiter import RateLimiter
from diablerie.web.edges.security import with_headers

LONGEST_HEADERS = 16 * 1024  # bytes of all headers of a request
LONGEST_ADDRESS = 8 * 1024  # bytes of its path and query
HEADERS_READ = (b"accept", b"accept-language")  # which the refusal reads
SHORT_HEADER_BYTES = 200  # bytes of one of those


class HeaderLimit:
    """ASGI middleware that refuses requests whose headers or address are too long."""

    def __init__(self, app: ASGIApp, authority: Authority) -> None:
        self.app = app
        self._refuse = RateLimiter(_refuse, authority)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        fits = scope["type"] != "http" or not _excess(scope)
        await (self.app if fits else self._refuse)(scope, receive, send)


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    headers = [
        (name, value)
        for name, value in scope["headers"]
        if name in HEADERS_READ and len(value) <= SHORT_HEADER_BYTES
    ]
    error = _excess(scope)
    assert error
    answer = problem_response({**scope, "headers": headers}, error)
    await answer(scope, receive, with_headers(send, scope, refused=True))


def _excess(scope: Scope) -> Unreadable | None:
    """What is too long in a request."""
    address = len(scope.get("raw_path") or scope["path"].encode()) + len(scope["query_string"])
    if address > LONGEST_ADDRESS:
        return Unreadable(414, say("This address is too long."))
    if sum(len(name) + len(value) for name, value in scope["headers"]) > LONGEST_HEADERS:
        return Unreadable(
            431,
            say("Your browser sends too much with each request: delete the cookies of this site."),
        )
    return None
