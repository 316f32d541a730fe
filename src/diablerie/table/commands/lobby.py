"""Before a match: open a table, take, leave and free seats, start; and delete tables and names."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from diablerie.api import (
    Empty,
    Filling,
    Frozen,
    Operations,
    Other,
    Own,
    Publishing,
    Renaming,
    Screening,
    Sitting,
)
from diablerie.bots import levels
from diablerie.bots.spec import BadSpec, parse_bot
from diablerie.engine.fair import DiceStream
from diablerie.engine.game import Game
from diablerie.engine.options import BadOption
from diablerie.engine.text import Line, nameless, say
from diablerie.engine.verbs import WATCHER
from diablerie.table.commands.command import Asker, change, command, site_command, step_command
from diablerie.table.errors import (
    BadInput,
    NotFound,
    UnreadableTable,
    WrongTime,
)
from diablerie.table.state import nonce_exchange
from diablerie.table.state.nonce_exchange import (
    PROMISED_PLEDGE,
    Phase,
    emptied,
)
from diablerie.table.state.table_state import (
    BOT,
    DECIDERS,
    OPEN_SEAT,
    OPEN_TABLE,
    TableSeat,
    TableState,
    reseated,
)
from diablerie.table.state.turn_clock import checked_pace as checked_pace
from diablerie.table.state.visitors import (
    Visitor,
    chosen_name,
    fresh_id,
    numbered,
    skeleton,
    visible_name,
)
from diablerie.table.storage import rows
from diablerie.table.tables import Tables

BOT_COMPANY = {level.name: level.company for level in levels.LEVELS}
STYLE_COMPANY = {style.name: style.company for style in levels.STYLES}
ALLOWED = (
    *BOT_COMPANY,
    *STYLE_COMPANY,
    "sensible",
    "random",
)  # no other settings: thinking time costs the server
USUAL_BOT = levels.USUAL_LEVEL.name  # the bot if a form names none
HERE = "me"  # in a plan: this browser's seat


def company(game: Game) -> Mapping[str, Line]:
    """The bots to choose from for a game: the levels, and the styles if the game has any."""
    return BOT_COMPANY | STYLE_COMPANY if any(game.daring) else BOT_COMPANY


def allowed(name: str) -> str:
    """The name of a bot, if a form may ask for it. Raises BadInput for others."""
    if not name.strip():
        raise BadInput(nameless(ALLOWED))
    if name not in ALLOWED:
        raise BadInput(
            say(
                "There is no bot “{text}” here; there are {names}.",
                text=name[:40],
                names=", ".join(ALLOWED),
            )
        )
    return name


# -- lobby -------------------------------------------------------------------------------------


class TableOpening(Frozen):
    """Open a table, and start its match at once if no seat is open.

    plan: for each seat "me" (this browser; several share the screen), "open", or a bot's spec such
    as "sensible"; names: of the seats, "" for none; hints: whether its people may ask what a bot
    would do; pace: after so many seconds a bot decides instead of a player, see turn_clock.py;
    share: this browser will send a nonce for the dice, see nonce_exchange.py; screen: a device in
    the middle shows the board, see `screen`. The match counts in the series of `group` (its id),
    whose `members` sit on these seats.
    """

    game: str
    plan: Sequence[str]
    options: Mapping[str, str] = {}
    names: Sequence[str] = ()
    public: bool = False
    hints: bool = False
    pace: int = 0
    share: bool = False
    screen: bool = False
    group: str = ""
    members: Mapping[int, int] = {}


@site_command(TableOpening)
def open_table(asker: Asker, asked: TableOpening) -> TableState:
    """Open a table; see `TableOpening`. Raises BadInput, TooMany."""
    asker.count("tables")
    tables = asker.tables
    game = tables.game(asked.game)
    options = checked_options(game, len(asked.plan), asked.options)
    pace = checked_pace(asked.pace)
    live, key = fresh_table(tables, game, options, asker.known, _planned_seats(asker, asked))
    live = replace(
        live,
        public=asked.public,
        hints=asked.hints,
        pace=pace,
        group=asked.group,
        screen=asked.screen,
    )
    tables.store.commit(*rows.created(live, key))
    return begun(tables, live.id)


def checked_options(game: Game, seats: int, options: Mapping[str, str]) -> dict[str, object]:
    """All options of a match of so many seats, the usual ones where none are named. Raises BadInput."""
    try:
        return game.settled(seats, options)
    except BadOption as error:
        raise BadInput(error.line) from error


def _planned_seats(asker: Asker, asked: TableOpening) -> tuple[TableSeat, ...]:
    """Who sits where, by the plan. Raises BadInput."""
    seats = list[TableSeat]()
    for number, what in enumerate(asked.plan):
        name = asked.names[number] if number < len(asked.names) else ""
        seat = _planned(asker, asked.share, number, what, name)
        # Only names of seats before it: of two that look the same, the first keeps its own.
        seat = distinct(seat, seats)
        seats.append(replace(seat, member=asked.members.get(number, 0)))
    return tuple(seats)


def fresh_table(
    tables: Tables,
    game: Game,
    options: Mapping[str, object],
    host: Visitor,
    seats: tuple[TableSeat, ...],
) -> tuple[TableState, bytes]:
    """An open table that is stored nowhere yet, and the secret key of its dice."""
    stream = DiceStream.fresh()
    now = tables.clock()
    live = TableState(
        fresh_id(), game, options, OPEN_TABLE, False, host, stream.commitment, now, seats
    )
    return live, stream.key


class MemberSitting(Sitting):
    """Take an open seat of a group's table for this member of the group."""

    member: int = 0


