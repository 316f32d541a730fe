"""Cookies over TLS have names that begin with `__Host-`.

A browser takes such a cookie from this very host over TLS alone, so no neighbour under the same
domain can plant one. The rest of the server reads and sets cookies by their plain names.
"""

from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from diablerie.web.people import identity, language, mutes, preferences

PREFIX = "__Host-"
# Cookies that browsers may still have by their plain names, from before there was TLS, or 0.4
EARLIER = (
    identity.COOKIE,
    language.COOKIE,
    mutes.COOKIE,
    preferences.KNOWN,
    preferences.NAME,
    *preferences.CHOICES,
)
GONE = "{name}=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=lax"
KEPT = (
    f"{PREFIX}{{name}}={{value}}; Max-Age={identity.YEAR}; Path=/; Secure; HttpOnly; SameSite=lax"
)


class HostCookies:
    """ASGI middleware that adds the prefix to cookies that are set, and takes it from those sent.

    A cookie that a browser has by its plain name only is renamed, once.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, with plain names; over plain HTTP nothing is changed."""
        if scope["type"] != "http" or scope["scheme"] != "https":
            await self.app(scope, receive, send)
            return
        sent = cookie_parser("; ".join(Headers(scope=scope).getlist("cookie")))
        plain = {name: value for name, value in sent.items() if name in EARLIER}
        ours = {n.removeprefix(PREFIX): v for n, v in sent.items() if n.startswith(PREFIX)}
        headers = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
        seen = "; ".join(f"{name}={value}" for name, value in (plain | ours).items())
        if seen:
            headers.append((b"cookie", seen.encode("latin-1")))

        async def prefixed(message: Message) -> None:
            if message["type"] == "http.response.start":
                _rename(MutableHeaders(scope=message), plain, ours)
            await send(message)

        scope["headers"] = headers
        await self.app(scope, receive, prefixed)


def _rename(headers: MutableHeaders, plain: Mapping[str, str], ours: Mapping[str, str]) -> None:
    """Set cookies by their prefixed names; move those that the browser has by plain names."""
    given = headers.getlist("set-cookie")
    del headers["set-cookie"]
    for cookie in given:
        secure = "" if "; secure" in cookie.lower() else "; Secure"
        headers.append("set-cookie", f"{PREFIX}{cookie}{secure}")
    named = {cookie.partition("=")[0] for cookie in given}
    for name, value in plain.items():
        headers.append("set-cookie", GONE.format(name=name))
        if name not in named and name not in ours:
            headers.append("set-cookie", KEPT.format(name=name, value=value))
