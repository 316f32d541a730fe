"""The landing page, and opening a table: at once, with friends, or set up in every respect."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Literal, NamedTuple

from markupsafe import Markup
from msgspec import Meta, Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from diablerie.engine.game import Game
from diablerie.engine.text import Line, say, says
from diablerie.games import ALL
from diablerie.table.commands import groups, lobby
from diablerie.table.commands.lobby import USUAL_BOT, allowed, company
from diablerie.table.errors import Refused
from diablerie.table.state.table_state import OPEN_TABLE, RUNNING, TableState
from diablerie.table.state.turn_clock import LONGEST_TURN_SECONDS, USUAL_TURN_TIMES, in_words
from diablerie.table.state.visitors import Visitor
from diablerie.web.edges.forms import Count
from diablerie.web.frames.memo_cache import MemoCache
from diablerie.web.frames.regions import house_rules
from diablerie.web.html import assets, templates
from diablerie.web.html.option_fields import joined
from diablerie.web.html.previews import house_card
from diablerie.web.html.speech import Speech
from diablerie.web.people import identity, language, preferences
from diablerie.web.routes import daily, history
from diablerie.web.routes.endpoints import authority_of, network_of, see_other

# -- the landing page ------------------------------------------------------------------------------

REEL_GAME = "kitchen"  # whose board is in motion there: some turns that tools/reel.py has written
REEL = assets.STATIC_FOLDER / "reel.json"
LATEST_GAMES = 3  # finished games on this page; /games lists the others


class TableRow(NamedTuple):
    """A table in a list, the names of its players, and whether it is the visitor's turn."""

    live: TableState
    names: Speech
    mine: bool

    @property
    def turn(self) -> Line:
        """The sentence that says whose turn it is, or what the table waits for."""
        free = self.live.free
        pending = self.live.pending
        if self.live.status == OPEN_TABLE and not free:
            return say("about to begin")
        if self.live.status == OPEN_TABLE:
            return says("{n} seat is free", "{n} seats are free", free)
        if self.mine:
            return say("Your turn")
        if len(pending) == 1:
            return say("{who} has to decide", who=pending[0])
        return says("{n} player has to decide", "{n} players have to decide", len(pending))

    @property
    def options(self) -> list[tuple[str, str]]:
        """The options that differ from the defaults: name and value."""
        return house_rules(self.live, self.names)


class Rows(NamedTuple):
    """The tables in the lists: the visitor's own, those to join, those to watch."""

    mine: list[TableRow]
    open: list[TableRow]
    running: list[TableRow]


def landing(request: Request) -> Response:
    """GET /"""
    if visitor := identity.visitor(request):
        authority_of(request).attendance.visit(visitor)
    return landing_page(request, {}, None)


def landing_page(request: Request, given: Mapping[str, str], refusal: Refused | None) -> Response:
    """The page, with what was typed in its form (`given`) and why that was refused."""
    past = history.visitor_games(request, LATEST_GAMES)
    visitor = identity.visitor(request)
    # A browser that has done nothing here has no visitor, and so no groups, tables and games.
    speech = templates.request_speech(request)
    reach = network_of(request).reach(request)
    return templates.page_response(
        request,
        "landing.html",
        games=authority_of(request).games.values(),
        tickets=_tickets(request),
        reel=first_picture(),
        style=assets.game_stylesheet(ALL[REEL_GAME]),
        rows=_rows(request),
        groups=groups.groups_of(authority_of(request), visitor) if visitor else [],
        given=given,
        refusal=refusal,
        name=preferences.remembered_name(request),
        past=history.finished_games(request, past),
        reach=reach,
        card=house_card(speech, reach.home, f"diablerie: {speech.plain(say('devil games'))}"),
        today=daily.todays_row(request),
    )


def _tickets(request: Request) -> list[Markup]:
    """The games of the page, kept, for to render them takes most of the page's time."""
    locale = language.request_language(request)
    parts: MemoCache = request.app.state.parts

    def ticket(game: Game) -> Markup:
        def made() -> Markup:
            return Markup(templates.render_template(locale, "parts/game.html", game=game))

        return parts.get(("ticket", game.name, locale), made)

    return [ticket(game) for game in authority_of(request).games.values()]


def _rows(request: Request) -> Rows:
    authority = authority_of(request)
    visitor = identity.visitor(request)
    mine = authority.mine(visitor) if visitor else []
    speech = templates.request_speech(request)
    own = {live.id for live in mine}
    public = [live for live in authority.listing() if live.id not in own]
    return Rows(
        sorted(
            (_row(live, visitor, speech) for live in mine),
            key=lambda row: (not row.mine, row.live.status != RUNNING, -row.live.changed),
        ),
        [_row(live, visitor, speech) for live in public if live.status == OPEN_TABLE and live.free],
        [_row(live, visitor, speech) for live in public if live.status == RUNNING],
    )


def _row(live: TableState, visitor: Visitor | None, speech: Speech) -> TableRow:
    own = live.seats_of(visitor)
    turn = any(seat in live.pending and not live.seats[seat].stand_in for seat in own)
    return TableRow(live, speech.at(live, own), turn)


