"""The nonces that players add to the dice of their match (commit-reveal): first hashes, then nonces.

    promised   the seat's browser has a script, and will send the hash of a nonce
    pledged    its hash is in; when all are, they are fixed, and browsers show their nonces
    shown      its nonce is in; when all are, the match starts

A browser that sends neither, because it has no script or is gone, gets a nonce derived from the key
that the table is committed to. A table waits NONCE_GRACE_SECONDS for those who promised, GRACE_HERE
if one of them has the page open; then any of its people may start it without them. The match file
names both kinds: a nonce that was pledged and not shown, because not to show it is a choice between
two dice; and a hash that came late, because whoever knows the key and held it up could choose.

A player who leaves when the hashes are fixed may have seen others' nonces. So that start is
aborted: the table takes a new key, everybody has to promise a new nonce, and the file counts it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

from diablerie.engine import fair
from diablerie.engine.fair import Aborted, DiceStream
from diablerie.engine.text import say
from diablerie.table.errors import BadInput, Forbidden, WrongTime
from diablerie.table.state.table_state import DECIDERS, OPEN_TABLE, TableSeat, TableState
from diablerie.table.state.visitors import Visitor

PROMISED_PLEDGE = "?"  # `TableSeat.pledge` of a seat whose hash will come
LATE_PLEDGE = "!"  # and of one whose hash had not come when the others began
NONCE_GRACE_SECONDS = 6.0
GRACE_HERE = 30.0  # seconds
HASH = re.compile(r"[0-9a-f]{64}")
LONGEST_NONCE = 64  # characters of a nonce
ABORTED_STARTS_KEPT = 16  # of the starts that were aborted: the last, with their hashes


class Phase(StrEnum):
    """What a table whose seats are all taken waits for."""

    PLEDGES = "pledges"
    NONCES = "nonces"
    NOTHING = ""


def phase(live: TableState) -> Phase:
    """What a full table waits for before its match starts."""
    waiting = awaited(live)
    if not waiting:
        return Phase.NOTHING
    return Phase.PLEDGES if live.seats[waiting[0]].pledge == PROMISED_PLEDGE else Phase.NONCES


def promised_hash(info: TableSeat) -> str:
    """The hash by which a seat's nonce was promised; "" if none has come."""
    return "" if info.pledge in (PROMISED_PLEDGE, LATE_PLEDGE) else info.pledge


def fixed(live: TableState) -> bool:
    """Whether the hashes of an open table are all in: then nonces may have been shown."""
    waits = not live.free and live.status == OPEN_TABLE
    return waits and any(map(promised_hash, live.seats)) and phase(live) is not Phase.PLEDGES


def unused(live: TableState, pledge: str) -> str:
    """Check that nobody has sent this hash at this table before. Raises BadInput.

    A hash that was sent before may belong to a nonce that others have seen.
    """
    old = {info.pledge for info in live.seats}
    for start in live.earlier:
        old.update(start.hashes)
    if pledge in old:
        raise BadInput(say("This hash was sent here before: send a new nonce."))
    return pledge


def awaited(live: TableState) -> list[int]:
    """The seats for which something is to come in this phase."""
    if live.free or live.status != OPEN_TABLE:
        return []
    promised = [info.seat for info in live.seats if info.pledge == PROMISED_PLEDGE]
    return promised or [i.seat for i in live.seats if promised_hash(i) and not i.nonce]


def asked(live: TableState, visitor: Visitor | None) -> list[int]:
    """The seats for which this browser is to send something in this phase."""
    own = live.seats_of(visitor)
    return [seat for seat in awaited(live) if seat in own]


def sent(
    live: TableState, visitor: Visitor, hashes: Mapping[int, str], nonces: Mapping[int, str]
) -> TableState:
    """The table with hashes and nonces of own seats, each where it is still to come.

    Nonces come with the last hashes or later. Raises Forbidden, BadInput, WrongTime.
    """
    own = live.seats_of(visitor)
    if not set(own) >= {*hashes, *nonces}:
        raise Forbidden(say("This is not your seat."))
    seats = list(live.seats)
    for seat, given in hashes.items():
        # Who comes after the start has promised one, too: for rematches.
        if live.status != OPEN_TABLE or seats[seat].pledge != PROMISED_PLEDGE:
            raise WrongTime(say("The hash of this seat can no longer be changed."))
        if not HASH.fullmatch(given):
            raise BadInput(say("A hash has 64 hex digits (SHA-256, lower case)."))
        pledge = unused(replace(live, seats=tuple(seats)), given)
        seats[seat] = replace(seats[seat], pledge=pledge)
    before = phase(live)
    live = replace(live, seats=tuple(seats))
    if phase(live) is not before:
        live = replace(live, waits=0.0)  # it waits anew
    if not nonces:
        return live
    if phase(live) is not Phase.NONCES:
        raise WrongTime(say("Nonces are revealed when all hashes have arrived."))
    for seat, nonce in nonces.items():
        if len(nonce) > LONGEST_NONCE or fair.pledge(nonce) != seats[seat].pledge:
            raise BadInput(say("This nonce is not the one whose hash was sent."))
        seats[seat] = replace(seats[seat], nonce=nonce)
    return replace(live, seats=tuple(seats))


