"""Opening a table: at once, with friends, or set up in every respect."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from diablerie.engine.game import Game
from diablerie.table.commands import lobby
from diablerie.table.commands.lobby import USUAL_BOT, allowed, company
from diablerie.table.errors import Refused
from diablerie.table.state.turn_clock import LONGEST_TURN_SECONDS, in_words
from diablerie.table.state.turn_clock import USUAL_TURN_TIMES as USUAL_PACES
from diablerie.web.edges.forms import Count
from diablerie.web.edges.requests import authority_of, see_other
from diablerie.web.html import templates
from diablerie.web.people import identity, preferences
from diablerie.web.routes.landing import landing_page

AMONG_US = ("bots", "here")  # ways to begin where hints are on: no stranger sits there
OPTION = "option-"  # before an option's name, in the form's field; see forms.typed


class OpeningForm(Struct, frozen=True):
    """The form that opens a table: in one of the usual ways (`way`), or with numbers of seats."""

    game: str = ""
    way: Literal["", "bots", "friends", "here"] = ""
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
    return templates.page_response(request, "friends.html", game=game)


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
        clocks={seconds: in_words(seconds) for seconds in USUAL_PACES if seconds},
    )


def options_changed(game: Game, given: Mapping[str, str]) -> bool:
    """Whether a form sets an option of the game to another value than its default."""
    defaults = {OPTION + rule.name: rule.format(rule.default) for rule in game.options}
    return any(given.get(field, value) != value for field, value in defaults.items())


def create(request: Request, form: OpeningForm) -> Response:
    """POST /tables"""
    caller = identity.Caller(request)
    game = authority_of(request).game(form.game)
    plan = _plan(form, game)
    names = form.names.split(",") if form.names.strip() else [preferences.remembered_name(request)]
    opening = lobby.TableOpening(
        game.name,
        plan,
        options=form.option,
        names=names[: plan.count("me")],  # devils have their own
        public=form.public,
        pace=form.clock,
        hints=form.hints or form.way in AMONG_US,
        share=form.share,
    )
    client = identity.client(request)
    live = lobby.open_table.do(authority_of(request), caller.visitor, opening, client)
    response = caller.keep(see_other(request, f"/t/{live.id}"))
    if not preferences.asking_table(request):
        preferences.dismiss_card(request, response, live.id)
    return preferences.keep_name(response, form.names.partition(",")[0])


def _invited(game: Game) -> int:
    """The seats of a table for friends: more than one at once, since who comes later finds none."""
    return game.seats[len(game.seats) // 2]


def _plan(form: OpeningForm, game: Game) -> list[str]:
    """Who sits on each seat: "me", "open" or a bot's name."""
    bot = allowed(form.bot)
    quick = {
        "bots": ["me"] + [bot] * (game.quick - 1),
        "friends": ["me"] + ["open"] * (_invited(game) - 1),
        "here": ["me"] * game.seats[0],
    }
    devils = [allowed(form.devil.get(str(k + 1)) or bot) for k in range(form.bots)]
    ways = ["me"] * form.here + ["open"] * form.open + devils
    return quick.get(form.way, ways)
