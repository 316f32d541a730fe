"""What a policy network reads of TAILS: where the lines lead, and what they are likely to bring.

A line comes to points only if it ends at a tail end. Its length is fixed as far as the tiles lie;
beyond, each empty cell on its way is taken to join two of its ends by chance. So at every end of an
empty cell there is a probability that a line which arrives there will score, and a mean number of
points that its way from there adds. Both follow from those at the next empty cells, and a few
sweeps over the board find them for all lines at once: `lines` has both.
"""

from enum import IntEnum
from math import exp, sqrt

from diablerie.engine.compile import Floats32, Ints, Ints32, rule
from diablerie.games.tails.policy.evaluation import (
    SPREAD,
    SPREAD_BY_ROOT,
    sign,
)
from diablerie.games.tails.policy.lines import (
    BESIDE,
    BORDER,
    FOUR_AHEAD,
    FREE,
    KEPT_WAY,
    ONE,
    ONE_AHEAD,
    SLOTS,
    THREE_AHEAD,
    TILES,
    USUAL,
    WAY,
    body_slot,
    comes_to,
    find_lines,
    join_lines,
    line_ahead,
    sweep,
    usual_lines,
)
from diablerie.games.tails.rules.legality import not_foreign
from diablerie.games.tails.rules.play import forced_after
from diablerie.games.tails.rules.sides import owner, side_of, sides
from diablerie.games.tails.rules.state import (
    BODIES,
    CELLS,
    ENDS,
    JOIN,
    KINDS,
    LAY,
    ROTATIONS,
    TWIN_OF,
    Node,
    State,
    code,
)
from diablerie.learning.inputs import NetworkInputs


class Side(IntEnum):
    """A number of the lines of the own side, or of the others'."""

    POINTS = 0
    ENDED_POINTS = 1
    ENDED_ON_BODY = 2  # and so without points
    OPEN = 3
    OPEN_TILES = 4
    OPEN_LIKELY = 5  # to score
    OPEN_TILES_SQUARE = 6
    LONGEST_OPEN = 7


class Lead(IntEnum):
    """A number of the expected lead, counted from LEAD."""

    BY_SPREAD = 0
    POINTS = 1
    BY_RISK = 2
    RISK = 3
    BY_ROOT_LEFT = 4
    AHEAD = 5


class Cell(IntEnum):
    """A number of a cell in the table CELL: what the next tile there brings the side."""

    BEST = 0
    WORST = 1
    MEAN = 2
    BODIES = 3
    GAINED = 4  # by the advice, to the own side
    LOST = 5  # by the advice, to the other side


class RotationMark(IntEnum):
    """A mark of the whole board after a rotation, counted from the lead's place."""

    LEAD = 0
    LEAD_BY_RISK = 1
    RISK = 2
    BALANCE = 3


class PairMark(IntEnum):
    """A mark of naming a cell and so its twin, counted from NAMED; with 3 there are no twins."""

    BEST = 0
    TWIN_WORST = 1
    OURS = 2  # what both bring
    MEAN = 3
    BODIES = 4
    OVER_THEIRS = 5  # beside what the other side would name
    THEIRS = 6
    TWIN_FREE = 7
    GAINED = 8  # by the advice
    TWIN_LOST = 9  # by the advice


# -- where things lie in `room`, behind the tables of `lines` --------------------------------------

# By body, what its line may expect: the points to come, and the chance that it scores
LINE_ADD = BESIDE + ENDS
LINE_SCORES = BESIDE + ENDS + BODIES
# By side, what a point of its bodies is worth to the seat's side
RATES = LINE_SCORES + BODIES
# Of the cell in question, the ends (arms) at which bodies' lines lead to it
ARMS = RATES + 3
# By an arm and the end that a tile joins with it, 6·arm + end: what the line then comes to, by this
# reading and by the advice
JOINED = ARMS + ENDS
ADVISED = ARMS + ENDS + ENDS * ENDS
# By cell, its numbers as `Cell` names them
CELL = ADVISED + ENDS * ENDS
CELL_NUMBERS = len(Cell)

# -- where the network reads -----------------------------------------------------------------------

