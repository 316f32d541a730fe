"""Where a disk can go: the flood on bit boards against a plain search step by step."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diablerie.engine.record import copy
from diablerie.games.underworld.rules.state import (
    BOARD,
    FACE,
    LETTERS,
    Node,
    above,
    bit,
    distance,
    flood,
    index,
    size,
    spread,
    without_last,
)
from diablerie.games.underworld.rules.targets import targets
from diablerie.games.underworld.ui.choices import paths
from diablerie.testing.positions import GameSetting, states_of_game

SPACES = st.integers(0, 48)
SETS = st.integers(0, BOARD)


def steps(space: int) -> list[int]:
    """The neighbours of a space, by row and column."""
    row, column = divmod(space, 7)
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [7 * r + c for r, c in around if 0 <= r < 7 and 0 <= c < 7]


def members(spaces: int) -> set[int]:
    return {i for i in range(49) if spaces >> i & 1}


def others_on(s, seat: int, space: int) -> int:
    return sum(i != seat and s.disk[i] == space for i in range(int(s.seats)))


def may_enter(s, seat: int, space: int) -> bool:
    """U16, U17, U22."""
    if space == FACE and s.pegs:
        return False
    return others_on(s, seat, space) <= (1 if s.devil[seat] else 0)


def goes_on(s, seat: int, space: int) -> bool:
    """U10, U20, U22: whether a space is open to someone who has entered it."""
    if others_on(s, seat, space):
        return True
    if s.down >> space & 1:
        return bool(s.devil[seat])
    if not s.up >> space & 1:
        return True
    card = int(s.card[space])
    return card < 36 and bool(s.letters[seat] >> card % LETTERS & 1)


def walked(s, seat: int) -> set[int]:
    """All spaces where a move can end, one step after the other."""
    start = int(s.disk[seat])
    ends, queue = set(), [start]
    while queue:
        for space in steps(queue.pop()):
            if space in ends or not may_enter(s, seat, space):
                continue
            ends.add(space)
            if goes_on(s, seat, space):
                queue.append(space)
    return ends - {start}


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_targets_on_boards_made_at_random(data):
    """More letters, devils and crowds than play brings about."""
    seats = data.draw(st.integers(2, 6))
    states = states_of_game(GameSetting("underworld", seats), 1)
    s = copy(states[data.draw(st.integers(seats + 1, len(states) - 1))])
    for seat in range(seats):
        s.disk[seat] = data.draw(SPACES)
        s.letters[seat] = data.draw(st.integers(0, 63))
        s.devil[seat] = data.draw(st.booleans())
    s.pegs = data.draw(st.sampled_from([0, 0, 1]))
    seat = data.draw(st.integers(0, seats - 1))
    assert members(targets(s, seat)) == walked(s, seat)


@given(SPACES, SETS)
def test_a_flood_is_all_that_steps_connect(start, passable):
    seen, queue = {start}, [start]
    while queue:
        new = {n for n in steps(queue.pop()) if passable >> n & 1} - seen
        seen |= new
        queue += new
    assert members(flood(1 << start, passable)) == seen


@given(SETS)
def test_sets_of_spaces_are_what_they_say(spaces):
    found = sorted(members(spaces))
    assert size(spaces) == len(found)
    assert members(spread(spaces)) == {n for i in found for n in steps(i)}
    assert sorted(members(without_last(spaces))) == found[:-1]
    if found:
        assert index(spaces) == found[-1]


@given(SPACES, SPACES)
def test_single_spaces(a, b):
    assert index(bit(a)) == a
    assert (b > a) == bool(above(a) >> b & 1)
    assert distance(a, b) == abs(a // 7 - b // 7) + abs(a % 7 - b % 7)
    assert (distance(a, b) == 1) == (b in steps(a))


@pytest.mark.parametrize("seats", [2, 5])
def test_a_way_is_made_of_single_steps_over_open_spaces(seats):
    states = states_of_game(GameSetting("underworld", seats), 1)[seats + 1 : 400 : 3]
    turns = [s for s in states if s.node in (Node.TURN, Node.ONWARD)]
    assert len(turns) > 5
    for s in turns:
        seat = int(s.turn)
        ways = paths(s, seat)
        assert set(ways) == members(targets(s, seat))
        for goal, way in ways.items():
            assert (way[0], way[-1]) == (int(s.disk[seat]), goal)
            assert all(b in steps(a) for a, b in pairwise(way))
            assert all(goes_on(s, seat, space) for space in way[1:-1])
