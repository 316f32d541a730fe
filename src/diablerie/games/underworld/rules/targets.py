"""Which spaces, letters and seats may be chosen at each node, as bit masks."""

from diablerie.engine.compile import rule
from diablerie.games.underworld.rules.state import (
    ABSENT,
    APART,
    BOARD,
    FACE_BIT,
    LETTERS,
    SPACES,
    Node,
    State,
    above,
    bit,
    distance,
    flood,
    size,
    spread,
    without_last,
)


@rule
def spaces(s: State) -> int:
    """The spaces the actor may choose at this node; empty where no space is asked for."""
    if s.node == Node.TURN or s.node == Node.ONWARD:
        return targets(s, s.turn)
    if s.node == Node.PEEK or s.node == Node.REVEAL:  # U15, U8
        return int(s.down)
    if s.node == Node.SWAP1:
        return without_last(swappable(s, s.turn))
    if s.node == Node.SWAP2:
        return swappable(s, s.turn) & above(s.last)
    if s.node == Node.TAKE:
        return takes(s)
    if s.node == Node.LAY:
        return lays(s)
    return places(s) if s.node == Node.PLACE else 0


# -- cards -------------------------------------------------------------------------------------


@rule
def bare(s: State) -> int:
    """Spaces without a disk."""
    one, _ = crowd(s, -1)
    return BOARD & ~one


@rule
def swappable(s: State, seat: int) -> int:
    """U19: face down or own letters, under no disk."""
    return (s.down | s.colour_up[seat]) & bare(s)


@rule
def can_swap(s: State, seat: int) -> bool:
    """Whether there are two cards to exchange."""
    cards = swappable(s, seat)
    return cards & (cards - 1) != 0


@rule
def takeable(s: State) -> int:
    """U21: any card under no disk."""
    return (s.down | s.up) & bare(s)


@rule
def can_rearrange(s: State, seat: int) -> bool:
    """Whether a seat may take two cards or more."""
    cards = takeable(s)
    return s.devil[seat] != 0 and cards & (cards - 1) != 0


@rule
def takes(s: State) -> int:
    """Cards that may be taken next: the first must leave another of greater index."""
    if s.todo == 0:
        return without_last(takeable(s))
    return takeable(s) & above(s.last)


@rule
def layable(s: State) -> int:
    """U21: spaces with neither card nor disk, and those just emptied."""
    return bare(s) & ~(s.up | s.down) & ~FACE_BIT | s.taken


@rule
def lays(s: State) -> int:
    """Spaces to lay a card on next: enough of greater index must remain for the others."""
    free = layable(s)
    if s.last >= 0:
        free &= above(s.last)
    for _ in range(s.todo - size(s.laid) - 1):
        free = without_last(free)
    return free


# -- placing, letters and seats ----------------------------------------------------------------


@rule
def places(s: State) -> int:
    """U6: at least four away from every disk, else as far as can be."""
    farthest = 0
    for space in range(SPACES):
        if bit(space) & ~FACE_BIT:
            farthest = max(farthest, nearest(s, space))
    wanted = min(farthest, APART)
    far_enough = 0
    for space in range(SPACES):
        if nearest(s, space) >= wanted:
            far_enough |= bit(space)
    return far_enough & ~FACE_BIT


@rule
def nearest(s: State, space: int) -> int:
    """The distance to the nearest disk; far beyond the board if there is none."""
    least = SPACES
    for i in range(s.seats):
        if s.disk[i] != ABSENT:
            least = min(least, distance(space, int(s.disk[i])))
    return least


@rule
def losable(s: State) -> int:
    """Letters the player hit may lose next: the first must leave a later one."""
    held = int(s.letters[s.hit])
    if s.last >= 0:
        return held & above(s.last)
    return without_last(held)


@rule
def holders(s: State) -> int:
    """The other seats that hold a peg (U23)."""
    possessed = 0
    for i in range(s.seats):
        if s.devil[i] and i != s.turn:
            possessed |= 1 << i
    return possessed


# -- moves (U9): what a disk may enter, and what it may go on over -----------------------------


@rule
def targets(s: State, seat: int) -> int:
    """U9: the spaces where a seat's disk can move to."""
    return reach(s, seat, int(s.disk[seat]))


@rule
def reach(s: State, seat: int, start: int) -> int:
    """Where a seat's disk could move to if it stood at `start`."""
    here = bit(start)
    enter = enterable(s, seat)
    reached = flood(here, enter & passable(s, seat))
    return spread(reached) & enter & ~here


@rule
def enterable(s: State, seat: int) -> int:
    """Spaces that U16, U17 and U22 let a disk enter."""
    one, two = crowd(s, seat)
    barred = two if s.devil[seat] else one
    if s.pegs > 0:
        barred |= FACE_BIT
    return BOARD & ~barred


@rule
def passable(s: State, seat: int) -> int:
    """Spaces that are open for a seat if it may enter them (U10, U20, U22)."""
    free = ~(s.up | s.down)
    for letter in range(LETTERS):
        if s.letters[seat] >> letter & 1:
            free |= s.letter_up[letter]
    if s.devil[seat]:
        one, _ = crowd(s, seat)
        free |= s.down | one
    return free


@rule
def crowd(s: State, seat: int) -> tuple[int, int]:
    """The spaces where at least one, and at least two, other disks stand."""
    one = 0
    two = 0
    for i in range(s.seats):
        if i != seat and s.disk[i] != ABSENT:
            there = bit(s.disk[i])
            two |= one & there
            one |= there
    return one, two


@rule
def occupant(s: State, seat: int, space: int) -> int:
    """The other seat whose disk stands on a space, or ABSENT."""
    for i in range(s.seats):
        if i != seat and s.disk[i] == space:
            return i
    return ABSENT