@command(Operations.sit)
def sit(live: TableState, asker: Asker, asked: Sitting) -> TableState:
    """Take an open seat (None: the first). The match starts when the last is taken.

    At a group's table it is for the member that `MemberSitting` names; without one, for the only
    one at this browser. Raises WrongTime, BadInput.
    """
    free = [info.seat for info in live.seats if info.kind == OPEN_SEAT]
    if not free or live.status != OPEN_TABLE:
        raise WrongTime(say("All seats are taken."))
    chosen = free[0] if asked.seat is None else asked.seat
    if chosen not in free:
        raise WrongTime(say("This seat is taken."))
    member = asked.member if isinstance(asked, MemberSitting) else 0
    who, called = _member(live, asker, member)
    seated = person_on(chosen, asked.name or called, asker, asked.share)
    return reseated(live, replace(distinct(seated, live.seats), member=who))


def _member(live: TableState, asker: Asker, member: int) -> tuple[int, str]:
    """The member of the table's group who sits down, and what they are called; 0 and "" if none."""
    there = {info.member for info in live.seats}
    store = asker.tables.store
    visitor = asker.visitor
    known = store.members_at(live.group, visitor) if live.group and visitor else {}
    free = {number: name for number, name in known.items() if number not in there}
    if member and member not in free:
        raise WrongTime(say("This person already plays here, or does not belong to this device."))
    if not member and len(free) == 1:
        (member,) = free
    return (member, free[member]) if member else (0, "")


@command(Operations.leave)
def leave(live: TableState, asker: Asker, asked: Own) -> TableState | None:
    """Leave a seat before the start; a table that the last person leaves is removed.

    Raises Forbidden, WrongTime.
    """
    seat = asker.own(live, asked.seat).seat
    if live.status != OPEN_TABLE:
        raise WrongTime(say("The game has begun. It waits for you, or a bot plays on."))
    if all(s.kind not in DECIDERS or s.seat == seat for s in live.seats):
        return None
    return _emptied(live, asker, seat)


@command(Operations.free)
def free(live: TableState, asker: Asker, asked: Other) -> TableState:
    """Free the seat of another before the start. Raises Forbidden, WrongTime, NotFound."""
    _before_start(live, asker)
    if asked.seat not in range(len(live.seats)) or live.seats[asked.seat].kind == OPEN_SEAT:
        raise NotFound(say("Nobody sits there."))
    if live.seats[asked.seat].owner == asker.visitor:
        raise WrongTime(say("This is your own seat: leave it instead."))
    return _emptied(live, asker, asked.seat)


def _emptied(live: TableState, asker: Asker, *seats: int) -> TableState:
    fresh = DiceStream.fresh()
    asker.more_writes = lambda after: rows.rekeyed(after, fresh)
    for seat in seats:
        live = emptied(live, seat, fresh.commitment)
    return live


def _before_start(live: TableState, asker: Asker) -> None:
    """Raise Forbidden unless the asker leads the table, WrongTime if its match has begun."""
    asker.leads(live)
    if live.status != OPEN_TABLE:
        raise WrongTime(say("The game has begun."))


class NonceShares(Frozen):
    """Hashes or nonces of own seats, by seat; see nonce_exchange.py."""

    hashes: Mapping[int, str]
    nonces: Mapping[int, str]


@step_command(NonceShares)
def share(live: TableState, asker: Asker, asked: NonceShares) -> TableState:
    """Add hashes or nonces of own seats; with the last of them the match starts.

    Raises Forbidden, BadInput, WrongTime.
    """
    return nonce_exchange.sent(live, asker.known, asked.hashes, asked.nonces)


@command(Operations.begin)
def begin(live: TableState, asker: Asker, asked: Empty) -> TableState:
    """Start without the hashes or nonces that do not come. Raises Forbidden, WrongTime."""
    showing = nonce_exchange.phase(live) is Phase.NONCES
    here = [one.here for one in asker.tables.attendance.of(live)]
    live = nonce_exchange.without(live, asker.visitor, asker.now, here)
    return asker.tables.started(live, waiting=not showing)


@command(Operations.fill)
def fill(live: TableState, asker: Asker, asked: Filling) -> TableState:
    """Begin with bots on the open seats of one's own table, or on `devils` of them.

    The other open seats are taken away, and who sits behind them moves up.

    Raises Forbidden, WrongTime, BadInput for a number of players that the game does not have.
    """
    spec = allowed(asked.bot)
    _before_start(live, asker)
    free = [info.seat for info in live.seats if info.kind == OPEN_SEAT]
    devils = len(free) if asked.devils is None else asked.devils
    if devils > len(free):
        raise BadInput(say("So many seats are not open."))
    filled = reseated(live, *(bot_on(i, spec) for i in free[:devils]))
    return _closed(filled, asker) if filled.free else filled


