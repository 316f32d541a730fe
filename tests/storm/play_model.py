"""What the commands during a game do to a table in the model; see `lobby_model`.

The plies that a command leads to are put into `fresh`, as (kind, seat, text, to, by); the model
plays them afterwards.
"""

from typing import TYPE_CHECKING, Any

from diablerie.engine.plies import NEWCOMER, Ply, PlyKind, all_others
from diablerie.engine.replay import forbids_take_back
from diablerie.table.errors import (
    Forbidden,
    IllegalMove,
    NotFound,
    Repeated,
    Stale,
    WrongTime,
)
from diablerie.table.state.nonce_exchange import PROMISED_PLEDGE
from diablerie.table.state.table_state import (
    BOT,
    FINISHED_TABLE,
    OPEN_TABLE,
    PERSON,
    RUNNING,
    TableSeat,
)
from tests.storm.ledger import Violated
from tests.storm.seats_model import Refusal, Table

if TYPE_CHECKING:
    from tests.storm.table_model import TableModel

MOST = 64  # decisions in a row when somebody's time is over
KNOWN = 10.0  # seconds after which all nodes know who is here, when nothing has failed
EARLY = (
    26.0  # seconds by which a turn clock may be wrong: commits fail for 22 at most, then a sweep
)
MOVE = PlyKind.MOVE


def _move(seat: int, text: str) -> Any:
    return MOVE, seat, text, 0, ""


def _note(kind: PlyKind, seat: int, to: int = 0, by: str = "") -> Any:
    return kind, seat, "", to, by


