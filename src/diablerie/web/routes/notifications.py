"""Being called: browsers that ask for it, webhooks of tables, and what makes the page an app."""

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from diablerie.web.edges.forms import Form
from diablerie.web.edges.requests import authority_of, back, known_visitor, see_other, table_of
from diablerie.web.html import assets, templates
from diablerie.web.notifications.scheduler import NotificationScheduler
from diablerie.web.people import identity, language
from diablerie.web.routes.settings import Back

ICONS = (
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-mask.png", "512x512", "maskable"),
)
PAPER, INK = "#fbf4e6", "#261611"  # as in tokens.css and icon.svg


class Subscribing(Form, frozen=True, kw_only=True):
    """What a browser's push service says of it."""

    endpoint: str
    p256dh: str
    auth: str


class Withdrawing(Back, frozen=True, kw_only=True):
    """Which browser is not to be called any more; without an endpoint all of this visitor's."""

    endpoint: str = ""


class Hooking(Form, frozen=True, kw_only=True):
    """The address that a table is to call; without one it calls nobody."""

    url: str = ""


def bell_of(request: Request) -> NotificationScheduler | None:
    """What calls people, if this server does."""
    bell: NotificationScheduler | None = request.app.state.bell
    return bell


def key(request: Request) -> Response:
    """GET /push/key: by which push services know this server."""
    bell = bell_of(request)
    if bell is None:
        raise HTTPException(404)
    return JSONResponse({"key": bell.keys.public})


def subscribe(request: Request, form: Subscribing) -> Response:
    """POST /push: this browser is to be called."""
    if bell_of(request) is None:
        raise HTTPException(404)
    caller, tongue = identity.Caller(request), language.request_language(request)
    authority_of(request).subscriptions.subscribe(
        caller.visitor, form.endpoint, form.p256dh, form.auth, tongue, browser_address(request)
    )
    return caller.keep(see_other(request, "/settings"))


def withdraw(request: Request, form: Withdrawing) -> Response:
    """POST /push/withdraw: this browser is not to be called any more."""
    visitor = identity.visitor(request)
    if visitor is not None:
        authority_of(request).subscriptions.withdraw(visitor, form.endpoint)
    return see_other(request, form.address)


def hook(request: Request, form: Hooking) -> Response:
    """POST /t/{id}/hook: the table calls this address, or ("") nobody."""
    callbacks, table, visitor = (
        authority_of(request).subscriptions,
        table_of(request),
        known_visitor(request),
    )
    url, bell = form.url.strip(), bell_of(request)
    if not url:
        callbacks.unhook(table, visitor)
    elif bell is None:
        raise HTTPException(404)
    else:
        bell.greet(
            callbacks.hook(
                table, visitor, url, language.request_language(request), browser_address(request)
            )
        )
    return back(request, form)


def browser_address(request: Request) -> str:
    """The server's address as the browser knows it."""
    return str(request.base_url).rstrip("/")


# -- an app ------------------------------------------------------------------------------------


async def manifest(request: Request) -> Response:
    """GET /manifest.webmanifest"""
    icons = [
        {"src": assets.address(name), "sizes": sizes, "type": "image/png", "purpose": purpose}
        for name, sizes, purpose in ICONS
    ]
    icons.append({"src": assets.address("icon.svg"), "sizes": "any", "type": "image/svg+xml"})
    about = {
        "id": "/",
        "name": "diablerie",
        "short_name": "diablerie",
        "lang": language.request_language(request),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": INK,
        "icons": icons,
    }
    headers = {"cache-control": "no-cache", "vary": "Accept-Language, Cookie"}
    return JSONResponse(about, headers=headers, media_type="application/manifest+json")


async def worker(request: Request) -> Response:
    """GET /sw.js: the service worker, which keeps the offline page and its style, nothing else."""
    kept = ["/offline", assets.address(assets.HOUSE), assets.address("icon.svg")]
    code = assets.contents()["worker.js"].decode()
    named = code.replace("__VERSION__", assets.static_digest()).replace(
        '["__KEPT__"]', msgspec.json.encode(kept).decode()
    )
    headers = {"cache-control": "no-cache"}
    return Response(named, headers=headers, media_type="text/javascript")


def offline(request: Request) -> Response:
    """GET /offline: what is shown while the server cannot be reached."""
    return templates.page_response(request, "offline.html")
