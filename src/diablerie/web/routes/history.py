"""The page of a visitor's finished games, with tallies; and links to other devices."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from babel.dates import format_date
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from diablerie.api import Frozen, Number, Seat
from diablerie.engine.game import Game
from diablerie.engine.verbs import SEATS
from diablerie.table.commands import browsers, history, sequels
from diablerie.table.commands.history import Finished, tallies
from diablerie.table.commands.lobby import BOT_COMPANY, USUAL_BOT, allowed
from diablerie.table.errors import Refused
from diablerie.web.edges import errors
from diablerie.web.edges.forms import Form, typed
from diablerie.web.html import templates
from diablerie.web.people import identity, language
from diablerie.web.routes.endpoints import authority_of, network_of, see_other

GAMES_A_PAGE = 20  # games on a page


class Which(Frozen):
    """The query: a page of the list, from 1."""

    page: Number = 1


class Locked(Form):
    """The form that locks a browser out: its code."""

    device: str = ""


class Saved(Form):
    """The form that continues a match file as a seat (None: the one to decide), against bots.

    step: after so many plies; None for all of them.
    """

    file: str = ""
    step: Number | None = None
    seat: Seat | None = None
    bot: str = USUAL_BOT


class FinishedGame(NamedTuple):
    """A finished game in the list, with names and day in the visitor's language."""

    past: Finished
    game: Game
    names: Sequence[str]
    day: str


def history_page(
    request: Request,
    given: Mapping[str, str] | None = None,
    refusal: Refused | None = None,
    link: str = "",
) -> Response:
    """GET /games?page=2; with what was chosen (`given`) and why the saved game was refused."""
    games = visitor_games(request)
    pages = 1 + max(0, len(games) - 1) // GAMES_A_PAGE
    # A page beyond the last is the last: games may have been deleted meanwhile.
    page = min(max(1, typed(Which, request.query_params).page), pages)
    return templates.page_response(
        request,
        "history.html",
        given=given or {},
        refusal=refusal,
        seats=range(SEATS),
        bots=BOT_COMPANY,
        usual_bot=USUAL_BOT,
        rows=finished_games(request, games[GAMES_A_PAGE * (page - 1) : GAMES_A_PAGE * page]),
        tallies=tallies(games),
        games=authority_of(request).games,
        page=page,
        pages=pages,
        link=link,
        devices=identity.browsers(request).of(identity.secret(request)),
        day=lambda at: day(request, at),
        reach=network_of(request).reach(request),
    )


def continue_saved(request: Request, form: Saved) -> Response:
    """POST /games/saved: open a new table that goes on from a match file, against bots."""
    caller = identity.Caller(request)
    asked = sequels.FileContinuing(form.file.encode(), form.step, form.seat, allowed(form.bot))
    client = identity.client(request)
    live = sequels.continue_file.do(authority_of(request), caller.visitor, asked, client)
    return caller.keep(see_other(request, f"/t/{live.id}"))


def visitor_games(request: Request, most: int = history.GAMES_LISTED) -> list[Finished]:
    """The finished games of a visitor, the latest first."""
    visitor = identity.visitor(request)
    return history.finished_games(authority_of(request), visitor, most) if visitor else []


def finished_games(request: Request, games: Sequence[Finished]) -> list[FinishedGame]:
    """Finished games as a page lists them."""
    speech = templates.request_speech(request)
    known_games = authority_of(request).games
    rows = []
    for past in games:
        names = [speech.plain(one.info.shown_as(one.info.name)) for one in past.seats]
        rows.append(FinishedGame(past, known_games[past.game], names, day(request, past.created)))
    return rows


def day(request: Request, at: float) -> str:
    """The day of a Unix time, as the visitor's language writes it."""
    locale = language.request_language(request)
    return format_date(datetime.fromtimestamp(at, UTC), "medium", locale=locale)


def device_link(request: Request, form: Form) -> Response:
    """POST /games/link: make a link that makes another device the same visitor.

    Only this answer contains it.
    """
    caller = identity.Caller(request)
    authority = authority_of(request)
    secret = browsers.create_link(authority, caller.visitor)
    address = f"{network_of(request).home(request)}/device/{secret}"
    if not errors.wants_page(request.headers):
        return caller.keep(JSONResponse({"link": address}))
    return caller.keep(history_page(request, link=address))


def renew_secret(request: Request, form: Form) -> Response:
    """POST /games/renew: a new secret for this browser; all others of its visitor are strangers."""
    caller = identity.Caller(request)
    caller.secret = identity.browsers(request).renew(identity.secret(request))
    return caller.keep(see_other(request, "/games#devices"))


def lock_out(request: Request, form: Locked) -> Response:
    """POST /games/lock: end the secret of another browser of this visitor."""
    identity.browsers(request).lock_out(identity.secret(request), form.device)
    return see_other(request, "/games#devices")


def asked_to_join(request: Request) -> Response:
    """GET /device/{secret}: the page of such a link, whose button uses it."""
    owner = browsers.link_owner(authority_of(request), request.path_params["secret"])
    mine = identity.visitor(request) == owner
    return templates.page_response(request, "device.html", mine=mine)


def join(request: Request, form: Form) -> Response:
    """POST /device/{secret}: make this browser the visitor who made the link."""
    caller = identity.Caller(request)
    authority = authority_of(request)
    opening = request.path_params["secret"]
    old = identity.secret(request)
    caller.secret = browsers.redeem(authority, caller.visitor, opening, old)
    return caller.keep(see_other(request, "/games"))
