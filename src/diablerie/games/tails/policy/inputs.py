"""What a policy network reads of TAILS: where the lines lead, and what they are likely to bring.

A line comes to points only if it ends at a tail end. Its length is fixed as far as the tiles lie;
beyond, each empty cell on its way is taken to join two of its ends by chance. So at every end of an
empty cell there is a probability that a line which arrives there will score, and a mean number of
points that its way from there adds. Both follow from those at the next empty cells, and a few
sweeps over the board find them for all lines at once.
"""

from math import exp, sqrt
from typing import Any

from diablerie.engine.arrays import Floats32, Ints, Ints32
from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.tails.policy.advice import gain
from diablerie.games.tails.policy.evaluation import (
    KEPT,
    LOST,
    MEET,
    SPREAD,
    SPREAD_BY_ROOT,
    TO_COME,
    balance,
)
from diablerie.games.tails.rules.board import (
    ACROSS,
    BODIES,
    CELLS,
    ENDS,
    HEAD,
    JOIN,
    KINDS,
    ROTATIONS,
    TWIN_OF,
    code,
)
from diablerie.games.tails.rules.legality import not_foreign
from diablerie.games.tails.rules.lines import at_body, at_tail_end, body_at, follow
from diablerie.games.tails.rules.play import forced_after
from diablerie.games.tails.rules.sides import owner, side_of, sides, worth
from diablerie.games.tails.rules.state import LAY, Node, State
from diablerie.values.inputs import NetworkInputs, register_inputs

SWEEPS, SWEEPS_AFTER = 4, 2  # even; after a tile is laid, from what was found before
PLACES = CELLS * ENDS
# In `room`, by place (6·cell + end): where a line that goes out there leads, and its tiles; of a
# line that arrives there, the points to come and the chance to score; both again, for a sweep.
WAY, TILES, TO_ADD, SCORES, TO_ADD_2, SCORES_2, BEFORE = (k * PLACES for k in range(7))
CELL = BEFORE  # or by cell: the best and worst that the next tile brings, the mean, bodies
RATES = 8 * PLACES  # by side: what a point of its bodies is worth to the seat's side
POINTS = 10.0  # that count as 1
# One-hot inputs: seats, node, tiles left, lead
SEATS_AT, NODE_AT, LEFT_AT, LEAD_AT, ONES = 0, 5, 9, 64, 88
# Numbers: of the own side and of the others; the rest
OWN, OTHERS, LEAD, REST, NUMBERS = 0, 8, 16, 22, 35
# Marks of a rotation (the sides after it, the lead, how the advice judges it), of a cell
AFTER, NAMED, MARKS = 0, 20, 30
ROTATE, NAME, NAME_PAIR, NAME_FREE, KINDS_OF = range(5)


@rule
def look_ahead(s: Record, room: Floats32) -> None:
    """Write what lines come to that arrive at the empty cells."""
    scores = KEPT - LOST * s.count / CELLS
    for at in range(PLACES):
        room[TO_ADD + at], room[SCORES + at] = TO_COME, scores
    improve(s, room, SWEEPS)