POINTS = 10.0  # that count as 1
# One-hot inputs: seats, node, tiles left, lead
SEATS_AT = 0
NODE_AT = 5
LEFT_AT = 9
LEAD_AT = 64
ONES = 88
# Numbers: of the own side and of the others, the lead; the rest, of which the first is cells left
OWN = 0
OTHERS = OWN + len(Side)
LEAD = OTHERS + len(Side)
REST = LEAD + len(Lead)
FORCED = REST + 1
ROTATION = REST + 2
LEFT_OF_FOUR = REST + 3
STOCK = REST + 4  # by kind of tile
OTHER_RATES = STOCK + KINDS  # of two other sides: what their points are worth
NUMBERS = OTHER_RATES + 2
# Marks of a rotation (the sides after it, the lead, how the advice judges it), of a cell
AFTER = 0
NAMED = AFTER + LEAD + len(RotationMark)
MARKS = NAMED + len(PairMark)
ROTATE, NAME, NAME_PAIR, NAME_FREE, KINDS_OF = range(5)
EVEN = 1e-3  # a lead of fewer points is none


# -- the position ----------------------------------------------------------------------------------


@rule
def read(s: State, seat: int, numbers: Floats32, ones: Ints32, room: Floats32) -> int:
    """`NetworkInputs.read`."""
    side = side_of(s, seat)
    n = find_lines(s, room)
    usual_lines(s, room)
    # Each sweep looks one cell further ahead, from one table into another.
    # Two tables take turns, so four cells ahead are where two were.
    sweep(room, FREE, n, USUAL, ONE_AHEAD)
    sweep(room, FREE, n, ONE_AHEAD, FOUR_AHEAD)
    sweep(room, FREE, n, FOUR_AHEAD, THREE_AHEAD)
    sweep(room, FREE, n, THREE_AHEAD, FOUR_AHEAD)
    for body in range(BODIES):
        at = int(room[WAY + body_slot(body)])
        room[LINE_ADD + body] = room[FOUR_AHEAD + at]
        room[LINE_SCORES + body] = room[FOUR_AHEAD + SLOTS + at]
    write_rates(s, side, room)
    lead, risk = write_sides(s, side, room, numbers)
    left = CELLS - int(s.count)
    write_lead(numbers, lead, risk, left)
    numbers[REST] = left / float(CELLS)
    numbers[FORCED] = s.forced
    numbers[ROTATION] = s.node == Node.ROTATION
    numbers[LEFT_OF_FOUR] = left % 4 / 4.0
    for kind in range(KINDS):
        numbers[STOCK + kind] = s.stock[kind] / 8.0
    for k in range(1, sides(s)):
        other = (side + k) % sides(s)
        numbers[OTHER_RATES + k - 1] = -room[RATES + other]
    ones[0] = SEATS_AT + int(s.seats)
    ones[1] = NODE_AT + (2 if s.forced else int(s.node == Node.ROTATION))
    ones[2] = LEFT_AT + left
    ones[3] = LEAD_AT + min(max(int((lead + EVEN) / 2.0 + 12.0), 0), ONES - LEAD_AT - 1)
    return 4


@rule
def line_points(room: Floats32, body: int) -> float:
    """The points that a body's line may expect."""
    return float(room[LINE_ADD + body] + room[LINE_SCORES + body] * room[TILES + body_slot(body)])


@rule
def write_rates(s: State, side: int, room: Floats32) -> None:
    """Write what a point is worth to a side: 1 its own, the others' less than 0, -1 in all.

    Of two others that counts for more who stands better: by how each changes the side's chance to
    win, if chances go by the points that all may expect (`evaluation.value`).
    """
    n = sides(s)
    top = -1e9
    for k in range(n):
        room[RATES + k] = -1.0
    # With one other side its points count as much as the own ones.
    if n > 2:
        for k in range(n):
            room[RATES + k] = 0.0
        for body in range(BODIES):
            room[RATES + owner(s, body)] += line_points(room, body)
        spread = SPREAD + SPREAD_BY_ROOT * sqrt(float(CELLS - s.count))
        total = 0.0
        for k in range(n):
            # Less the highest, so that the exponential stays small.
            top = max(top, float(room[RATES + k])) if k != side else top
        for k in range(n):
            room[RATES + k] = exp((room[RATES + k] - top) / spread) if k != side else 0.0
            total += room[RATES + k]
        for k in range(n):
            room[RATES + k] /= -total
    room[RATES + side] = 1.0


