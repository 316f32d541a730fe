"""The landing page, and opening a table."""

from collections.abc import Mapping
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from diablerie.engine.game import Game
from diablerie.engine.text import Line, say
from diablerie.table.errors import BadInput, Refused
from diablerie.table.live import Live
from diablerie.table.warm import Progress, Warm
from diablerie.web import errors, pages, who
from diablerie.web.forms import Form
from diablerie.web.requests import authority_of, done
from diablerie.web.speech import Speech

MOST = 6  # seats at any table
BOTS = {
    "imp": say("imps: mostly nonsense"),
    "devil": say("devils: fair company"),
    "archdevil": say("archdevils: hard to fool"),
    "oberteufel": say("Oberteufel: the worst there is"),
}
USUAL = "devil"  # whom one plays who has not chosen
STRONGEST = "oberteufel"
AMONG_US = ("bots", "here")  # ways to begin where nobody minds if one asks the devils
OPTION = "option-"  # before an option's name, in the form's field


class Poster(NamedTuple):
    """A game as it is announced: also when it is still to come. `pose` is the devil's."""

    name: str
    title: Line
    tagline: Line
    pose: str


FAMILY = (
    Poster("coals", say("COALS"), say("Bet, then reach into the furnace."), "leap"),
    Poster("tails", say("TAILS"), say("Let your devils’ tails wind on and on."), "triumph"),
    Poster("underworld", say("UNDERWORLD"), say("Spell your way out; the last stays."), "sneak"),
    Poster("kitchen", say("KITCHEN"), say("Carry your pots past the devil’s stove."), "cook"),
)


class Rows(NamedTuple):
    """The tables a visitor may go to."""

    mine: list[Live]
    others: list[Live]


def landing(request: Request) -> Response:
    """GET /"""
    return _page(request, {}, None)


def _page(request: Request, given: Mapping[str, str], refusal: Refused | None) -> Response:
    return pages.answer(
        request,
        "landing.html",
        status_code=refusal.status if refusal else 200,
        family=[(poster, authority_of(request).games.get(poster.name)) for poster in FAMILY],
        rows=_rows(request),
        usual=usual,
        bots=BOTS,
        usual_bot=USUAL,
        given=given,
        refusal=refusal,
        named=named,
        option=OPTION,
        compiling=_compiling(request),
    )


def _compiling(request: Request) -> dict[str, Progress]:
    """How far the rules are that are not compiled yet."""
    warm: Warm | None = request.app.state.warm
    steps = warm.progress() if warm else {}
    return {name: step for name, step in steps.items() if not step.ready}


def _rows(request: Request) -> Rows:
    authority, visitor = authority_of(request), who.visitor(request)
    mine = authority.mine(visitor) if visitor else []
    listed = {live.id for live in mine}
    return Rows(mine, [live for live in authority.listing() if live.id not in listed])


def named(live: Live, speech: Speech) -> Speech:
    """How sentences about a table are told: with its players' names."""
    return Speech(speech.texts, [speech.plain(live.name(s.seat)) for s in live.seats])


def usual(game: Game) -> int:
    """How many play if nobody says otherwise."""
    return game.seats[len(game.seats) // 2]


def create(request: Request, form: Form) -> Response:
    """POST /tables"""
    caller = who.Caller(request)
    try:
        live = _opened(request, form, caller)
    except Refused as error:
        if not errors.wants_page(request.headers):
            raise
        return _page(request, form, error)
    return caller.keep(done(request, f"/t/{live.id}"))


def _opened(request: Request, form: Form, caller: who.Caller) -> Live:
    game = authority_of(request).games.get(form.get("game", ""))
    if game is None:
        raise BadInput(say("There is no game “{name}” here.", name=form.get("game", "")[:40]))
    return authority_of(request).lobby.open_table(
        caller.visitor,
        game.name,
        _plan(form, game),
        options={k.removeprefix(OPTION): v for k, v in form.items() if k.startswith(OPTION)},
        names=[name.strip() for name in form.get("names", "").split(",")],
        public="public" in form,
        hints="hints" in form or form.get("way") in AMONG_US,
        client=who.client(request),
    )


def _plan(form: Form, game: Game) -> list[str]:
    """Who is to sit where: three ways that need no form, and the form."""
    bot = form.get("bot", USUAL)
    quick = {
        "bots": ["me"] + [bot] * (usual(game) - 1),
        "friends": ["me", "open"] + [bot] * (usual(game) - 2),
        "here": ["me", "me"],
    }
    if form.get("way") in quick:
        return quick[form["way"]]
    here, free, bots = (form.number(k, 0, 0, MOST) for k in ("here", "open", "bots"))
    return ["me"] * here + ["open"] * free + [bot] * bots
