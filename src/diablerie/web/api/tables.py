"""What programs can do at tables, all of it through the authority."""

from starlette.responses import Response

from diablerie import api
from diablerie.engine.text import say
from diablerie.table.commands import chat as chat_commands
from diablerie.table.commands import decisions, lobby, seats
from diablerie.table.commands.lobby import HERE
from diablerie.table.errors import BadInput, Forbidden
from diablerie.table.state.nonce_exchange import PROMISED
from diablerie.table.state.table_state import EMPTY, OPEN, OVER, PROGRAM, RUNNING
from diablerie.web.api import answers
from diablerie.web.api.requests import ApiRequest
from diablerie.web.frames.viewpoint import split_steps
from diablerie.web.people.opponents import allowed
from diablerie.web.routes.replay import matchfile


def games(call: ApiRequest, asked: api.Empty) -> list[api.GameInfo]:
    """The games."""
    return [answers.game(call, game) for game in call.authority.games.values()]


def listing(call: ApiRequest, asked: api.Listing) -> list[api.Row]:
    """The public tables."""
    found = call.authority.listing(asked.limit, asked.game, _states(asked.status, OPEN, RUNNING))
    return [answers.row(call, live) for live in found]


def _states(asked: str | None, *all_: str) -> tuple[str, ...]:
    return all_ if asked is None else (asked,)


def me(call: ApiRequest, asked: api.Empty) -> api.Me:
    """Whom the table takes this program for."""
    token = call.known
    return api.Me(name=token.name, scopes=sorted(token.scopes), created=token.created)


def mine(call: ApiRequest, asked: api.Mine) -> list[api.Row]:
    """The program's own tables."""
    states = _states(asked.status, OPEN, RUNNING, OVER)
    found = call.authority.games_of(call.known.id, states, asked.limit, asked.before)
    return [answers.row(call, live) for live in found]


def opening(call: ApiRequest, asked: api.Opening) -> api.Done:
    """A table is opened."""
    token = call.known
    plan = [what if what in (HERE, EMPTY) else allowed(what) for what in asked.plan]
    name = asked.name or token.name
    live = lobby.open_table(
        call.authority,
        token.id,
        asked.game,
        plan,
        options=asked.options,
        names=[name if what == HERE else "" for what in plan],
        public=asked.public,
        pace=asked.clock,
        pledge=PROMISED if asked.share else "",
        client=call.client,
        kind=PROGRAM,
    )
    own = live.seats_of(token.id)
    return answers.done_answer(live, own[0] if own else None)


def look(call: ApiRequest, asked: api.Looking) -> api.Table:
    """A table, as this program may see it."""
    call.authority.hub.glance(call.live.id)
    if call.visitor and call.live.seats_of(call.visitor):
        call.authority.touch(call.live.id, call.visitor)
    return answers.table_answer(call, asked.seat, asked.since, asked.heard)


def join(call: ApiRequest, asked: api.Joining) -> api.Done:
    """A seat is taken."""
    token = call.known
    before = set(call.live.seats_of(token.id))
    name = asked.name or token.name
    pledge = PROMISED if asked.share else ""
    live = lobby.sit(call.authority, call.table, token.id, asked.seat, name, pledge, PROGRAM)
    fresh = set(live.seats_of(token.id)) - before
    return answers.done_answer(live, min(fresh, default=asked.seat))


def share(call: ApiRequest, asked: api.Sharing) -> api.Done:
    """The hash of a seat's nonce comes in, or the nonce."""
    seat = call.seat(asked.seat)
    hashes, nonces = ({seat: sent} if sent else {} for sent in (asked.hash, asked.nonce))
    if not hashes and not nonces:
        raise BadInput(say("Nothing was chosen."))
    live = lobby.share(call.authority, call.table, call.known.id, hashes, nonces)
    return answers.done_answer(live, seat)


def begin(call: ApiRequest, asked: api.Empty) -> api.Done:
    """A match starts without the shares that do not come."""
    return answers.done_answer(lobby.begin(call.authority, call.table, call.known.id))


def start(call: ApiRequest, asked: api.Starting) -> api.Done:
    """The open seats are given to bots."""
    bot = allowed(asked.bot)
    return answers.done_answer(lobby.fill(call.authority, call.table, call.known.id, bot))


def leave(call: ApiRequest, asked: api.Own) -> None:
    """A seat is left before the start; the table goes with the last who sits there."""
    lobby.leave(call.authority, call.table, call.known.id, call.seat(asked.seat))


def decide(call: ApiRequest, asked: api.Deciding) -> api.Done:
    """What the program decides is played."""
    seat, wanted = call.eyes(asked.seat), split_steps(asked.do)
    if seat is None:
        raise Forbidden(say("You have no seat at this table."))
    if not wanted:
        raise BadInput(say("Nothing was chosen."))
    live = decisions.act(
        call.authority, call.table, call.known.id, seat, asked.ply, wanted, call.client
    )
    return answers.done_answer(live, seat)


def chat(call: ApiRequest, asked: api.Talking) -> api.Done:
    """A line of chat."""
    live = chat_commands.post_message(
        call.authority, call.table, call.known.id, asked.text, call.client, asked.seat
    )
    return answers.done_answer(live)


def take(call: ApiRequest, asked: api.Own) -> api.Done:
    """A seat that a bot plays meanwhile is the program's again."""
    seat = call.seat(asked.seat)
    return answers.done_answer(
        seats.relieve_bot(call.authority, call.table, call.known.id, seat), seat
    )


def resign(call: ApiRequest, asked: api.Own) -> api.Done:
    """A match is given up."""
    seat = call.seat(asked.seat)
    return answers.done_answer(seats.resign(call.authority, call.table, call.known.id, seat), seat)


def rematch(call: ApiRequest, asked: api.Empty) -> api.Done:
    """The same players again."""
    return answers.done_answer(lobby.rematch(call.authority, call.table, call.known.id))


def download(call: ApiRequest, asked: api.Looking) -> Response:
    """The match file; of a running match what the seat may know."""
    viewer = answers.viewed_model(call, asked.seat).viewpoint.viewer
    return matchfile(call.live, call.authority.export(call.live, viewer))
