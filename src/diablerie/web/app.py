"""The application: its routes, its middleware, and its handlers of refusals and faults."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Route

from diablerie.api import Other, Rematching, Screening, SeatWish, Sitting
from diablerie.compiling.rules_compiler import RulesCompiler
from diablerie.daily.challenge import Calendar
from diablerie.table.authority import Authority
from diablerie.table.bots.match_analysis import Analyst
from diablerie.table.commands import chat as chat_commands
from diablerie.table.commands import decisions, latecomers, lobby, sequels
from diablerie.table.commands import seats as seat_commands
from diablerie.table.errors import Refused
from diablerie.table.storage.store import Health
from diablerie.web.api import operations
from diablerie.web.edges import errors
from diablerie.web.edges.cookies import CookieCheck, HostCookies
from diablerie.web.edges.forms import Form, with_file
from diablerie.web.edges.limits import HeaderLimit, RateLimiter
from diablerie.web.edges.logs import AccessLog
from diablerie.web.edges.metrics import Metrics, RequestMetrics, healthz
from diablerie.web.edges.network_switch import NetworkSwitch, own_names
from diablerie.web.edges.security import Guard
from diablerie.web.frames.memo_cache import MemoCache
from diablerie.web.html import assets, previews
from diablerie.web.html.compression import BODY_COMPRESSION, COMPRESSED_FROM_BYTES, Compression
from diablerie.web.html.reach import LOOPBACK_HOSTS
from diablerie.web.notifications.scheduler import NotificationScheduler
from diablerie.web.people.preferences import Preferences
from diablerie.web.routes import (
    daily,
    evening_card,
    groups,
    history,
    landing,
    lessons,
    meeting,
    notifications,
    pictures,
    play,
    preferences,
    printing,
    replay,
    rules,
    streaming,
    table,
    trouble,
)
from diablerie.web.routes.endpoints import page, posting, shown_again
from diablerie.web.routes.pictures import Painter
from diablerie.web.routes.table import beside, commanding

BESIDE = {  # commands of a table's page: beside which control a refusal is shown, and where it leads
    lobby.begin: ("start",),
    lobby.fill: ("start",),
    lobby.publish: ("start",),
    lobby.rename: ("name",),
    lobby.free: ("give",),
    lobby.leave: ("sit", "/"),
    lobby.delete_table: ("name", "/"),
    seat_commands.give_to_bot: ("give",),
    seat_commands.hand_over: ("give",),
    seat_commands.relieve_bot: ("give",),
    seat_commands.resign: ("give",),
    latecomers.answer_seat: ("give",),
    decisions.take_back: ("act",),
    decisions.request_take_back: ("act",),
    decisions.answer_take_back: ("act",),
    chat_commands.chat: ("chat",),
}
PAGE_PARTS_KEPT = 256  # of pages, kept because many visitors are shown the same


def routes() -> list[Route]:
    """Every route. Tables are /t/{id}; what changes something is a POST below it."""
    posts = {
        "/tables": posting(
            landing.OpeningForm, landing.open_table, shown_again(landing.shown_again)
        ),
        **{f"/t/{{id}}/{one.__name__}": commanding(one, *how) for one, how in BESIDE.items()},
        "/t/{id}/screen": posting(Screening, play.screen, beside("start")),
        "/t/{id}/sit": posting(Sitting, play.sit, beside("sit")),
        "/t/{id}/ask_seat": posting(SeatWish, play.ask_seat, beside("sit")),
        "/t/{id}/share": posting(play.SeatShares, play.share, beside("start")),
        "/t/{id}/link": posting(Other, play.seat_link, beside("link")),
        "/t/{id}/return_seat": posting(Other, play.return_seat, beside("give")),
        "/t/{id}/decide": posting(play.Decision, play.decide, beside("act"), limit=""),
        "/t/{id}/hint": posting(play.Ask, play.hint, beside("hint"), thinks=True),
        "/t/{id}/hook": posting(notifications.Hooking, notifications.hook, beside("hook")),
        "/t/{id}/mute": posting(play.Muting, play.mute, beside("report")),
        "/t/{id}/report": posting(play.Reporting, play.report, beside("report")),
        "/t/{id}/rematch": posting(Rematching, play.rematch, beside("rematch")),
        "/t/{id}/explore": posting(replay.Explore, replay.explore),
        "/t/{id}/claim/{secret}": posting(Form, play.claim),
        "/groups": posting(groups.NewGroup, groups.create, shown_again(landing.landing_page)),
        "/g/{link}/join": posting(groups.Person, groups.join, groups.again),
        "/g/{link}/leave": posting(groups.Person, groups.leave, groups.again),
        "/g/{link}/member": posting(groups.Person, groups.change, groups.again),
        "/g/{link}/remove": posting(groups.Removed, groups.remove, groups.again),
        "/g/{link}/forget": posting(groups.Removed, groups.forget, groups.again),
        "/g/{link}/rename": posting(groups.NewGroup, groups.rename, groups.again),
        "/g/{link}/forfeit": posting(groups.NewForfeit, groups.write_forfeit, groups.again),
        "/g/{link}/strike": posting(groups.Struck, groups.strike_forfeit, groups.again),
        "/g/{link}/renew": posting(Form, groups.renew, groups.again),
        "/g/{link}/play": posting(groups.Playing, groups.play, groups.again),
        "/games/saved": posting(
            history.Saved,
            history.continue_saved,
            shown_again(history.history_page),
            reading=with_file(sequels.LONGEST_SAVED_BYTES),
        ),
        "/games/link": posting(Form, history.device_link),
        "/games/lock": posting(history.Locked, history.lock_out),
        "/games/renew": posting(Form, history.renew_secret),
        "/device/{secret}": posting(Form, history.join),
        "/learn/{game}": posting(lessons.Doing, lessons.do, limit="moves"),
        "/daily/{date}": posting(daily.Answering, daily.answer, limit="moves"),
        "/network": posting(
            preferences.Switching, preferences.switch_network, shown_again(landing.landing_page)
        ),
        "/meeting": posting(preferences.Switching, preferences.switch_meeting),
        "/language": posting(Preferences, preferences.speak),
        "/settings": posting(Preferences, preferences.save_settings),
        "/push": posting(notifications.Subscribing, notifications.subscribe, limit="push"),
        "/words": posting(Preferences, preferences.tell_in_words),
        "/push/withdraw": posting(notifications.Withdrawing, notifications.withdraw),
        "/sound": posting(Preferences, preferences.switch_sound),
        "/known": posting(preferences.Known, preferences.put_away),
        "/forget": posting(Form, preferences.forget_names),
        "/programs": posting(
            preferences.NewToken, preferences.make_token, shown_again(preferences.programs_page)
        ),
        "/programs/revoke": posting(preferences.RevokedToken, preferences.revoke_token),
    }
    often = ("/t/{id}/decide",)  # no other matches these: they are found at once if they come first
    return [
        *(Route(path, posts.pop(path), methods=["POST"]) for path in often),
        Route("/t/{id}/stream", streaming.event_stream),
        page("/", landing.landing),
        page("/t/{id}.json", table.data),
        page("/t/{id}", table.show_table),
        page("/t/{id}/frame", table.table_frame),
        page("/t/{id}/screen", table.show_screen),
        page("/t/{id}/log", table.whole_log),
        page("/t/{id}/replay", replay.replay_page),
        page("/t/{id}/match.jsonl", replay.download),
        page("/t/{id}/claim/{secret}", play.asked_to_claim, name="claim"),
        page("/owner/{secret}", preferences.enter_as_owner),
        page("/t/{id}/group", groups.of_table),
        page("/g/{link}", groups.group_page),
        page("/g/{link}/evening", evening_card.evening_page),
        page("/t/{id}/evening", evening_card.evening_of_table),
        Route("/t/{id}/preview.png", pictures.table_preview),
        Route("/t/{id}/picture.png", pictures.finished(previews.final_png, pictures.PNG_TYPE)),
        Route("/t/{id}/picture.svg", pictures.finished(previews.final_svg, pictures.SVG_TYPE)),
        Route("/t/{id}/film.svg", pictures.finished(previews.film, pictures.SVG_TYPE)),
        Route("/g/{link}/preview.png", pictures.group_preview),
        Route("/preview.png", pictures.house_preview),
        page("/embed/replay/{id}", replay.replay_page),
        page("/embed/rules/{game}", rules.rules),
        page("/games", history.history_page),
        page("/device/{secret}", history.asked_to_join),
        page("/rules/{game}", rules.rules),
        page("/print/{game}", printing.print_page),
        page("/trouble", trouble.trouble),
        page("/learn/{game}", lessons.learn),
        page("/friends/{game}", landing.with_friends),
        page("/setup/{game}", landing.set_up),
        page("/daily", daily.daily_today),
        page("/daily/archive", daily.archive),
        page("/daily/{date}", daily.daily_page),
        Route("/daily/{date}/preview.png", daily.preview),
        page("/settings", preferences.settings_page),
        page("/push/key", notifications.key),
        Route("/manifest.webmanifest", notifications.manifest),
        Route("/sw.js", notifications.worker),
        Route("/favicon.ico", notifications.favicon),
        Route("/robots.txt", notifications.robots),
        meeting.route(),
        page("/offline", notifications.offline),
        page("/kept", preferences.kept_data),
        page("/programs", preferences.programs_page),
        *(Route(path, post, methods=["POST"]) for path, post in posts.items()),
        *operations.api_routes(),
        Route("/healthz", healthz),
        Route("/static/{digest}/{name:path}", assets.static_file),
    ]


@dataclass(frozen=True)
class Services:
    """What works for the pages beside the authority; each may be missing.

    `compiler` compiles the rules; without it they count as compiled. `analyst` analyses finished
    matches; without it replays show no chances. `health` checks the database. `metrics` counts
    requests. `scheduler` sends notifications to players whose turn it is. `calendar` has the daily
    challenges; without it, those that come with diablerie. `rooms` are those of the meeting point,
    which its owner opens; without them nobody can.
    """

    compiler: RulesCompiler | None = None
    analyst: Analyst | None = None
    health: Health | None = None
    metrics: Metrics | None = None
    scheduler: NotificationScheduler | None = None
    calendar: Calendar | None = None
    rooms: meeting.Rooms | None = None


def create_app(
    authority: Authority,
    services: Services = Services(),
    *,
    hosts: Collection[str] = (),
    network: NetworkSwitch | None = None,
    behind: Sequence[Middleware] = (),
) -> Starlette:
    """The application over an authority.

    It accepts requests whose Host header is one of `hosts` or a name of this machine; while
    `network` is open, also every numeric address. Without a `network` it is closed for good.
    `behind` reads what a proxy says.
    """
    network = network or NetworkSwitch()
    app = Starlette(
        routes=routes(),
        middleware=[
            *([Middleware(RequestMetrics, metrics=services.metrics)] if services.metrics else []),
            Middleware(HeaderLimit, authority=authority),
            *behind,
            Middleware(HostCookies),
            Middleware(RateLimiter, authority=authority),
            Middleware(AccessLog),
            Middleware(Guard, hosts=LOOPBACK_HOSTS | own_names() | set(hosts), network=network),
            Middleware(CookieCheck),
            Middleware(
                Compression, minimum_size=COMPRESSED_FROM_BYTES, compresslevel=BODY_COMPRESSION
            ),
        ],
        exception_handlers={
            Refused: errors.on_refused,
            HTTPException: errors.on_http,
            Exception: errors.on_crash,
        },
    )
    app.state.authority = authority
    app.state.compiler = services.compiler
    app.state.analyst = services.analyst
    app.state.parts = MemoCache(PAGE_PARTS_KEPT)
    app.state.network = network
    app.state.scheduler = services.scheduler
    app.state.painter = Painter()
    app.state.calendar = services.calendar
    app.state.meeting = services.rooms
    app.state.health = services.health or Health(authority.store)
    app.state.processes = lambda: (1, 1)  # that run, of so many; see `web.process.workers`
    return app