def _closed(live: TableState, asker: Asker) -> TableState:
    """The table without its open seats. Raises BadInput."""
    kept = [info for info in live.seats if info.kind != OPEN_SEAT]
    checked_options(live.game, len(kept), live.option_texts)
    # What was said from a seat that is taken away was said by somebody who has left it.
    place = dict.fromkeys(range(WATCHER, len(live.seats)), WATCHER)
    place |= {info.seat: number for number, info in enumerate(kept)}
    asker.more_writes = lambda after: rows.moved_up(after, place)
    seats = tuple(replace(info, seat=place[info.seat]) for info in kept)
    chat = tuple(said._replace(seat=place[said.seat]) for said in live.chat)
    return replace(live, seats=seats, chat=chat)


@command(Operations.publish)
def publish(live: TableState, asker: Asker, asked: Publishing) -> TableState:
    """Let anybody find the table, or only those who have its link. Raises Forbidden."""
    asker.hosts(live)
    return live if live.public == asked.public else replace(live, public=asked.public)


@command(Operations.screen)
def screen(live: TableState, asker: Asker, asked: Screening) -> TableState:
    """Say whether a screen in the middle shows the board for all. Raises Forbidden.

    It may be the asker's own device, which then has no seat (`here`); a match that has begun
    keeps its players.
    """
    asker.leads(live)
    mine = live.seats_of(asker.visitor) if asked.here and live.status == OPEN_TABLE else []
    return replace(_emptied(live, asker, *mine), screen=asked.on)


@command(Operations.rename)
def rename(live: TableState, asker: Asker, asked: Renaming) -> TableState:
    """Change the name of an own seat's player; "" removes it. Raises BadInput, Forbidden."""
    renamed = replace(asker.own(live, asked.seat), name=chosen_name(asked.name))
    return reseated(live, distinct(renamed, live.seats))


def begun(tables: Tables, table: str) -> TableState:
    """A table that was just made, its match begun if it waits for nothing."""
    return change(Asker(tables, None, table), lambda live, _: live)


def bot_spec(text: str) -> str:
    """A bot's spec, checked. Raises BadInput."""
    try:
        parse_bot(text)
    except BadSpec as error:
        raise BadInput(error.line) from error
    return text.strip()


def _planned(asker: Asker, share: bool, seat: int, what: str, name: str) -> TableSeat:
    if what == OPEN_SEAT:
        return TableSeat(seat)
    if what == HERE:
        return person_on(seat, name, asker, share)
    return bot_on(seat, bot_spec(what), name)


def person_on(seat: int, name: str, asker: Asker, share: bool = False) -> TableSeat:
    """A seat taken by the asker, who with `share` has promised a nonce for the dice."""
    pledge = PROMISED_PLEDGE if share else ""
    return TableSeat(seat, asker.kind, chosen_name(name), asker.visitor, pledge=pledge)


def distinct(info: TableSeat, seats: Sequence[TableSeat]) -> TableSeat:
    """The seat, its name with a number if another seat has it.

    Raises BadInput if another seat's name differs from this one's only in what nobody sees.
    """
    others = [one.name for one in seats if one.seat != info.seat]
    called = numbered(info.name, others)
    if called == info.name and skeleton(called) in map(skeleton, filter(None, others)):
        raise BadInput(say("Somebody here has a name that looks the same: choose another one."))
    return replace(info, name=called)


def bot_on(seat: int, spec: str, name: str = "") -> TableSeat:
    """A seat taken by the bot of this spec."""
    return TableSeat(seat, BOT, visible_name(name), None, spec)


# -- what people may delete ------------------------------------------------------------------


@command(Operations.delete_table)
def delete_table(live: TableState, asker: Asker, asked: Empty) -> None:
    """Delete a table that the visitor has opened, and everything that is stored of it.

    Raises Forbidden for others, WrongTime while somebody else has a seat in a game begun, unless the
    table is in the asker's own browser alone.
    """
    asker.hosts(live)
    if asker.owns(live):
        return
    others = any(info.owner not in (None, asker.visitor) for info in live.seats)
    if others and live.status != OPEN_TABLE:
        raise WrongTime(say("Others play here too: you can only delete your name."))


def delete_names(tables: Tables, visitor: Visitor) -> int:
    """Delete every name that this browser has given itself; returns at how many tables."""
    named = tables.store.named(visitor)
    for table in named:
        with suppress(NotFound, UnreadableTable):
            change(Asker(tables, visitor, table), _nameless)
    return len(named)


def _nameless(live: TableState, asker: Asker) -> TableState:
    own = live.seats_of(asker.visitor)
    asked = [info for info in live.seats if info.wanted and info.wanted == asker.visitor]
    live = reseated(live, *(replace(info, wanted_name="") for info in asked))
    return reseated(live, *(replace(live.seats[seat], name="", called="") for seat in own))
