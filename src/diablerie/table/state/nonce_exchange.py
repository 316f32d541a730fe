"""The shares that people have in the dice of their match: hashes first, then nonces, then play.

    promised   the seat's browser has a script, and will send the hash of a nonce
    pledged    its hash is in; when all are, they are fixed, and browsers show their nonces
    shown      its nonce is in; when all are, the match starts

Whoever sends neither, having no script or being gone, gets a nonce that follows from the key that
the table was committed to: so the last nonce is nobody's choice. A table waits GRACE seconds for
those who promised, then any of its people may start it without them. A nonce that was pledged and
not shown is told in the file, for not to show it is a choice between two dice.

Who leaves when the hashes are fixed may have seen others' nonces. So that start is aborted: the
table takes a new key, everybody has to promise a new nonce, and the file counts it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

from diablerie.engine import fair
from diablerie.engine.fair import Aborted, DiceStream
from diablerie.engine.text import say
from diablerie.table.errors import BadInput, Forbidden, WrongTime
from diablerie.table.state.table_state import EMPTY, OPEN, PLAYERS, TableSeat, TableState
from diablerie.table.state.visitors import Visitor

AGREED = 2  # `TableState.fair` of tables whose seats have shares; 1 are those of 0.1
PROMISED = "?"  # `SeatInfo.pledge` of a seat whose hash will come
GRACE = 6.0  # seconds
HASH = re.compile(r"[0-9a-f]{64}")
LONGEST = 64  # characters of a nonce
REMEMBERED = 16  # of the starts that were aborted: the last, with their hashes


class Phase(StrEnum):
    """What a table whose seats are all taken waits for."""

    PLEDGES = "pledges"
    NONCES = "nonces"
    NOTHING = ""


def checked_pledge(pledge: str) -> str:
    """What somebody says of his nonce to come: a hash, PROMISED or "". Raises BadInput."""
    if pledge and pledge != PROMISED and not HASH.fullmatch(pledge):
        raise BadInput(say("A hash has 64 hex digits (SHA-256, lower case)."))
    return pledge


def phase(live: TableState) -> Phase:
    """What a table waits for, before its match."""
    full = all(info.kind != EMPTY for info in live.seats)
    if not full or live.status != OPEN or live.fair != AGREED:
        return Phase.NOTHING
    if any(info.pledge == PROMISED for info in live.seats):
        return Phase.PLEDGES
    if any(info.pledge and not info.nonce for info in live.seats):
        return Phase.NONCES
    return Phase.NOTHING


def fixed(live: TableState) -> bool:
    """Whether the hashes of an open table are all in: then nonces may have been shown."""
    pledges = [info.pledge for info in live.seats]
    full = all(info.kind != EMPTY for info in live.seats)
    waits = full and live.status == OPEN and live.fair == AGREED
    return waits and any(pledges) and PROMISED not in pledges


def unused(live: TableState, pledge: str) -> str:
    """A hash that nobody has sent at this table before. Raises BadInput for others.

    Who sends one again may promise a nonce that others have seen.
    """
    old = {promised for start in live.earlier for promised in start.hashes}
    if pledge in old.union(info.pledge for info in live.seats) and HASH.fullmatch(pledge):
        raise BadInput(say("This hash was sent here before: make a new nonce."))
    return pledge


def asked(live: TableState, visitor: Visitor | None) -> list[int]:
    """The seats for which this browser is to send something in this phase."""
    now, own = phase(live), live.seats_of(visitor)
    if now is Phase.PLEDGES:
        return [seat for seat in own if live.seats[seat].pledge == PROMISED]
    if now is Phase.NONCES:
        infos = (live.seats[seat] for seat in own)
        return [info.seat for info in infos if info.pledge and not info.nonce]
    return []


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
        if seats[seat].pledge != PROMISED:
            raise WrongTime(say("The hash of this seat is fixed."))
        if given == PROMISED or not checked_pledge(given):
            raise BadInput(say("A hash has 64 hex digits (SHA-256, lower case)."))
        pledge = unused(replace(live, seats=tuple(seats)), given)
        seats[seat] = replace(seats[seat], pledge=pledge)
    before, live = phase(live), replace(live, seats=tuple(seats))
    if phase(live) is not before:
        live = replace(live, waits=0.0)  # it waits anew
    if not nonces:
        return live
    if phase(live) is not Phase.NONCES:
        raise WrongTime(say("Nonces are shown when all hashes are in."))
    for seat, nonce in nonces.items():
        if len(nonce) > LONGEST or fair.pledge(nonce) != seats[seat].pledge:
            raise BadInput(say("This nonce is not the one whose hash was sent."))
        seats[seat] = replace(seats[seat], nonce=nonce)
    return replace(live, seats=tuple(seats))


def waited(live: TableState, now: float) -> bool:
    """Whether a table has waited long enough for what is to come."""
    return bool(live.waits) and now - live.waits >= GRACE


def without(live: TableState, visitor: Visitor, now: float) -> TableState:
    """The table, no longer waiting for hashes; in the phase of nonces as it is.

    Raises Forbidden, WrongTime.
    """
    if not live.seats_of(visitor):
        raise Forbidden(say("Only the players may begin."))
    if phase(live) is Phase.NOTHING or not waited(live, now):
        raise WrongTime(say("The game is not waiting, or not long enough."))
    if phase(live) is Phase.NONCES:
        return live
    seats = tuple(replace(i, pledge="") if i.pledge == PROMISED else i for i in live.seats)
    return replace(live, seats=seats, waits=0.0)


def unshared(info: TableSeat) -> TableSeat:
    """A seat before anything was sent: its browser has a script, if it had one."""
    promised = PROMISED if info.pledge and info.kind in PLAYERS else ""
    return replace(info, pledge=promised, nonce="", called="", label="")


def forget_nonce_of_moved_seat(live: TableState, info: TableSeat) -> TableSeat:
    """A seat whose browser is another one now, which does not know its nonce.

    As soon as others may have shown theirs it cannot have another.
    """
    return info if live.status != OPEN or fixed(live) else unshared(info)


def emptied(live: TableState, seat: int, commitment: str) -> TableState:
    """The open table with a seat free again, whose shares in the dice are asked for anew.

    If the hashes were fixed the start is aborted, and the table has this new commitment.
    """
    seats = tuple(TableSeat(i.seat) if i.seat == seat else unshared(i) for i in live.seats)
    after = replace(live, seats=seats, waits=0.0)
    if not fixed(live):
        return after
    start = Aborted(live.commitment, tuple(info.pledge for info in live.seats))
    earlier = (*live.earlier, start)[-REMEMBERED:]
    return replace(after, commitment=commitment, aborted=live.aborted + 1, earlier=earlier)


def settled(live: TableState, key: bytes) -> TableState:
    """The table as its match starts: every seat with a nonce, and bound to what it is called."""
    if live.fair != AGREED:
        return live
    shown = [str(live.name(info.seat)) for info in live.seats]
    made = DiceStream.agreed(
        key, [i.nonce for i in live.seats], [i.pledge for i in live.seats], shown
    )
    seats = tuple(
        replace(info, nonce=nonce, called=info.name, label=label)
        for info, nonce, label in zip(live.seats, made.nonces, made.labels, strict=True)
    )
    return replace(live, seats=seats, waits=0.0)


def dice_stream(
    key: bytes,
    seats: Sequence[TableSeat],
    version: int,
    aborted: int = 0,
    earlier: tuple[Aborted, ...] = (),
) -> DiceStream:
    """The stream of a table's match, whose seats are settled, and the starts before it."""
    nonces = tuple(info.nonce for info in seats)
    if version != AGREED:
        return DiceStream(key, nonces)
    pledges, labels = (tuple(info.pledge for info in seats), tuple(info.label for info in seats))
    return DiceStream(key, nonces, pledges, labels, aborted, earlier)


def seat_names(live: TableState) -> list[str]:
    """What the file calls the seats: as when the match started, "" where that was deleted."""
    if live.fair != AGREED:
        return [str(live.name(info.seat)) for info in live.seats]
    told = [(info, str(info.shown_as(info.called))) for info in live.seats]
    return [text if fair.label(info.nonce, text) == info.label else "" for info, text in told]