@rule
def write_sides(s: State, side: int, room: Floats32, out: Floats32) -> tuple[float, float]:
    """Sum up the lines of the side's bodies, and of the others'; return the lead and its variance.

    out: float32, the first `LEAD` numbers.
    """
    lead = 0.0
    risk = 0.0
    for k in range(LEAD):
        out[k] = 0.0
    for body in range(BODIES):
        at = int(room[WAY + body_slot(body)])
        n = room[TILES + body_slot(body)]
        to = OWN if owner(s, body) == side else OTHERS
        points = line_points(room, body)
        lead += room[RATES + owner(s, body)] * points
        out[to + Side.POINTS] += points / POINTS
        # A line that has ended can neither grow nor fail; only open ones are a risk.
        if at >= BORDER:
            out[to + Side.ENDED_POINTS] += points / POINTS
            out[to + Side.ENDED_ON_BODY] += 0.25 * (at % 2 == 0)
        else:
            likely = float(room[LINE_SCORES + body])
            risk += likely * (1.0 - likely) * (n + 4.0) ** 2
            out[to + Side.OPEN] += 0.25
            out[to + Side.OPEN_TILES] += n / POINTS
            out[to + Side.OPEN_LIKELY] += 0.25 * likely
            out[to + Side.OPEN_TILES_SQUARE] += n * n / 200.0
            out[to + Side.LONGEST_OPEN] = max(float(out[to + Side.LONGEST_OPEN]), n / POINTS)
    return lead, risk


@rule
def write_lead(numbers: Floats32, lead: float, risk: float, left: int) -> None:
    """The expected lead beside what can still change."""
    spread = SPREAD + SPREAD_BY_ROOT * sqrt(float(left))
    numbers[LEAD + Lead.BY_SPREAD] = lead / spread
    numbers[LEAD + Lead.POINTS] = lead / POINTS
    numbers[LEAD + Lead.BY_RISK] = lead / sqrt(risk + 4.0)
    numbers[LEAD + Lead.RISK] = sqrt(risk) / POINTS
    numbers[LEAD + Lead.BY_ROOT_LEFT] = lead / (2.0 + sqrt(float(left)))
    numbers[LEAD + Lead.AHEAD] = 1.0 if lead > EVEN else 0.0


# -- the actions -----------------------------------------------------------------------------------


@rule
def describe(
    s: State, seat: int, actions: Ints, n: int, kinds: Ints32, marks: Floats32, room: Floats32
) -> None:
    """`NetworkInputs.describe`."""
    if s.node == Node.ROTATION:
        describe_rotations(s, side_of(s, seat), actions, n, kinds, marks, room)
    elif s.node == Node.PASS:
        kinds[:n] = NAME
    elif s.seats == 3:
        describe_cells(s, side_of(s, seat), actions, n, kinds, marks, room)
    else:
        describe_pairs(s, seat, actions, n, kinds, marks, room)


@rule
def describe_rotations(
    s: State, side: int, actions: Ints, n: int, kinds: Ints32, marks: Floats32, room: Floats32
) -> None:
    """How the sides stand after each rotation, less the mean of the rotations.

    One cell further ahead, the tile changes tables only where lines lead to from its cell.
    """
    cell = ENDS * int(s.cell)
    near = 0
    for end in range(ENDS):
        at = int(room[WAY + cell + end])
        if at < BORDER:
            room[BESIDE + near] = at - at % ENDS
            near += 1
    sweep(room, FREE, CELLS - int(s.count), FOUR_AHEAD, THREE_AHEAD)
    # `join_lines` changes the ways; each rotation begins with those before it.
    copy_ways(room, WAY, KEPT_WAY)
    for a in range(n):
        kinds[a] = ROTATE
        copy_ways(room, KEPT_WAY, WAY)
        join_lines(room, cell, code(s.kind, actions[a] - LAY))
        sweep(room, BESIDE, near, FOUR_AHEAD, THREE_AHEAD)
        sweep(room, BESIDE, near, USUAL, ONE_AHEAD)
        balance = lines_after(s, side, room)
        lead, risk = write_sides(s, side, room, marks[a])
        marks[a, AFTER + LEAD + RotationMark.LEAD] = lead / 3.0
        marks[a, AFTER + LEAD + RotationMark.LEAD_BY_RISK] = lead / sqrt(risk + 4.0)
        marks[a, AFTER + LEAD + RotationMark.RISK] = sqrt(risk) / POINTS
        marks[a, AFTER + LEAD + RotationMark.BALANCE] = balance / 3.0
    # What all rotations share decides nothing between them.
    for k in range(AFTER, NAMED):
        mean = 0.0
        for a in range(n):
            mean += marks[a, k] / n
        for a in range(n):
            marks[a, k] -= mean


@rule
def copy_ways(room: Floats32, origin: int, to: int) -> None:
    """Copy where all lines lead, and behind that their tiles."""
    for k in range(2 * SLOTS):
        room[to + k] = room[origin + k]


