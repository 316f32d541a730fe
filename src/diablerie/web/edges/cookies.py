"""Cookies: what their names and values may be, and browsers that keep none.

Over TLS their names begin with `__Host-`: a browser takes such a cookie from this very host alone,
so no neighbour under the same domain can plant one. No other is read over TLS. The rest of the server
reads and sets cookies by their plain names, as browsers have them over plain HTTP. Starlette reads
quoted values by `http.cookies`, whose cost is quadratic in their escapes. No value of this server has
an escape, so what has one is another program's, and is left out here.

Browsers that keep no cookies are told so, instead of being strangers at their own tables: who gets the
first cookie is led on to an address with a mark. Where the mark comes back with the cookie it is taken
off again; where it comes back without, the browser has kept none.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from diablerie.engine.text import say
from diablerie.table.errors import Usual
from diablerie.web.edges import errors

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

        # Nothing behind this knows of the prefix.
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


# -- browsers that keep none -----------------------------------------------------------------------

COOKIE_CHECK_QUERY = "cookie=new"  # static/controls.js adds it, too
OWN_PATH = re.compile(
    r"/(?:[\w-]+/)*[\w-]*", re.ASCII
)  # paths that lead to this server from anywhere


class NoCookies(Usual):
    """A browser that has just been given a cookie does not send it."""

    status = 403
    slug = "no-cookies"
    usual = say(
        "Your browser keeps no cookies: without them you are a stranger here on every page, "
        "even at your own table. Allow cookies for this site in the browser’s settings, or "
        "use another browser. Then begin again where you were."
    )


class CookieCheck:
    """ASGI middleware that marks where a new browser is led, and judges the mark when it is there."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer the mark in its address."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif scope["method"] == "POST" and not _known(scope):
            await self.app(scope, receive, _checking(send))
        else:
            await (_answer(scope) or self.app)(scope, receive, send)


def _known(scope: Scope) -> bool:
    return bool(Request(scope).cookies)


def _answer(scope: Scope) -> Response | None:
    query = scope["query_string"].decode("latin-1").split("&")
    headers = Headers(scope=scope)
    if (
        COOKIE_CHECK_QUERY not in query
        or not OWN_PATH.fullmatch(scope["path"])
        or not errors.wants_page(headers)
    ):
        return None
    # whoever follows a link from elsewhere has been given no cookie yet
    led = headers.get("sec-fetch-site", "same-origin") == "same-origin"
    if led and not _known(scope):
        return errors.problem_response(scope, NoCookies())
    rest = "&".join(part for part in query if part != COOKIE_CHECK_QUERY)
    return RedirectResponse(scope["path"] + f"?{rest}" * bool(rest), 303)


def _checking(send: Send) -> Send:
    async def checked(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 303:
            headers = MutableHeaders(scope=message)
            if any("Max-Age=0" not in one for one in headers.getlist("set-cookie")):
                headers["location"] = _with_check(headers["location"])
        await send(message)

    return checked


def _with_check(url: str) -> str:
    page, hash_, place = url.partition("#")
    return f"{page}{'&' if '?' in page else '?'}{COOKIE_CHECK_QUERY}{hash_}{place}"
