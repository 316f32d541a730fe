"""The application: routes, what guards them, and what answers when something is refused."""

from collections.abc import Collection

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Route

from diablerie.table.authority import Authority
from diablerie.table.bots.compile_rules import RulesCompiler
from diablerie.table.bots.match_analysis import Analyst
from diablerie.table.errors import Refused
from diablerie.table.storage.health import Health
from diablerie.web.api import operations
from diablerie.web.edges import errors
from diablerie.web.edges.forms import Form, Owned
from diablerie.web.edges.logs import Access
from diablerie.web.edges.metrics import Measured, Metrics
from diablerie.web.edges.requests import beside, posting
from diablerie.web.edges.security import Guard
from diablerie.web.edges.thread_pools import thinking
from diablerie.web.html import assets
from diablerie.web.html.invitations import LOOPBACK
from diablerie.web.notifications.scheduler import NotificationScheduler
from diablerie.web.routes import (
    chat,
    health,
    history,
    landing,
    lessons,
    notifications,
    play,
    privacy,
    programs,
    replay,
    rules,
    seats,
    settings,
    streaming,
    table,
)


def routes() -> list[Route]:
    """Every route. Tables are /t/{id}; what changes something is a POST below it."""
    opening = posting(landing.OpeningForm, landing.create, landing.once_more)
    posts = {
        "sit": posting(seats.Sit, seats.sit, beside("sit")),
        "start": posting(seats.Start, seats.start, beside("start")),
        "share": posting(seats.SeatShares, seats.share, beside("start")),
        "begin": posting(Form, seats.begin, beside("start")),
        "name": posting(seats.Name, seats.rename_seat, beside("name")),
        "public": posting(seats.Publish, seats.publish, beside("start")),
        "free": posting(Owned, seats.free, beside("give")),
        "give": posting(Owned, seats.give, beside("give")),
        "away": posting(Owned, seats.hand_over, beside("give")),
        "resign": posting(Owned, play.resign, beside("give")),
        "undo": posting(play.Undo, play.undo, beside("act"), limit="moves"),
        "take": posting(Owned, seats.take, beside("give")),
        "leave": posting(Owned, seats.leave, beside("sit")),
        "link": posting(Owned, seats.seat_link, beside("link")),
        "return": posting(Owned, seats.return_seat, beside("give")),
        "delete": posting(Form, seats.delete, beside("name")),
        "act": posting(play.Act, play.act, beside("act"), limit=""),
        "hint": posting(play.Ask, play.hint, beside("hint"), pool=thinking),
        "hook": posting(notifications.Hooking, notifications.hook, beside("hook")),
        "chat": posting(chat.Saying, chat.chat, beside("chat")),
        "mute": posting(chat.Muting, chat.mute, beside("report")),
        "report": posting(chat.Reporting, chat.report, beside("report")),
        "rematch": posting(Form, play.rematch, beside("rematch")),
        "explore": posting(replay.Explore, replay.explore),
    }
    return [
        Route("/", landing.landing),
        Route("/tables", opening, methods=["POST"]),
        Route("/t/{id}.json", table.data),
        Route("/t/{id}", table.show_table, name="table"),
        Route("/t/{id}/frame", table.table_frame),
        Route("/t/{id}/log", table.whole_log),
        Route("/t/{id}/stream", streaming.event_stream),
        Route("/t/{id}/replay", replay.replay_page),
        Route("/t/{id}/match.jsonl", replay.download),
        Route("/t/{id}/rows.jsonl", replay.raw_rows),
        Route("/t/{id}/claim/{secret}", seats.asked_to_claim, name="claim"),
        Route("/t/{id}/claim/{secret}", posting(Form, seats.claim), methods=["POST"]),
        *(Route(f"/t/{{id}}/{name}", post, methods=["POST"]) for name, post in posts.items()),
        Route("/games", history.history_page),
        Route("/games/link", posting(history.Nothing, history.device_link), methods=["POST"]),
        Route("/device/{secret}", history.asked_to_join),
        Route("/device/{secret}", posting(history.Nothing, history.join), methods=["POST"]),
        Route("/rules/{game}", rules.rules),
        Route("/learn/{game}", lessons.learn),
        Route("/learn/{game}", posting(lessons.Doing, lessons.do, limit="moves"), methods=["POST"]),
        Route("/language", posting(settings.Speak, settings.speak), methods=["POST"]),
        Route("/settings", settings.settings_page),
        Route("/settings", posting(settings.Chosen, settings.save_settings), methods=["POST"]),
        Route("/push/key", notifications.key),
        Route(
            "/push", posting(notifications.Subscribing, notifications.subscribe), methods=["POST"]
        ),
        Route(
            "/push/withdraw",
            posting(notifications.Withdrawing, notifications.withdraw),
            methods=["POST"],
        ),
        Route("/manifest.webmanifest", notifications.manifest),
        Route("/sw.js", notifications.worker),
        Route("/offline", notifications.offline),
        Route("/known", posting(settings.Known, settings.put_away), methods=["POST"]),
        Route("/kept", privacy.kept_data),
        Route("/forget", posting(Form, privacy.forget_names), methods=["POST"]),
        Route("/programs", programs.programs),
        Route(
            "/programs", posting(programs.Making, programs.make, programs.again), methods=["POST"]
        ),
        Route("/programs/revoke", posting(programs.Revoking, programs.revoke), methods=["POST"]),
        *operations.api_routes(),
        Route("/healthz", health.healthz),
        Route("/static/{digest}/{name:path}", assets.static_file),
    ]


def create_app(
    authority: Authority,
    *,
    hosts: Collection[str] = (),
    any_address: bool = False,
    warm: RulesCompiler | None = None,
    analyst: Analyst | None = None,
    health: Health | None = None,
    metrics: Metrics | None = None,
    bell: NotificationScheduler | None = None,
) -> Starlette:
    """The application over an authority.

    It answers under `hosts` besides this machine's own names, and with `any_address` under every
    numeric address (for a server that listens on all interfaces). `warm` knows how far the rules
    are compiled; without it they are taken to be. `analyst` looks at finished matches; without
    it replays show no chances. `metrics` counts what is asked for.
    `bell` calls those whose turn it is; without it nobody is called.
    """
    app = Starlette(
        routes=routes(),
        middleware=[
            *([Middleware(Measured, metrics=metrics)] if metrics else []),
            Middleware(Access),
            Middleware(Guard, hosts=LOOPBACK | set(hosts), any_address=any_address),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
        ],
        exception_handlers={
            Refused: errors.on_refused,
            HTTPException: errors.on_http,
            Exception: errors.on_crash,
        },
    )
    app.state.authority, app.state.warm, app.state.analyst = authority, warm, analyst
    app.state.everywhere, app.state.bell = any_address, bell
    app.state.health = health or Health(authority.store)
    return app
