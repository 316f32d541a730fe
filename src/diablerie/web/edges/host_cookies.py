"""Cookies over TLS have names that begin with `__Host-`.

A browser takes such a cookie from this very host over TLS alone, so no neighbour under the same
domain can plant one. No other is read over TLS. The rest of the server reads and sets cookies by
their plain names, as browsers have them over plain HTTP.
"""

from collections import Counter
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PREFIX = "__Host-"


class HostCookies:
    """ASGI middleware that adds the prefix to cookies that are set, and passes on those that have it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, with plain names; over plain HTTP nothing is changed."""
        if scope["type"] != "http" or scope["scheme"] != "https":
            await self.app(scope, receive, send)
            return
        ours = _ours(Headers(scope=scope).getlist("cookie"))
        headers = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
        if ours:
            headers.append((b"cookie", ours.encode("latin-1")))

        async def prefixed(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = MutableHeaders(scope=message)
                given = sent.getlist("set-cookie")
                del sent["set-cookie"]
                for cookie in given:
                    sent.append("set-cookie", f"{PREFIX}{cookie}; Secure")
            await send(message)

        scope["headers"] = headers
        await self.app(scope, receive, prefixed)


def _ours(sent: Iterable[str]) -> str:
    """The cookies whose names have the prefix, without it.

    No browser has two of one name, so where two are sent one was smuggled in, and neither counts.
    Only spaces and tabs are cut off: what `str.strip` removes besides them may be part of a name.
    """
    pairs = [pair.strip(" \t").partition("=") for header in sent for pair in header.split(";")]
    count = Counter(name for name, _, _ in pairs)
    once = [(name, value) for name, _, value in pairs if count[name] == 1]
    return "; ".join(f"{n.removeprefix(PREFIX)}={v}" for n, v in once if n.startswith(PREFIX))
