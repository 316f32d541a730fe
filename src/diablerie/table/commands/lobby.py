"""Before a match: open a table, take, leave and free seats, start; and open the next table."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from diablerie.bots.levels import USUAL
from diablerie.bots.spec import BadSpec, parse_bot
from diablerie.engine.fair import DiceStream
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.options import BadOption
from diablerie.engine.plies import resigned
from diablerie.engine.text import say
from diablerie.table.errors import BadInput, Forbidden, NotFound, WrongTime
from diablerie.table.state import nonce_exchange
from diablerie.table.state.nonce_exchange import (
    Phase,
    checked_pledge,
    emptied,
    unshared,
    unused,
)
from diablerie.table.state.table_state import (
    BOT,
    EMPTY,
    OPEN,
    OVER,
    PERSON,
    PLAYERS,
    RUNNING,
    TableSeat,
    TableState,
)
from diablerie.table.state.transitions import pending_after, start_from_plies
from diablerie.table.state.turn_clock import checked_pace as checked_pace
from diablerie.table.state.visitors import Visitor, chosen_name, fresh_id, skeleton, visible_name
from diablerie.table.storage import rows, schema
from diablerie.table.storage.store import Write
from diablerie.table.tables import Tables, own

HERE = "me"  # in a plan: this browser's seat


def open_table(
    tables: Tables,
    visitor: Visitor,
    game: str,
    plan: Sequence[str],
    *,
    options: Mapping[str, str] | None = None,
    names: Sequence[str] = (),
    public: bool = False,
    hints: bool = False,
    pace: int = 0,
    pledge: str = "",
    client: str = "",
    kind: str = PERSON,
    group: str = "",
    members: Mapping[int, int] | None = None,
) -> TableState:
    """Open a table, and start its match at once if no seat is open.

    `plan` says for each seat: "me" (this browser; several share the screen), "open", or a
    bot's spec such as "sensible". With `hints` its people may ask what a bot would do.
    After `pace` seconds a bot decides instead of a player, see turn_clock.py.
    With PROMISED as `pledge` this browser will send a nonce for the dice, see nonce_exchange.py.
    `kind` is what the visitor is, PERSON or PROGRAM. The match counts in the series of `group`
    (its id), whose `members` sit on these seats. Raises BadInput, TooMany.
    """
    tables.limits.take("tables", client)
    chosen, settled = _game(tables, game, len(plan), options or {})
    seats = tuple(
        _planned(i, what, names[i] if i < len(names) else "", visitor, pledge, kind)
        for i, what in enumerate(plan)
    )
    for one in seats:
        _told_apart(one, seats)
    live, key = _fresh(tables, chosen, settled, visitor, seats)
    placed = tuple(replace(one, member=(members or {}).get(one.seat, 0)) for one in live.seats)
    live = replace(live, public=public, hints=hints, pace=checked_pace(pace))
    live = replace(live, group=group, seats=placed)
    tables.store.commit(rows.created(live, key))
    return tables.change(live.id, tables.started)


def _game(
    tables: Tables, name: str, seats: int, options: Mapping[str, str]
) -> tuple[Game, dict[str, Any]]:
    game = tables.game(name)
    try:
        return game, game.settled(seats, options)
    except BadOption as error:
        raise BadInput(error.line) from error


def _fresh(
    tables: Tables,
    game: Game,
    options: Mapping[str, object],
    host: Visitor,
    seats: tuple[TableSeat, ...],
) -> tuple[TableState, bytes]:
    stream, now = DiceStream.fresh(), tables.clock()
    live = TableState(fresh_id(), game, options, OPEN, False, host, stream.commitment, now, seats)
    return live, stream.key


def sit(
    tables: Tables,
    table: str,
    visitor: Visitor,
    seat: int | None = None,
    name: str = "",
    pledge: str = "",
    kind: str = PERSON,
    member: int = 0,
) -> TableState:
    """Take an open seat (None: the first). The match starts when the last is taken.

    At a group's table it is for a `member` of it; without one, for the only one at this browser.

    `pledge` is the hash of a nonce, PROMISED if one will come, see nonce_exchange.py. Raises
    WrongTime, BadInput.
    """

    def step(live: TableState) -> TableState:
        free = [info.seat for info in live.seats if info.kind == EMPTY]
        if not free or live.status != OPEN:
            raise WrongTime(say("All seats are taken."))
        chosen = free[0] if seat is None else seat
        if chosen not in free:
            raise WrongTime(say("This seat is taken."))
        who, called = _member(tables, live, visitor, member)
        seated = _person(chosen, name or called, visitor, unused(live, pledge), kind)
        _told_apart(seated, live.seats)
        return tables.reseated(live, replace(seated, member=who))

    return tables.change(table, step)


def _member(tables: Tables, live: TableState, visitor: Visitor, member: int) -> tuple[int, str]:
    """The member of the table's group who sits down, and what they are called; 0 and "" if none."""
    there = {info.member for info in live.seats}
    known = tables.store.members_at(live.group, visitor) if live.group else {}
    free = {number: name for number, name in known.items() if number not in there}
    if member and member not in free:
        raise WrongTime(say("This person already plays here, or does not belong to this device."))
    if not member and len(free) == 1:
        (member,) = free
    return (member, free[member]) if member else (0, "")


