"""The application: routes, what guards them, and what answers when something is refused."""

from collections.abc import Collection

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Route

from diablerie.table.analysis import Analyst
from diablerie.table.authority import Authority
from diablerie.table.errors import Refused
from diablerie.table.health import Health
from diablerie.table.warm import Warm
from diablerie.web import assets, errors
from diablerie.web.api import operations
from diablerie.web.calling.bell import Bell
from diablerie.web.forms import Form, Owned
from diablerie.web.inviting import LOOPBACK
from diablerie.web.logs import Access
from diablerie.web.metrics import Measured, Metrics
from diablerie.web.pools import thinking
from diablerie.web.requests import beside, posting
from diablerie.web.routes import (
    calling,
    history,
    house,
    landing,
    lessons,
    looking,
    playing,
    programs,
    replay,
    rules,
    seats,
    settings,
    streaming,
    talking,
)
from diablerie.web.security import Guard


def routes() -> list[Route]:
    """Every route. Tables are /t/{id}; what changes something is a POST below it."""
    opening = posting(landing.Opening, landing.create, landing.once_more)
    posts = {
        "sit": posting(seats.Sit, seats.sit, beside("sit")),
        "start": posting(seats.Start, seats.start, beside("start")),
        "share": posting(seats.Share, seats.share, beside("start")),
        "begin": posting(Form, seats.begin, beside("start")),
        "name": posting(seats.Name, seats.name, beside("name")),
        "public": posting(seats.Publish, seats.publish, beside("start")),
        "free": posting(Owned, seats.free, beside("give")),
        "give": posting(Owned, seats.give, beside("give")),
        "away": posting(Owned, seats.hand_over, beside("give")),
        "resign": posting(Owned, playing.resign, beside("give")),
        "undo": posting(playing.Undo, playing.undo, beside("act"), limit="moves"),
        "take": posting(Owned, seats.take, beside("give")),
        "leave": posting(Owned, seats.leave, beside("sit")),
        "link": posting(Owned, seats.link, beside("link")),
        "return": posting(Owned, seats.return_seat, beside("give")),
        "delete": posting(Form, seats.delete, beside("name")),
        "act": posting(playing.Act, playing.act, beside("act"), limit=""),
        "hint": posting(playing.Ask, playing.hint, beside("hint"), pool=thinking),
        "hook": posting(calling.Hooking, calling.hook, beside("hook")),
        "chat": posting(talking.Saying, talking.chat, beside("chat")),
        "mute": posting(talking.Muting, talking.mute, beside("report")),
        "report": posting(talking.Reporting, talking.report, beside("report")),
        "rematch": posting(Form, playing.rematch, beside("rematch")),
        "explore": posting(replay.Explore, replay.explore),
    }
    return [
        Route("/", landing.landing),
        Route("/tables", opening, methods=["POST"]),
        Route("/t/{id}.json", looking.data),
        Route("/t/{id}", looking.page, name="table"),
        Route("/t/{id}/frame", looking.frame),
        Route("/t/{id}/log", looking.whole_log),
        Route("/t/{id}/stream", streaming.stream),
        Route("/t/{id}/replay", replay.replay),
        Route("/t/{id}/match.jsonl", replay.download),
        Route("/t/{id}/rows.jsonl", replay.rows),
        Route("/t/{id}/claim/{secret}", seats.asked_to_claim, name="claim"),
        Route("/t/{id}/claim/{secret}", posting(Form, seats.claim), methods=["POST"]),
        *(Route(f"/t/{{id}}/{name}", post, methods=["POST"]) for name, post in posts.items()),
        Route("/games", history.history),
        Route("/games/link", posting(history.Nothing, history.link), methods=["POST"]),
        Route("/device/{secret}", history.asked_to_join),
        Route("/device/{secret}", posting(history.Nothing, history.join), methods=["POST"]),
        Route("/rules/{game}", rules.rules),
        Route("/learn/{game}", lessons.learn),
        Route("/learn/{game}", posting(lessons.Doing, lessons.do, limit="moves"), methods=["POST"]),
        Route("/style", house.style),
        Route("/language", posting(settings.Speak, settings.speak), methods=["POST"]),
        Route("/settings", settings.settings),
        Route("/settings", posting(settings.Chosen, settings.choose), methods=["POST"]),
        Route("/push/key", calling.key),
        Route("/push", posting(calling.Subscribing, calling.subscribe), methods=["POST"]),
        Route("/push/withdraw", posting(calling.Withdrawing, calling.withdraw), methods=["POST"]),
        Route("/manifest.webmanifest", calling.manifest),
        Route("/sw.js", calling.worker),
        Route("/offline", calling.offline),
        Route("/known", posting(settings.Known, settings.put_away), methods=["POST"]),
        Route("/kept", house.kept),
        Route("/forget", posting(Form, house.forget), methods=["POST"]),
        Route("/programs", programs.programs),
        Route(
            "/programs", posting(programs.Making, programs.make, programs.again), methods=["POST"]
        ),
        Route("/programs/revoke", posting(programs.Revoking, programs.revoke), methods=["POST"]),
        *operations.routes(),
        Route("/healthz", house.healthz),
        Route("/static/{digest}/{name:path}", assets.serve),
    ]


def create_app(
    authority: Authority,
    *,
    hosts: Collection[str] = (),
    any_address: bool = False,
    warm: Warm | None = None,
    analyst: Analyst | None = None,
    health: Health | None = None,
    metrics: Metrics | None = None,
    bell: Bell | None = None,
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