@cache
def first_picture() -> Markup:
    """The picture that the reel begins with, which stays where nothing is to move."""
    return Markup("".join(json.loads(REEL.read_text("utf-8"))[0]))


# -- opening a table -------------------------------------------------------------------------------

AMONG_US = ("bots", "short", "here")  # ways to begin where hints are on: no stranger sits there
OPTION = "option-"  # before an option's name, in the form's field; see forms.typed


class OpeningForm(Struct, frozen=True):
    """The form that opens a table: in one of the usual ways (`way`), or with numbers of seats."""

    game: str = ""
    way: Literal["", "bots", "short", "friends", "screen", "here"] = ""
    short: bool = False  # with the options of the game's short form, as `way` "short" against bots
    here: Count = 0
    open: Count = 0
    bots: Count = 0
    bot: str = USUAL_BOT
    devil: dict[str, str] = {}  # of single devils, by number from 1; the others are `bot`
    names: str = ""  # at this screen, with commas between
    option: dict[str, str] = {}
    share: bool = False  # this browser will send a nonce for the dice
    clock: Annotated[int, Meta(ge=0, le=LONGEST_TURN_SECONDS)] = (
        0  # seconds after which a devil decides
    )
    hints: bool = False
    public: bool = False


def with_friends(request: Request) -> Response:
    """GET /friends/{game}: at this screen, or by link?"""
    game = _game(request, request.path_params["game"])
    name = preferences.remembered_name(request)
    return templates.page_response(request, "friends.html", game=game, name=name)


def set_up(request: Request) -> Response:
    """GET /setup/{game}"""
    return _setup_page(request, request.path_params["game"], {}, None)


def shown_again(request: Request, given: Mapping[str, str], refusal: Refused) -> Response:
    """The page with the form that was refused, what was typed in it (`given`), and why."""
    name = given.get("game", "")
    if "way" in given or name not in authority_of(request).games:
        return landing_page(request, {}, refusal)
    return _setup_page(request, name, given, refusal)


def _game(request: Request, name: str) -> Game:
    game: Game | None = authority_of(request).games.get(name)
    if game is None:
        raise HTTPException(404)
    return game


def _setup_page(
    request: Request, name: str, given: Mapping[str, str], refusal: Refused | None
) -> Response:
    game = _game(request, name)
    return templates.page_response(
        request,
        "setup.html",
        game=game,
        given=given,
        refusal=refusal,
        name=preferences.remembered_name(request),
        company=company(game),
        usual_bot=USUAL_BOT,
        option=OPTION,
        changed=options_changed,
        clocks={seconds: in_words(seconds) for seconds in USUAL_TURN_TIMES if seconds},
    )


def options_changed(game: Game, given: Mapping[str, str]) -> bool:
    """Whether a form sets an option of the game to another value than its default."""
    typed = {k.removeprefix(OPTION): text for k, text in given.items() if k.startswith(OPTION)}
    options = joined(game, typed)
    defaults = {rule.name: rule.format(rule.default) for rule in game.options}
    return any(options.get(name, value) != value for name, value in defaults.items())


def open_table(request: Request, form: OpeningForm) -> Response:
    """POST /tables"""
    caller = identity.Caller(request)
    game = authority_of(request).game(form.game)
    plan = _plan(form, game)
    names = _names(form) or [preferences.remembered_name(request)]
    opening = lobby.TableOpening(
        game.name,
        plan,
        options={**joined(game, form.option), **_shortened(form, game)},
        names=names[: plan.count("me")],  # devils have their own
        public=form.public,
        pace=form.clock,
        hints=form.hints or form.way in AMONG_US,
        share=form.share,
        screen=form.way == "screen",
    )
    client = identity.client(request)
    live = lobby.open_table.do(authority_of(request), caller.visitor, opening, client)
    page = f"/t/{live.id}" + ("/screen" if live.screen else "")
    response = caller.keep(see_other(request, page))
    if not preferences.asking_table(request):
        preferences.dismiss_card(request, response, live.id)
    return preferences.keep_name(response, "".join(_names(form)[:1]))


def _shortened(form: OpeningForm, game: Game) -> Mapping[str, str]:
    """The options of a short game, if the form asks for one."""
    return game.short.options if game.short and (form.short or form.way == "short") else {}


def _names(form: OpeningForm) -> list[str]:
    """The names at this screen that the form gives: one alone has no comma between it and others."""
    if not form.names.strip():
        return []
    return [form.names] if form.way == "friends" else form.names.split(",")


def _plan(form: OpeningForm, game: Game) -> list[str]:
    """Who sits on each seat: "me", "open" or a bot's name."""
    bot = allowed(form.bot)
    against_bots = ["me"] + [bot] * (game.quick - 1)
    quick = {
        "bots": against_bots,
        "short": against_bots,
        "friends": ["me"] + ["open"] * (game.seats[-1] - 1),  # the host begins with those who come
        "screen": ["open"] * game.seats[-1],
        "here": ["me"] * game.seats[0],
    }
    devils = [allowed(form.devil.get(str(k + 1)) or bot) for k in range(form.bots)]
    ways = ["me"] * form.here + ["open"] * form.open + devils
    return quick.get(form.way, ways)