@rule
def lines_after(s: State, side: int, room: Floats32) -> float:
    """Write what the bodies' lines may expect after a tile; return `evaluation.balance`."""
    balance = 0.0
    for body in range(BODIES):
        at = int(room[WAY + body_slot(body)])
        more, likely = line_ahead(room, ONE_AHEAD, at)
        balance += sign(s, side, body) * (more + likely * room[TILES + body_slot(body)])
        room[LINE_ADD + body], room[LINE_SCORES + body] = line_ahead(room, THREE_AHEAD, at)
    return balance


@rule
def leaves(room: Floats32, at: int, tile: int, start: int) -> tuple[int, float]:
    """Where a line from arm `start` of a cell leads with this tile on it; the tiles of all of it."""
    end = int(JOIN[tile, start])
    to = int(room[WAY + at + end])
    n = room[TILES + at + start] + room[TILES + at + end] + ONE
    while at <= to < at + ENDS:  # the line comes back
        end = int(JOIN[tile, to - at])
        to = int(room[WAY + at + end])
        n += room[TILES + at + end] + ONE
    return to, n


@rule
def join_bodies(s: State, side: int, at: int, room: Floats32) -> tuple[int, bool, float, float]:
    """Write what comes of the bodies' lines that lead to a cell, by the ends that may be joined.

    Returns how many lines these are, whether any line leaves the cell and comes back, and what the
    lines come to while the cell is empty, also by the advice.
    """
    bodies = 0
    returning = False
    points = 0.0
    advised = 0.0
    for end in range(ENDS):
        way = int(room[WAY + at + end])
        returning |= at <= way < at + ENDS
        # Lines lead both ways: an end from which one comes to a body is where its line arrives.
        if way >= BORDER and way % 2 == 0:
            body = (way - BORDER) // 2
            n = room[TILES + at + end]
            rate = room[RATES + owner(s, body)]
            direction = sign(s, side, body)
            points += rate * comes_to(room, FOUR_AHEAD, at + end, n)
            advised += direction * comes_to(room, USUAL, at + end, n)
            for other in range(ENDS):
                to = int(room[WAY + at + other])
                length = n + room[TILES + at + other] + ONE
                k = ENDS * end + other
                room[JOINED + k] = rate * comes_to(room, FOUR_AHEAD, to, length)
                room[ADVISED + k] = direction * comes_to(room, USUAL, to, length)
            room[ARMS + bodies] = end
            bodies += 1
    return bodies, returning, points, advised


@rule
def with_tile(
    s: State, side: int, at: int, tile: int, bodies: int, returning: bool, room: Floats32
) -> tuple[float, float]:
    """What so many bodies' lines (see `join_bodies`) come to with this tile, also by the advice."""
    points = 0.0
    advised = 0.0
    for i in range(bodies):
        start = int(room[ARMS + i])
        # A line may cross the cell twice or more; sums by pairs of ends do not hold then.
        if returning:
            to, n = leaves(room, at, tile, start)
            body = (int(room[WAY + at + start]) - BORDER) // 2
            points += room[RATES + owner(s, body)] * comes_to(room, FOUR_AHEAD, to, n)
            advised += sign(s, side, body) * comes_to(room, USUAL, to, n)
        else:
            k = ENDS * start + int(JOIN[tile, start])
            points += room[JOINED + k]
            advised += room[ADVISED + k]
    return points, advised


@rule
def with_kind(
    s: State, side: int, at: int, kind: int, bodies: int, returning: bool, room: Floats32
) -> tuple[float, float, float, float, float]:
    """What the lines come to with a tile of this kind, whose rotation somebody chooses.

    The most, the least and the sum over its rotations; the most and the least by the advice.
    """
    high = -1e9
    low = 1e9
    total = 0.0
    most = -1e9
    least = 1e9
    # Rotations that look the same are tried once.
    for rotation in range(ROTATIONS[kind]):
        tile = code(kind, rotation)
        points, advised = with_tile(s, side, at, tile, bodies, returning, room)
        high = max(high, points)
        low = min(low, points)
        total = total + points
        most = max(most, advised)
        least = min(least, advised)
    return high, low, total, most, least