@rule
def improve(s: Record, room: Floats32, sweeps: int) -> None:
    """Follow all lines from the empty cells, and look so many cells further ahead (even)."""
    for cell in range(CELLS):
        if s.laid[cell] < 0:
            for at in range(ENDS * cell, ENDS * cell + ENDS):
                way, tiles = follow(s, int(ACROSS[at]))
                room[WAY + at], room[TILES + at] = way, tiles
    for _ in range(sweeps // 2):
        sweep(s, room, TO_ADD, SCORES, TO_ADD_2, SCORES_2)
        sweep(s, room, TO_ADD_2, SCORES_2, TO_ADD, SCORES)


@rule
def sweep(s: Record, room: Floats32, add: int, scores: int, add_to: int, scores_to: int) -> None:
    """Look one cell further ahead: from `room[add]` and `room[scores]` to the other two."""
    for cell in range(CELLS):
        if s.laid[cell] < 0:
            for end in range(ENDS):
                more, likely = 0.0, 0.0
                for other in range(ENDS):
                    p = MEET[end, other]
                    if p > 0.0:
                        way, tiles = (
                            int(room[WAY + ENDS * cell + other]),
                            room[TILES + ENDS * cell + other],
                        )
                        if way >= 0:
                            chance = p * room[scores + way]
                            more += p * room[add + way] + chance * (tiles + 1.0)
                            likely += chance
                        elif at_tail_end(way):
                            more += p * (tiles + 1.0)
                            likely += p
                room[add_to + ENDS * cell + end] = more
                room[scores_to + ENDS * cell + end] = likely


@rule
def comes_to(room: Floats32, at: int, n: int) -> float:
    """The points that a line of so many tiles which leads there may expect."""
    if at < 0:
        return float(worth(at, n))
    return float(room[TO_ADD + at] + room[SCORES + at] * n)


# -- the position ----------------------------------------------------------------------------------


@rule
def read(s: Record, seat: int, numbers: Floats32, ones: Ints32, room: Floats32) -> int:
    """`NetworkInputs.read`."""
    look_ahead(s, room)
    write_rates(s, side_of(s, seat), room)
    lead, risk = write_sides(s, side_of(s, seat), room, numbers)
    left = CELLS - int(s.count)
    write_lead(numbers, lead, risk, left)
    numbers[REST] = left / float(CELLS)
    numbers[REST + 1] = s.forced
    numbers[REST + 2] = s.node == Node.ROTATION
    numbers[REST + 3] = left % 4 / 4.0
    for kind in range(KINDS):
        numbers[REST + 4 + kind] = s.stock[kind] / 8.0
    for k in range(1, sides(s)):
        other = (side_of(s, seat) + k) % sides(s)
        numbers[REST + 10 + k] = -room[RATES + other]
    ones[0] = SEATS_AT + int(s.seats)
    ones[1] = NODE_AT + (2 if s.forced else int(s.node == Node.ROTATION))
    ones[2] = LEFT_AT + left
    ones[3] = LEAD_AT + min(max(int(lead / 2.0 + 12.0), 0), ONES - LEAD_AT - 1)
    return 4


@rule
def write_rates(s: Record, side: int, room: Floats32) -> None:
    """Write what a point is worth to a side: 1 its own, the others' less than 0, -1 in all.

    Of two others that counts for more who stands better: by how each changes the side's chance to
    win, if chances go by the points that all may expect (`evaluation.value`).
    """
    n, top = sides(s), -1e9
    for k in range(n):
        room[RATES + k] = -1.0
    if n > 2:
        for k in range(n):
            room[RATES + k] = 0.0
        for body in range(BODIES):
            at, tiles = follow(s, int(HEAD[body]))
            room[RATES + owner(s, body)] += comes_to(room, at, tiles)
        spread, total = SPREAD + SPREAD_BY_ROOT * sqrt(float(CELLS - s.count)), 0.0
        for k in range(n):
            top = max(top, float(room[RATES + k])) if k != side else top
        for k in range(n):
            room[RATES + k] = exp((room[RATES + k] - top) / spread) if k != side else 0.0
            total += room[RATES + k]
        for k in range(n):
            room[RATES + k] /= -total
    room[RATES + side] = 1.0


@rule
def write_sides(s: Record, side: int, room: Floats32, out: Floats32) -> tuple[float, float]:
    """Sum up the lines of the side's bodies, and of the others'; return the lead and its variance.

    out: float32, the first `LEAD` numbers.
    """
    lead, risk = 0.0, 0.0
    for k in range(LEAD):
        out[k] = 0.0
    for body in range(BODIES):
        at, n = follow(s, int(HEAD[body]))
        to = OWN if owner(s, body) == side else OTHERS
        points = comes_to(room, at, n)
        lead += room[RATES + owner(s, body)] * points
        out[to] += points / POINTS
        if at < 0:
            out[to + 1] += worth(at, n) / POINTS
            out[to + 2] += 0.25 * at_body(at)
        else:
            likely = float(room[SCORES + at])
            risk += likely * (1.0 - likely) * (n + 4.0) ** 2
            out[to + 3] += 0.25
            out[to + 4] += n / POINTS
            out[to + 5] += 0.25 * likely
            out[to + 6] += n * n / 200.0
            out[to + 7] = max(float(out[to + 7]), n / POINTS)
    return lead, risk


@rule
def write_lead(numbers: Floats32, lead: float, risk: float, left: int) -> None:
    """The expected lead beside what can still change."""
    spread = SPREAD + SPREAD_BY_ROOT * sqrt(float(left))
    numbers[LEAD] = lead / spread
    numbers[LEAD + 1] = lead / POINTS
    numbers[LEAD + 2] = lead / sqrt(risk + 4.0)
    numbers[LEAD + 3] = sqrt(risk) / POINTS
    numbers[LEAD + 4] = lead / (2.0 + sqrt(float(left)))
    numbers[LEAD + 5] = 1.0 if lead > 0.0 else 0.0


# -- the actions -----------------------------------------------------------------------------------


@rule
def describe(
    s: Record, seat: int, actions: Ints, n: int, kinds: Ints32, marks: Floats32, room: Floats32
) -> None:
    """`NetworkInputs.describe`."""
    if s.node == Node.ROTATION:
        describe_rotations(s, side_of(s, seat), actions, n, kinds, marks, room)
    elif s.seats == 3:
        describe_cells(s, side_of(s, seat), actions, n, kinds, marks, room)
    else:
        describe_pairs(s, seat, actions, n, kinds, marks, room)


@rule
def describe_rotations(
    s: Record, side: int, actions: Ints, n: int, kinds: Ints32, marks: Floats32, room: Floats32
) -> None:
    """How the sides stand after each rotation, less the mean of the rotations."""
    for k in range(2 * PLACES):
        room[BEFORE + k] = room[TO_ADD + k]
    for a in range(n):
        kinds[a] = ROTATE
        for k in range(2 * PLACES):
            room[TO_ADD + k] = room[BEFORE + k]
        s.laid[s.cell] = code(s.kind, actions[a] - LAY)
        improve(s, room, SWEEPS_AFTER)
        lead, risk = write_sides(s, side, room, marks[a])
        marks[a, AFTER + LEAD] = lead / 3.0
        marks[a, AFTER + LEAD + 1] = lead / sqrt(risk + 4.0)
        marks[a, AFTER + LEAD + 2] = sqrt(risk) / POINTS
        marks[a, AFTER + LEAD + 3] = balance(s, side) / 3.0
    s.laid[s.cell] = -1
    for k in range(AFTER, NAMED):
        mean = 0.0
        for a in range(n):
            mean += marks[a, k] / n
        for a in range(n):
            marks[a, k] -= mean


@rule
def leaves(
    ats: tuple[int, ...], lengths: tuple[int, ...], cell: int, tile: int, start: int
) -> tuple[int, int]:
    """Where a line from arm `start` of a cell leaves the cell for good, with this tile on it.

    Returns the arm, and the tiles of the whole line.
    """
    end = int(JOIN[tile, start])
    n = lengths[start] + lengths[end] + 1
    while ats[end] >= 0 and ats[end] // ENDS == cell:  # the line comes back
        end = int(JOIN[tile, ats[end] % ENDS])
        n += lengths[end] + 1
    return end, n


@rule
def with_tile(s: Record, arms: Any, tile: int, room: Floats32) -> float:
    """What the bodies' lines through a cell come to for the side, with this tile on it."""
    ats, lengths, cell = arms
    points = 0.0
    for start in range(ENDS):
        if at_body(ats[start]):
            end, n = leaves(ats, lengths, cell, tile, start)
            points += room[RATES + owner(s, body_at(ats[start]))] * comes_to(room, ats[end], n)
    return points


@rule
def judge_cell(s: Record, cell: int, room: Floats32) -> None:
    """What the next tile on a cell brings the seat's side: laid for the best, for the worst, at random."""
    at = ENDS * cell
    arms = room_arms(room, cell)
    ats, lengths, _ = arms
    bodies, here = 0, 0.0
    for end in range(ENDS):
        if at_body(ats[end]):
            bodies += 1
            points = room[TO_ADD + at + end] + room[SCORES + at + end] * lengths[end]
            here += room[RATES + owner(s, body_at(ats[end]))] * points
    best, worst, mean, tiles = 0.0, 0.0, 0.0, 0
    if bodies > 0:
        for kind in range(KINDS):
            if s.stock[kind] > 0:
                high, low, total = -1e9, 1e9, 0.0
                for rotation in range(ROTATIONS[kind]):
                    points = with_tile(s, arms, code(kind, rotation), room)
                    high, low, total = max(high, points), min(low, points), total + points
                best += s.stock[kind] * high
                worst += s.stock[kind] * low
                mean += s.stock[kind] * total / ROTATIONS[kind]
                tiles += int(s.stock[kind])
        best, worst, mean = best / tiles - here, worst / tiles - here, mean / tiles - here
    to = CELL + 4 * cell
    room[to], room[to + 1], room[to + 2], room[to + 3] = best, worst, mean, bodies


@rule
def room_arms(room: Floats32, cell: int) -> Any:
    """Where the lines from the six ends of an empty cell lead, how long each is, and the cell."""
    w, t = WAY + ENDS * cell, TILES + ENDS * cell
    ats = (
        int(room[w]), int(room[w + 1]), int(room[w + 2]),
        int(room[w + 3]), int(room[w + 4]), int(room[w + 5]),
    )  # fmt: skip
    lengths = (
        int(room[t]), int(room[t + 1]), int(room[t + 2]),
        int(room[t + 3]), int(room[t + 4]), int(room[t + 5]),
    )  # fmt: skip
    return ats, lengths, cell


@rule
def describe_cells(
    s: Record, side: int, actions: Ints, n: int, kinds: Ints32, marks: Floats32, room: Floats32
) -> None:
    """With 3: what the next tile brings there."""
    for a in range(n):
        cell = int(actions[a])
        kinds[a] = NAME
        judge_cell(s, cell, room)
        for k in range(4):
            marks[a, NAMED + k] = room[CELL + 4 * cell + k] / 4.0
        marks[a, NAMED + 8] = gain(s, side, cell) / 4.0


@rule
def describe_pairs(
    s: Record, seat: int, actions: Ints, n: int, kinds: Ints32, marks: Floats32, room: Floats32
) -> None:
    """What the next two tiles bring on a cell and its twin, and if the other side names one."""
    side, theirs = side_of(s, seat), not_foreign(s, (seat + 1) % s.seats)
    for cell in range(CELLS):
        if s.free >> cell & 1:
            judge_cell(s, cell, room)
    for a in range(n):
        cell, twin = int(actions[a]), int(TWIN_OF[actions[a]])
        one, two = CELL + 4 * cell, CELL + 4 * twin
        ours, other, free = room[one] + room[two + 1], 1e9, False
        if theirs >> cell & 1:
            other, free = float(room[two] + room[one + 1]), True
        if theirs >> twin & 1:
            other, free = min(other, float(ours)), True
        kinds[a] = NAME_PAIR if free else NAME_FREE
        marks[a, NAMED] = room[one] / 4.0
        marks[a, NAMED + 1] = room[two + 1] / 4.0
        marks[a, NAMED + 2] = ours / 4.0
        marks[a, NAMED + 3] = (room[one + 2] + room[two + 2]) / 4.0
        marks[a, NAMED + 4] = (room[one + 3] + room[two + 3]) / 8.0
        if free:
            marks[a, NAMED + 5] = (ours - other) / 4.0
            marks[a, NAMED + 6] = other / 4.0
        marks[a, NAMED + 7] = s.free >> twin & 1
        marks[a, NAMED + 8] = gain(s, side, cell) / 4.0
        if forced_after(s, cell) >= 0:
            marks[a, NAMED + 9] = gain(s, 1 - side, twin) / 4.0


register_inputs(State, NetworkInputs(ONES, 4, NUMBERS, KINDS_OF, MARKS, read, describe))
