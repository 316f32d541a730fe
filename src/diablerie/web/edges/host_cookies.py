"""Cookies over TLS have names that begin with `__Host-`, and none is read that is written oddly.

A browser takes such a cookie from this very host over TLS alone, so no neighbour under the same
domain can plant one. No other is read over TLS. The rest of the server reads and sets cookies by
their plain names, as browsers have them over plain HTTP.

Starlette reads quoted values by `http.cookies`, whose cost is quadratic in their escapes. No value of
this server has an escape, so what has one is another program's, and is left out here.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOST_PREFIX = "__Host-"
QUOTED = re.compile('^"(.*)"$')
ESCAPED = re.compile(r'["\\]')


class HostCookies:
    """ASGI middleware that adds the prefix to cookies that are set, and passes on those that have it.

    Over plain HTTP there is no prefix.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, with its cookies by their plain names."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        secure = scope["scheme"] == "https"
        pairs = _pairs(Headers(scope=scope).getlist("cookie"))
        ours = "; ".join(_plain(_prefixed(pairs) if secure else pairs))
        headers = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
        if ours:
            headers.append((b"cookie", ours.encode("latin-1")))

        async def prefixed(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = MutableHeaders(scope=message)
                given = sent.getlist("set-cookie")
                del sent["set-cookie"]
                for cookie in given:
                    sent.append("set-cookie", f"{HOST_PREFIX}{cookie}; Secure")
            await send(message)

        scope["headers"] = headers
        await self.app(scope, receive, prefixed if secure else send)


def _pairs(sent: Iterable[str]) -> list[tuple[str, str]]:
    """The names and values of cookies.

    Only spaces and tabs are cut off: what `str.strip` removes besides them may be part of a name.
    """
    split = [pair.strip(" \t").partition("=") for header in sent for pair in header.split(";")]
    return [(name, value) for name, _, value in split if name]


def _plain(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """The cookies whose values have no escapes, without the quotes round them."""
    bare = [(name, QUOTED.sub(r"\1", value)) for name, value in pairs]
    return [f"{name}={value}" for name, value in bare if not ESCAPED.search(value)]


def _prefixed(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The cookies whose names have the prefix, without it.

    No browser has two of one name, so where two are sent one was smuggled in, and neither counts.
    """
    count = Counter(name for name, _ in pairs)
    once = [(name, value) for name, value in pairs if count[name] == 1]
    return [(n.removeprefix(HOST_PREFIX), value) for n, value in once if n.startswith(HOST_PREFIX)]