@rule
def judge_cell(s: State, side: int, cell: int, room: Floats32) -> None:
    """What the next tile on a cell brings the side: laid for the best, for the worst, at random.

    And what it brings by the advice (`advice.gain`) to this side, or to the other if it lays it.
    """
    at = ENDS * cell
    to = CELL + CELL_NUMBERS * cell
    bodies, returning, here, advised_here = join_bodies(s, side, at, room)
    for k in range(CELL_NUMBERS):
        room[to + k] = 0.0
    # No body's line leads there: whatever is laid changes nothing yet.
    if bodies == 0:
        return
    best = 0.0
    worst = 0.0
    mean = 0.0
    gained = 0.0
    lost = 0.0
    tiles = 0
    for kind in range(KINDS):
        # Each kind counts as often as it is in the stock: chance draws the next tile from there.
        stock = int(s.stock[kind])
        if stock > 0:
            high, low, total, most, least = with_kind(s, side, at, kind, bodies, returning, room)
            best += stock * high
            worst += stock * low
            mean += stock * total / ROTATIONS[kind]
            gained += stock * most
            lost += stock * least
            tiles += stock
    room[to + Cell.BEST] = best / tiles - here
    room[to + Cell.WORST] = worst / tiles - here
    room[to + Cell.MEAN] = mean / tiles - here
    room[to + Cell.BODIES] = bodies
    room[to + Cell.GAINED] = gained / tiles - advised_here
    room[to + Cell.LOST] = advised_here - lost / tiles


@rule
def describe_cells(
    s: State, side: int, actions: Ints, n: int, kinds: Ints32, marks: Floats32, room: Floats32
) -> None:
    """With 3: what the next tile brings there."""
    for a in range(n):
        cell = int(actions[a])
        kinds[a] = NAME
        judge_cell(s, side, cell, room)
        for k in range(4):  # BEST to BODIES, as in the table
            marks[a, NAMED + k] = room[CELL + CELL_NUMBERS * cell + k] / 4.0
        marks[a, NAMED + PairMark.GAINED] = room[CELL + CELL_NUMBERS * cell + Cell.GAINED] / 4.0


@rule
def others_choice(room: Floats32, cell: int, twin: int, theirs: int) -> tuple[float, bool]:
    """What both tiles bring this side if the other side names one of the cells; whether it may.

    theirs: the cells that no foreign body forbids it; it takes what is worse for this side.
    """
    here = CELL + CELL_NUMBERS * cell
    there = CELL + CELL_NUMBERS * twin
    worst = 1e9
    if theirs >> cell & 1:
        worst = float(room[there + Cell.BEST] + room[here + Cell.WORST])
    if theirs >> twin & 1:
        worst = min(worst, float(room[here + Cell.BEST] + room[there + Cell.WORST]))
    return worst, (theirs >> cell | theirs >> twin) & 1 != 0


@rule
def describe_pairs(
    s: State, seat: int, actions: Ints, n: int, kinds: Ints32, marks: Floats32, room: Floats32
) -> None:
    """What the next two tiles bring on a cell and its twin, and if the other side names one."""
    side = side_of(s, seat)
    theirs = not_foreign(s, (seat + 1) % s.seats)
    for cell in range(CELLS):
        if s.free >> cell & 1:
            judge_cell(s, side, cell, room)
    for a in range(n):
        cell = int(actions[a])
        twin = int(TWIN_OF[actions[a]])
        here = CELL + CELL_NUMBERS * cell
        there = CELL + CELL_NUMBERS * twin
        ours = room[here + Cell.BEST] + room[there + Cell.WORST]
        other, free = others_choice(room, cell, twin, theirs)
        kinds[a] = NAME_PAIR if free else NAME_FREE
        marks[a, NAMED + PairMark.BEST] = room[here + Cell.BEST] / 4.0
        marks[a, NAMED + PairMark.TWIN_WORST] = room[there + Cell.WORST] / 4.0
        marks[a, NAMED + PairMark.OURS] = ours / 4.0
        marks[a, NAMED + PairMark.MEAN] = (room[here + Cell.MEAN] + room[there + Cell.MEAN]) / 4.0
        marks[a, NAMED + PairMark.BODIES] = (
            room[here + Cell.BODIES] + room[there + Cell.BODIES]
        ) / 8.0
        if free:
            marks[a, NAMED + PairMark.OVER_THEIRS] = (ours - other) / 4.0
            marks[a, NAMED + PairMark.THEIRS] = other / 4.0
        marks[a, NAMED + PairMark.TWIN_FREE] = s.free >> twin & 1
        marks[a, NAMED + PairMark.GAINED] = room[here + Cell.GAINED] / 4.0
        # The rules may force the next tile onto the twin.
        if forced_after(s, cell) >= 0:
            marks[a, NAMED + PairMark.TWIN_LOST] = room[there + Cell.LOST] / 4.0


INPUTS = NetworkInputs(ONES, 4, NUMBERS, KINDS_OF, MARKS, read, describe)
