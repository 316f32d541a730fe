"""How the last events that each seat may know are kept, in compiled code.

An event is a decision or an outcome of chance. `noticed` says which of them a viewer notes, and
how much of each: OpenSpiel's information states (`spiel_notes`) ask the same rule. Every seat has a
ring of its own, so that what others alone have seen pushes nothing out of it.
"""

import numpy as np
from numpy.typing import NDArray

from diablerie.engine import verbs
from diablerie.engine.compile import Ints, Ints32, Records, inlined, rule
from diablerie.engine.record import Record
from diablerie.engine.verbs import CHANCE

NO_EVENT = -9  # who acted, where a viewer has noted fewer events
# Where the masks of nodes stand in an array of masks, a bit for each node:
SKIPPED = 2  # `Game.skipped`
OPENED = 3  # `Game.opened`

Events = Ints32  # (seats, length, 4): who, node, what, and whether the seat knows what; a ring
Rows = NDArray[np.int32]  # (length, 3): see `history.COLUMNS`


@inlined
def noticed(sees: bool, who: int, viewer: int) -> int:
    """What a viewer notes of an event: 2, all; 1, who decided; 0, nothing: unseen chance.

    How many outcomes follow each other can be a secret, so those unseen leave no trace. sees:
    whether the `witness` of the position names the viewer.
    """
    return 2 if sees or who == viewer else 1 if who != CHANCE else 0


@rule
def begin_history(events: Events, places: Ints) -> None:
    """Forget everything: nothing has happened yet. places: see `note_event`."""
    for k in range(len(places)):
        places[k] = 0
        for j in range(events.shape[1]):
            events[k, j, 0] = NO_EVENT


@rule
def note_event(s: Record, who: int, what: int, masks: Ints, events: Events, places: Ints) -> None:
    """Let all seats note an event before it is carried out in the position `s`.

    masks: int64 (OPENED + 1,); places: int64 (seats,), where each seat notes its next event.
    """
    if who == CHANCE and masks[SKIPPED] >> s.node & 1:
        return
    mask = verbs.witness(s)
    for k in range(len(places)):
        noted = noticed(mask >> k & 1 != 0, who, k)
        if noted:
            at = places[k]
            events[k, at, 0] = who
            events[k, at, 1] = s.node
            events[k, at, 2] = what
            events[k, at, 3] = noted - 1
            places[k] = at + 1 if at + 1 < events.shape[1] else 0
    if who != CHANCE and masks[OPENED] >> s.node & 1:
        waiting = verbs.pending(s)
        if waiting & (waiting - 1) == 0:
            open_decisions(int(s.node), events, places)


@rule
def open_decisions(node: int, events: Events, places: Ints) -> None:
    """Let all seats know what has just been decided at once: their last events, all at this node."""
    for k in range(len(places)):
        at = places[k]
        for _ in range(events.shape[1]):
            at = at - 1 if at else events.shape[1] - 1
            if events[k, at, 0] < 0 or events[k, at, 1] != node:
                break
            events[k, at, 3] = 1


@rule
def note_played(rows: Records, acts: Ints, masks: Ints, events: Events, places: Ints) -> None:
    """Note events, int64 (n, 2): who and what, and carry them out in the position rows[0]."""
    for i in range(len(acts)):
        note_event(rows[0], acts[i, 0], acts[i, 1], masks, events, places)
        verbs.apply(rows[0], acts[i, 0], acts[i, 1])


@rule
def write_history(events: Events, places: Ints, seat: int, out: Rows) -> None:
    """Write what a seat has noted, the newest first: int32 (length, 3)."""
    seats = len(places)
    at = places[seat]
    for j in range(len(out)):
        at = at - 1 if at else len(out) - 1
        who = events[seat, at, 0]
        if who == NO_EVENT:
            out[j, 0] = out[j, 1] = out[j, 2] = -1
        else:
            # Seats count from the reader's, as in observations.
            turned = who - seat if who >= seat else who - seat + seats
            out[j, 0] = seats if who == CHANCE else turned
            out[j, 1] = events[seat, at, 1]
            out[j, 2] = events[seat, at, 2] if events[seat, at, 3] else -1