def grace(live: TableState, here: Sequence[bool]) -> float:
    """For how many seconds a table waits; `here` says by seat whose page is open."""
    return GRACE_HERE if any(here[seat] for seat in awaited(live)) else NONCE_GRACE_SECONDS


def waited(live: TableState, now: float, here: Sequence[bool]) -> bool:
    """Whether a table has waited for hashes or nonces long enough. `now` is Unix time."""
    return bool(live.waits) and now - live.waits >= grace(live, here)


def without(
    live: TableState, visitor: Visitor | None, now: float, here: Sequence[bool]
) -> TableState:
    """The table, no longer waiting for hashes; in the phase of nonces as it is.

    Raises Forbidden, WrongTime.
    """
    if not live.seats_of(visitor):
        raise Forbidden(say("Only the players may begin."))
    if phase(live) is Phase.NOTHING or not waited(live, now, here):
        raise WrongTime(say("The game is not waiting, or has not waited long enough."))
    if phase(live) is Phase.NONCES:
        return live
    seats = tuple(
        replace(i, pledge=LATE_PLEDGE) if i.pledge == PROMISED_PLEDGE else i for i in live.seats
    )
    return replace(live, seats=seats, waits=0.0)


def unshared(info: TableSeat) -> TableSeat:
    """The seat without hash and nonce; PROMISED_PLEDGE if its browser had promised one before."""
    promised = PROMISED_PLEDGE if info.pledge and info.kind in DECIDERS else ""
    return replace(info, pledge=promised, nonce="", called="", label="")


def forget_nonce_of_moved_seat(live: TableState, info: TableSeat) -> TableSeat:
    """The seat after it moved to another browser, which does not know its nonce.

    The nonce stays as soon as others may have shown theirs.
    """
    return info if live.status != OPEN_TABLE or fixed(live) else unshared(info)


def emptied(live: TableState, seat: int, commitment: str) -> TableState:
    """The open table with a seat free again; all seats are asked for new nonces.

    If the hashes were fixed the start is aborted, and the table has this new commitment.
    """
    seats = tuple(TableSeat(i.seat) if i.seat == seat else unshared(i) for i in live.seats)
    after = replace(live, seats=seats, waits=0.0)
    if not fixed(live):
        return after
    start = Aborted(live.commitment, tuple(map(promised_hash, live.seats)))
    earlier = (*live.earlier, start)[-ABORTED_STARTS_KEPT:]
    return replace(after, commitment=commitment, aborted=live.aborted + 1, earlier=earlier)


def settled(live: TableState, key: bytes) -> TableState:
    """The table as its match starts: every seat has a nonce, and a label bound to its name."""
    names = [str(live.name(info.seat)) for info in live.seats]
    stream = DiceStream.agreed(
        key, [i.nonce for i in live.seats], [*map(promised_hash, live.seats)], names
    )
    seats = tuple(
        replace(info, nonce=nonce, called=info.name, label=label)
        for info, nonce, label in zip(live.seats, stream.nonces, stream.labels, strict=True)
    )
    return replace(live, seats=seats, waits=0.0)


def dice_stream(
    key: bytes,
    seats: Sequence[TableSeat],
    aborted: int = 0,
    earlier: tuple[Aborted, ...] = (),
    by_lines: bool = False,
) -> DiceStream:
    """The dice of a table's match; its seats are those of `settled`."""
    nonces = tuple(info.nonce for info in seats)
    pledges = tuple(map(promised_hash, seats))
    labels = tuple(info.label for info in seats)
    late = tuple(info.seat for info in seats if info.pledge == LATE_PLEDGE)
    return DiceStream(key, nonces, pledges, labels, aborted, earlier, late, by_lines)


def seat_names(live: TableState) -> list[str]:
    """The names of the seats in the match file: as the match started, "" where deleted since."""
    names = [(info, str(info.shown_as(info.called))) for info in live.seats]
    return [name if fair.label(info.nonce, name) == info.label else "" for info, name in names]