def decide(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Decide; on an old page only if nothing but secret decisions of others lie between."""
    ply, do, seat = command.args
    texts = do.split("; ")
    why = t.foreign(command.who, seat)
    if not why and t.status == RUNNING and seat in t.resigned:
        return WrongTime
    why = (
        why
        or t.may_not_decide(command.who, seat)
        or (WrongTime if t.status == OPEN_TABLE else None)
    )
    if why:
        return why
    now = len(t.plies)
    if not (t.plies[-1].since <= ply <= now and (seat in t.pending or ply == now)):
        own = (k for k in range(max(1, ply), now) if t.plies[k].seat == seat and t.plies[k].events)
        k = next(own, 0)
        again = k > 0 and t.plies[k - 1].since <= ply
        return Repeated if again and t.plies[k].events[0].text == texts[0] else Stale
    assert t.match is not None
    if t.status == FINISHED_TABLE or seat not in t.pending or texts[0] not in t.match.legal(seat):
        return IllegalMove
    t.fresh = [_move(seat, text) for text in texts]
    return None


def bot_acts(model: "TableModel", t: Table, fresh: list[Ply]) -> None:
    """The bot of a seat that is to decide has decided."""
    seat = fresh[0].seat if fresh else -1
    driven = seat in t.pending and (t.chairs[seat].kind == BOT or t.chairs[seat].stand_in)
    if not driven or fresh[0].kind is not MOVE:
        raise Violated("bots decide where they are due, once", t.id, (t.pending, fresh))
    t.fresh = [_move(seat, fresh[0].events[0].text)]


def time_is_over(model: "TableModel", t: Table, fresh: list[Ply]) -> None:
    """A bot decides for a seat whose time is over, until somebody else is to decide."""
    if not fresh or fresh[0].kind is not PlyKind.DEADLINE:
        raise Violated("only deadlines are watched there", t.id, fresh)
    seat = fresh[0].seat
    chair = t.chairs[seat]
    waited = model.world.timeline.passed - chair.asked
    if seat not in t.pending or chair.asked < 0 or not t.pace or waited < t.pace - EARLY:
        raise Violated("nobody's time is over early", t.id, (seat, waited))
    assert t.match is not None
    t.fresh, trial = [_note(PlyKind.DEADLINE, seat)], t.match.copy()
    trial.note(PlyKind.DEADLINE, seat)  # which takes an index of the dice
    for ply in fresh[1 : 1 + MOST]:
        if (
            ply.kind is not MOVE
            or ply.seat != seat
            or (trial.pending != [seat] and len(t.fresh) > 1)
        ):
            break
        trial.play(ply.events[0].text, seat)
        t.fresh.append(_move(seat, ply.events[0].text))
    if trial.pending == [seat] and len(t.fresh) <= MOST:
        raise Violated("a bot decides until somebody else is to decide", t.id, fresh)


def take_back(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Take the last decision back at once."""
    ply, seat = command.args
    if why := t.may_not_decide(command.who, seat):
        return why
    alone, since = t.people == 1, t.plies[max(0, ply) :]
    if since and (not alone or any(one.kind is not MOVE for one in since)):
        return Stale
    if t.status != RUNNING or t.match is None:
        return WrongTime
    goal = t.goal(seat)
    drawn = any(len(one.events) > 1 for one in t.plies[max(0, goal) :])
    if goal < 0 or (not alone and (drawn or forbids_take_back(t.match, seat, goal))):
        return WrongTime
    t.request, t.fresh = None, [_note(PlyKind.TAKE_BACK, seat, goal)]
    return None


def request_take_back(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Ask all others, whom no bot may stand for; where only bots have to agree, it is done."""
    (seat,) = command.args
    if why := t.may_not_decide(command.who, seat):
        return why
    if t.request and t.request[0] != seat:
        return WrongTime
    if not t.request and (t.status != RUNNING or t.goal(seat) < 0):
        return WrongTime
    request = t.request or (seat, t.goal(seat), set())
    if any(t.chairs[other].stand_in for other in t.outstanding(seat, request[2])):
        return WrongTime
    t.request = request
    _agreed(t)
    return None


def answer_take_back(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Agree or refuse; who asked withdraws by refusing."""
    seat, agree = command.args
    if why := t.may_not_decide(command.who, seat):
        return why
    if t.request is None or t.status != RUNNING or (agree and seat == t.request[0]):
        return WrongTime
    if not agree:
        t.request = None
        return None
    t.request = *t.request[:2], {*t.request[2], seat}
    _agreed(t)
    return None


def _agreed(t: Table) -> None:
    assert t.request is not None
    seat, goal, agreed = t.request
    if not t.outstanding(seat, agreed):
        by = all_others(len(t.chairs), seat)
        t.request, t.fresh = None, [_note(PlyKind.TAKE_BACK, seat, goal, by)]


def resign(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Give up; where others play on, a bot takes the seat."""
    (seat,) = command.args
    why = t.foreign(command.who, seat) or t.unless(RUNNING)
    why = why or (WrongTime if seat in t.resigned else None)
    if not why:
        assert t.match is not None
        t.fresh, trial = [_note(PlyKind.RESIGN, seat)], t.match.copy()
        trial.note(PlyKind.RESIGN, seat)
        t.chairs[seat].stand_in = t.chairs[seat].stand_in or not trial.over
    return why


def hand_over(model: "TableModel", t: Table, command: Any) -> Refusal:
    """A bot plays for a seat from now on."""
    (seat,) = command.args
    why = t.foreign(command.who, seat) or t.unless(RUNNING)
    if not why and not t.chairs[seat].stand_in:
        _stands_in(t, seat)
    return why


def give_to_bot(model: "TableModel", t: Table, command: Any) -> Refusal:
    """A bot plays for somebody who is away; whether they are is looked at in `presence`."""
    (seat,) = command.args
    why = t.stranger(command.who) or (None if t.status == RUNNING else Forbidden)
    if why or seat >= len(t.chairs):
        return why or NotFound
    chair = t.chairs[seat]
    if chair.kind != PERSON or chair.stand_in:
        why = WrongTime
    troubled = model.world.last_trouble > model.world.timeline.passed - KNOWN
    if not why and not troubled and model.world.is_here(t.id, chair.owner, KNOWN):
        why = WrongTime
    if not why:
        _stands_in(t, seat)
    return why


def relieve_bot(model: "TableModel", t: Table, command: Any) -> Refusal:
    """The player of a seat is back."""
    (seat,) = command.args
    why = t.foreign(command.who, seat) or (WrongTime if seat in t.resigned else None)
    if not why and t.chairs[seat].stand_in:
        t.chairs[seat].stand_in = False
        if t.status == RUNNING:
            t.fresh = [_note(PlyKind.HAND_OVER, seat)]
    return why


def ask_seat(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Somebody who has no seat asks for a bot's."""
    (seat,) = command.args
    bots = [k for k, c in enumerate(t.chairs) if c.kind == BOT and c.wanted in (None, command.who)]
    if not _newcomer(t, command.who) or not bots:
        return WrongTime
    if seat is not None and seat >= len(t.chairs):
        return NotFound
    chosen = bots[0] if seat is None else seat
    if chosen not in bots:
        return WrongTime
    for chair in t.chairs:
        if chair.wanted == command.who:
            chair.unasked()
    chair = t.chairs[chosen]
    chair.wanted, chair.declined = command.who, None
    chair.pledge = PROMISED_PLEDGE * command.more["share"]
    return None


def answer_seat(model: "TableModel", t: Table, command: Any) -> Refusal:
    """The host agrees or not; who has asked withdraws."""
    seat, agree = command.args
    if seat >= len(t.chairs):
        return NotFound
    chair = t.chairs[seat]
    if not agree and chair.wanted == command.who:
        chair.unasked()
        return None
    if why := t.not_host(command.who):
        return why
    if chair.wanted is None:
        return WrongTime
    if not agree:
        chair.declined = chair.wanted
        chair.unasked()
        return None
    if not _newcomer(t, chair.wanted):
        return WrongTime
    chair.called = str(TableSeat(seat, BOT, bot=chair.bot).shown_as(chair.called))
    chair.kind, chair.owner, chair.bot = PERSON, chair.wanted, ""
    chair.wanted = chair.declined = None
    t.fresh = [_note(PlyKind.HAND_OVER, seat, by=NEWCOMER)]
    return None


def _newcomer(t: Table, who: str) -> bool:
    """Whether somebody may get a bot's seat: who has none and had none."""
    had = any(chair.moved_from == who for chair in t.chairs)
    return t.status == RUNNING and not t.seats_of(who) and not had


def _stands_in(t: Table, seat: int) -> None:
    t.chairs[seat].stand_in = True
    t.fresh = [_note(PlyKind.HAND_OVER, seat, by="sensible")]