def leave(tables: Tables, table: str, visitor: Visitor, seat: int) -> None:
    """Leave a seat before the start; a table that the last person leaves is removed.

    Raises Forbidden, WrongTime.
    """
    fresh = DiceStream.fresh()

    def step(live: TableState) -> TableState | None:
        own(live, visitor, seat)
        if live.status != OPEN:
            raise WrongTime(say("The game has begun. It waits for you, or a bot plays on."))
        if all(s.kind not in PLAYERS or s.seat == seat for s in live.seats):
            return None
        return emptied(live, seat, fresh.commitment)

    tables.change(table, step, lambda live: rows.rekeyed(live, fresh))


def share(
    tables: Tables,
    table: str,
    visitor: Visitor,
    hashes: Mapping[int, str],
    nonces: Mapping[int, str],
) -> TableState:
    """Add hashes or nonces of own seats; with the last of them the match starts.

    Raises Forbidden, BadInput, WrongTime.
    """

    def step(live: TableState) -> TableState:
        return tables.started(nonce_exchange.sent(live, visitor, hashes, nonces))

    return tables.change(table, step)


def begin(tables: Tables, table: str, visitor: Visitor) -> TableState:
    """Start without the hashes or nonces that do not come. Raises Forbidden, WrongTime."""

    def step(live: TableState) -> TableState:
        showing = nonce_exchange.phase(live) is Phase.NONCES
        here = [one.here for one in tables.attendance.of(live)]
        live = nonce_exchange.without(live, visitor, tables.clock(), here)
        return tables.started(live, waiting=not showing)

    return tables.change(table, step)


def fill(tables: Tables, table: str, visitor: Visitor, bot: str = "sensible") -> TableState:
    """Fill the open seats of one's own table with bots, which starts the match.

    Raises Forbidden, WrongTime, BadInput.
    """
    spec = bot_spec(bot)

    def step(live: TableState) -> TableState:
        if visitor != live.host:
            raise Forbidden(say("Only the person who opened the table may fill it."))
        if live.status != OPEN:
            raise WrongTime(say("The game has begun."))
        free = [info.seat for info in live.seats if info.kind == EMPTY]
        return tables.reseated(live, *(_bot(i, spec) for i in free))

    return tables.change(table, step)


def rename(tables: Tables, table: str, visitor: Visitor, seat: int, name: str) -> TableState:
    """Change the name of an own seat's player; "" removes it. Raises BadInput, Forbidden."""
    chosen = chosen_name(name)

    def step(live: TableState) -> TableState:
        renamed = replace(own(live, visitor, seat), name=chosen)
        _told_apart(renamed, live.seats)
        return tables.reseated(live, renamed)

    return tables.change(table, step)


def rematch(tables: Tables, table: str, visitor: Visitor, client: str = "") -> TableState:
    """Open another table for the same players. Asked twice, it is the same table, unless removed.

    Only a table that is made counts for the client's limit. Raises Forbidden, WrongTime, TooMany.
    """
    writes = list[Write]()

    def step(live: TableState) -> TableState:
        if not live.seats_of(visitor):
            raise Forbidden(say("Only the players may ask for another game."))
        if live.status != OVER:
            raise WrongTime(say("This game is not over yet."))
        if rematch_of(tables, live):
            return live
        tables.limits.take("tables", client)
        fresh, key = _next(tables, live)
        writes[:] = rows.created(fresh, key)
        return replace(live, rematch=fresh.id)

    next_table = tables.change(table, step, lambda _: writes).rematch
    return tables.change(next_table, tables.started)


def rematch_of(tables: Tables, live: TableState) -> str:
    """The table where these players go on; "" if there is none (any more). Raises Unavailable."""
    return live.rematch if live.rematch and tables.store.stamps([live.rematch]) else ""


def _next(tables: Tables, old: TableState) -> tuple[TableState, bytes]:
    """Another table for the players of this one as it stands, and its key."""
    seats = _still_there(tables, old)
    fresh, key = _fresh(tables, old.game, old.options, old.host, seats)
    return replace(fresh, public=old.public, hints=old.hints, pace=old.pace, group=old.group), key


def _still_there(tables: Tables, old: TableState) -> tuple[TableSeat, ...]:
    """The seats for another game; those of people who were removed from the group are open."""
    known = {row.member for row in tables.store.rows(schema.members, "group_id", old.group)}
    return tuple(
        TableSeat(info.seat) if info.member and info.member not in known else _again(info)
        for info in old.seats
    )


