"""Browsers that keep no cookies are told so, instead of being strangers at their own tables.

Who gets the first cookie is led on to an address with a mark. Where the mark comes back with the
cookie it is taken off again; where it comes back without, the browser has kept none.
"""

import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from diablerie.engine.text import say
from diablerie.table.errors import Usual
from diablerie.web.edges import errors

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
            await self.app(scope, receive, _marking(send))
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


def _marking(send: Send) -> Send:
    async def marked(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 303:
            headers = MutableHeaders(scope=message)
            if any("Max-Age=0" not in one for one in headers.getlist("set-cookie")):
                headers["location"] = _mark(headers["location"])
        await send(message)

    return marked


def _mark(url: str) -> str:
    page, hash_, place = url.partition("#")
    return f"{page}{'&' if '?' in page else '?'}{COOKIE_CHECK_QUERY}{hash_}{place}"
