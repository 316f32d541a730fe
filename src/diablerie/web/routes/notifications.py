"""Routes of notifications (web push, webhooks) and of the installable web app."""

from typing import cast

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response

from diablerie.table.commands import subscriptions
from diablerie.web.edges.forms import Form
from diablerie.web.html import assets, templates
from diablerie.web.notifications.scheduler import NotificationScheduler
from diablerie.web.people import identity, language
from diablerie.web.people.preferences import Back
from diablerie.web.routes.endpoints import at_table, authority_of, back, see_other

ICONS = (
    ("icon-192.png", "192x192", "image/png", "any"),
    ("icon-512.png", "512x512", "image/png", "any"),
    ("icon-mask.png", "512x512", "image/png", "maskable"),
    ("icon.svg", "any", "image/svg+xml", "any"),
)
# as in tokens.css and icon.svg
ICON_PAPER = "#fbf4e6"
ICON_INK = "#261611"


class Subscribing(Form):
    """A browser's push subscription."""

    endpoint: str
    p256dh: str
    auth: str


class Withdrawing(Back):
    """The push subscription to delete; without an endpoint, all of this visitor's."""

    endpoint: str = ""


class Hooking(Form):
    """The address of a table's webhook, "" to delete it."""

    url: str = ""


def scheduler_of(request: Request) -> NotificationScheduler | None:
    """The scheduler of notifications, None on a server that sends none."""
    return cast(NotificationScheduler | None, request.app.state.scheduler)


def key(request: Request) -> Response:
    """GET /push/key: the public key by which push services know this server (VAPID)."""
    scheduler = scheduler_of(request)
    if scheduler is None:
        raise HTTPException(404)
    return JSONResponse({"key": scheduler.keys.public})


def subscribe(request: Request, form: Subscribing) -> Response:
    """POST /push: subscribe this browser to notifications."""
    if scheduler_of(request) is None:
        raise HTTPException(404)
    caller = identity.Caller(request)
    locale = language.request_language(request)
    asked = subscriptions.PushRequest(
        form.endpoint, form.p256dh, form.auth, locale, browser_address(request)
    )
    authority_of(request).subscriptions.subscribe(caller.visitor, asked)
    return caller.keep(see_other(request, "/settings"))


def withdraw(request: Request, form: Withdrawing) -> Response:
    """POST /push/withdraw: delete a subscription, or all of this visitor's."""
    visitor = identity.visitor(request)
    if visitor is not None:
        authority_of(request).subscriptions.withdraw(visitor, form.endpoint)
    return see_other(request, form.address)


def hook(request: Request, form: Hooking) -> Response:
    """POST /t/{id}/hook: set the table's webhook, or delete it."""
    authority, table, visitor = at_table(request)
    url = form.url.strip()
    scheduler = scheduler_of(request)
    if not url:
        authority.subscriptions.unhook(table, visitor)
    elif scheduler is None:
        raise HTTPException(404)
    else:
        locale = language.request_language(request)
        asked = subscriptions.HookRequest(url, locale, browser_address(request))
        scheduler.greet(authority.subscriptions.hook(table, visitor, asked))
    return back(request)


def browser_address(request: Request) -> str:
    """The server's address as the browser knows it."""
    return str(request.base_url).rstrip("/")


# -- the web app ------------------------------------------------------------------------------------


async def manifest(request: Request) -> Response:
    """GET /manifest.webmanifest"""
    about = {"id": "/", "lang": language.request_language(request), **web_app("/")}
    headers = {"cache-control": "no-cache", "vary": "Accept-Language, Cookie"}
    return JSONResponse(about, headers=headers, media_type="application/manifest+json")


def web_app(home: str) -> dict[str, object]:
    """What a manifest says of the app that is installed from this address."""
    icons = [
        {"src": home + assets.address(name)[1:], "sizes": sizes, "type": kind, "purpose": purpose}
        for name, sizes, kind, purpose in ICONS
    ]
    return {
        "name": "diablerie",
        "short_name": "diablerie",
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": ICON_PAPER,
        "theme_color": ICON_INK,
        "icons": icons,
    }


async def favicon(request: Request) -> Response:
    """GET /favicon.ico, which browsers ask for where no page names an icon."""
    return RedirectResponse(assets.address("icon-192.png"), 302, {"cache-control": "max-age=86400"})


async def robots(request: Request) -> Response:
    """GET /robots.txt: all may be read, for previews of links; see `security.UNLISTED`."""
    return PlainTextResponse("User-agent: *\nDisallow:\n")


async def worker(request: Request) -> Response:
    """GET /sw.js: the service worker. It caches what the offline page needs, nothing else."""
    parts = map(assets.address, (assets.HOUSE_SHEET, "app.js", "icon.svg"))
    cached = ["/offline", *parts]
    code = assets.contents()["worker.js"].decode()
    named = code.replace("__VERSION__", assets.static_digest()).replace(
        '["__KEPT__"]', msgspec.json.encode(cached).decode()
    )
    headers = {"cache-control": "no-cache"}
    return Response(named, headers=headers, media_type="text/javascript")


def offline(request: Request) -> Response:
    """GET /offline: the page that the service worker shows while the server cannot be reached."""
    return templates.page_response(request, "offline.html")
