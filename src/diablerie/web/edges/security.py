"""Security: checks of every request's host and origin, and headers of every response."""

import ipaddress
import re
from collections.abc import Collection
from urllib.parse import unquote_to_bytes, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from diablerie.engine.text import say
from diablerie.web.edges.errors import STATUS_SENTENCES, Unreadable, problem_response
from diablerie.web.edges.forms import CONTROLS, INVISIBLE
from diablerie.web.edges.network_switch import NetworkSwitch

# -- what proxies say ------------------------------------------------------------------------------

SCHEME = b"x-forwarded-proto"


class FirstScheme:
    """ASGI middleware that keeps the first scheme that proxies name: the browser's.

    Each proxy adds its own behind a comma, or in a header of its own. Who lies about it gets cookies
    that only TLS carries, or that also plain HTTP does: nobody else is concerned.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, with one scheme at most."""
        if scope["type"] == "http":
            named = [value for name, value in scope["headers"] if name == SCHEME]
            rest = [one for one in scope["headers"] if one[0] != SCHEME]
            first = b",".join(named).partition(b",")[0].strip().lower()
            scope["headers"] = [*rest, (SCHEME, first)] if named else rest
        await self.app(scope, receive, send)


# -- hosts, origins and headers --------------------------------------------------------------------

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
HOST_PATTERN = re.compile(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?")
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
COMMON_HEADERS = {
    "x-content-type-options": "nosniff",
    # not no-referrer: browsers would then send our own forms with "Origin: null"
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
PAGE_HEADERS = COMMON_HEADERS | {
    "content-security-policy": CONTENT_POLICY,
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
# Pictures may stand on other sites' pages; opened as a document, an SVG has its own style and no more.
PICTURE_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
    ),
    "cross-origin-resource-policy": "cross-origin",
}
# What may be framed by other sites: pages that change nothing, so that nobody can be led to click
# on something that does. None of them sets a cookie or has a form that is posted.
EMBED_PATH = "/embed/"
EMBEDDED_HEADERS = COMMON_HEADERS | {
    "content-security-policy": CONTENT_POLICY.replace(
        "frame-ancestors 'none'", "frame-ancestors *"
    ),
    "cross-origin-resource-policy": "cross-origin",
}

# Below these nothing belongs into search engines: links are secrets, tables have names of people.
UNLISTED = ("/t/", "/g/", "/device/", "/owner/", "/embed/replay/")

# Below this pages of other sites may write: nothing there depends on who does, see `routes/meeting.py`.
MEETING_PATH = "/meet/"

LONGEST_HOST = 100  # characters of a host that a refusal repeats
TLS_ONLY = "max-age=31536000"  # for a year, once a browser has seen this host over TLS


class Guard:
    """ASGI middleware that checks host, origin and address before anything else reads them.

    It protects against DNS rebinding (Host) and cross-site request forgery (Origin).
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], network: NetworkSwitch) -> None:
        self.app = app
        self.hosts = frozenset(host.lower() for host in hosts)
        self.network = network  # while it is open numeric hosts are ours

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request, or pass it on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refused = self._refusal(scope)
        app = problem_response(scope, refused) if refused else self.app
        await app(scope, receive, with_headers(send, scope, bool(refused)))

    def _refusal(self, scope: Scope) -> Unreadable | None:
        headers = Headers(scope=scope)
        if unreadable := _unreadable(scope):
            return unreadable
        named = headers.getlist("host")
        if len(named) == 1 and named[0] and not HOST_PATTERN.fullmatch(named[0]):
            return Unreadable(400, say("This request names an impossible host."))
        if not self._known(named):
            return Unreadable(421, say("This server does not answer under that name."))
        anybody = scope["method"] in SAFE_METHODS or scope["path"].startswith(MEETING_PATH)
        return None if anybody else _cross_site_refusal(headers)

    def _known(self, named: list[str]) -> bool:
        if len(named) != 1:
            return False
        name = named[0].lower()
        host = name.partition("]")[0] + "]" if name.startswith("[") else name.partition(":")[0]
        return host in self.hosts or (self.network.is_open and _numeric(host))


def _numeric(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _unreadable(scope: Scope) -> Unreadable | None:
    """The refusal of an address that is not UTF-8, or holds a control character."""
    try:
        path = unquote_to_bytes(scope.get("raw_path") or b"").decode()
        query = unquote_to_bytes(scope["query_string"]).decode()
    except UnicodeDecodeError:
        return Unreadable(400, say("This address cannot be read: it is not UTF-8."))
    if CONTROLS.search(path):
        return Unreadable(404, STATUS_SENTENCES[404])
    return Unreadable(400, INVISIBLE) if CONTROLS.search(query) else None


def _cross_site_refusal(headers: Headers) -> Unreadable | None:
    """The refusal of what neither a page of this server sent, nor a program that is no browser.

    This keeps out cross-site request forgery (CSRF): a form on another site is not same-origin.
    """
    fetched = headers.get("sec-fetch-site", "none")
    origin = headers.get("origin")
    if fetched not in ("same-origin", "none"):
        return Unreadable(403, say("This was sent from another site and has been ignored."))
    if origin is None or _same_origin(origin, headers["host"]):
        return None
    # a proxy that passes the name on without the port does this to every form
    return Unreadable(
        403,
        say(
            "This was sent from another site and has been ignored: a page of {origin} sent it to "
            "{host}. If both are this server, its proxy does not pass the name on whole.",
            origin=origin[:LONGEST_HOST],
            host=headers["host"][:LONGEST_HOST],
        ),
    )


def _same_origin(origin: str, host: str) -> bool:
    """Whether an origin names the host that was asked; the scheme is the proxy's affair."""
    try:
        return urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False


def with_headers(send: Send, scope: Scope, refused: bool = False) -> Send:
    """The function that sends a response, with the security headers added."""
    embedded = (
        scope["path"].startswith(EMBED_PATH) and scope["method"] in SAFE_METHODS and not refused
    )
    more = EMBEDDED_HEADERS if embedded else PAGE_HEADERS

    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in more.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
            if scope["path"].startswith(UNLISTED):
                headers.setdefault("x-robots-tag", "noindex")
            if scope["scheme"] == "https":
                headers.setdefault("strict-transport-security", TLS_ONLY)
        await send(message)

    return wrapped