def explore(
    tables: Tables,
    table: str,
    visitor: Visitor,
    step: int,
    seat: int | None = None,
    bot: str = "",
    client: str = "",
) -> TableState:
    """Open a table that goes on from a finished match after its first `step` plies.

    The visitor plays `seat` (None: who is to decide there) and bots all others, `bot` or, if that
    is "", those of the match, and usual ones in place of its people; chance is drawn anew. Raises
    WrongTime where there is nothing to play, and for a seat that has resigned by then, BadInput for
    a seat or bot there is not.
    """
    tables.limits.take("tables", client)
    old, spec = tables.live(table), bot and bot_spec(bot)
    if old.status != OVER or not 1 <= step <= old.ply:
        raise WrongTime(say("You can play on from any step of a finished match."))
    if seat is not None and seat not in range(len(old.seats)):
        raise BadInput(say("There is no such seat."))
    assert old.match is not None
    bots = [spec or info.driver or USUAL.name for info in old.seats]
    return go_on(tables, visitor, old.match, step, seat, bots, old.id)


def go_on(
    tables: Tables,
    visitor: Visitor,
    past: Match,
    step: int,
    seat: int | None,
    bots: Sequence[str],
    origin: str = "",
) -> TableState:
    """Open a table that goes on from a match after its first `step` plies; chance is drawn anew.

    The visitor plays `seat` (None: who is to decide there), and `bots` has for each seat the bot
    that plays it otherwise. `origin` is the table of the match, "" if it comes from elsewhere.
    Raises WrongTime.
    """
    pending = pending_after(past, step)
    if not pending:
        raise WrongTime(say("The game is over after this step: go back to an earlier one."))
    gone = resigned(past.plies[:step])
    if seat in gone:
        raise WrongTime(say("The player on this seat has resigned: a bot plays on to the end."))
    asked = (*pending, *range(past.seats))
    mine = next(one for one in asked if one not in gone) if seat is None else seat
    seats = tuple(
        _person(i, "", visitor) if i == mine else _bot(i, bot) for i, bot in enumerate(bots)
    )
    fresh, key = _fresh(tables, past.game, past.options, visitor, seats)
    fresh = replace(fresh, status=RUNNING, hints=True, origin=origin, taken=step)
    begun = start_from_plies(fresh, key, past.plies[:step], tables.clock())
    writes = [*rows.created(begun, key), *rows.difference(fresh, begun)]
    tables.store.commit([*writes, *tables.node.job_writes(None, begun)])
    live = tables.live(fresh.id)
    tables.tell(live)
    return live


def publish(tables: Tables, table: str, visitor: Visitor, public: bool) -> TableState:
    """Let anybody find the table, or only those who have its link. Raises Forbidden."""

    def step(live: TableState) -> TableState:
        _hosted(live, visitor)
        return live if live.public == public else replace(live, public=public)

    return tables.change(table, step)


def free(tables: Tables, table: str, visitor: Visitor, seat: int) -> TableState:
    """Free the seat of another before the start. Raises Forbidden, WrongTime, NotFound."""
    fresh = DiceStream.fresh()

    def step(live: TableState) -> TableState:
        _hosted(live, visitor)
        if live.status != OPEN:
            raise WrongTime(say("The game has begun."))
        if seat not in range(len(live.seats)) or live.seats[seat].kind == EMPTY:
            raise NotFound(say("Nobody sits there."))
        if live.seats[seat].owner == visitor:
            raise WrongTime(say("This is your own seat: leave it instead."))
        return emptied(live, seat, fresh.commitment)

    return tables.change(table, step, lambda live: rows.rekeyed(live, fresh))


def _hosted(live: TableState, visitor: Visitor) -> None:
    if visitor != live.host:
        raise Forbidden(say("Only the person who opened the table may do that."))


def bot_spec(text: str) -> str:
    """A bot's spec, checked. Raises BadInput."""
    try:
        parse_bot(text)
    except BadSpec as error:
        raise BadInput(error.line) from error
    return text.strip()


def _planned(
    seat: int, what: str, name: str, visitor: Visitor, pledge: str, kind: str
) -> TableSeat:
    if what == EMPTY:
        return TableSeat(seat)
    if what == HERE:
        return _person(seat, name, visitor, pledge, kind)
    return _bot(seat, bot_spec(what), name)


def _person(
    seat: int, name: str, visitor: Visitor, pledge: str = "", kind: str = PERSON
) -> TableSeat:
    return TableSeat(seat, kind, chosen_name(name), visitor, pledge=checked_pledge(pledge))


def _told_apart(info: TableSeat, seats: Sequence[TableSeat]) -> None:
    """Raises BadInput if another seat's name differs from this one's only in what nobody sees."""
    alike = {one.name for one in seats if skeleton(one.name) == skeleton(info.name)}
    if alike - {info.name, seats[info.seat].name}:
        raise BadInput(say("Somebody here has a name that looks the same: choose another one."))


def _bot(seat: int, spec: str, name: str = "") -> TableSeat:
    return TableSeat(seat, BOT, visible_name(name), None, spec)


def _again(info: TableSeat) -> TableSeat:
    # Its personal link stays with the old table: no two seats may have the same one.
    return replace(unshared(info), stand_in="", link=None)
