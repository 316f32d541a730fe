"""KITCHEN's picture: what shares a place can be told apart on a phone, and at the end lids are off."""

import re
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

import pytest

import diablerie
from diablerie.games.kitchen.ui.drawing.layout import (
    CROWD,
    EDGE,
    POT,
    SPACING,
    SPOTS,
    TAG_OFFSET,
    TAG_RADIUS,
    WIDTH,
    badge_spot,
    devil_layout,
    edge_shift,
    pot_layout,
)
from diablerie.table.state.table_state import OVER, PERSON, RUNNING, TableSeat, TableState
from diablerie.web.frames.viewpoint import Viewpoint

PHONE = 320  # pixels
DRAWN = 48  # units that a pot of scale 1 is wide
GOLDEN = Path(__file__).parent / "golden" / "kitchen-4.jsonl"
BADGE = TAG = 14.0  # radius of a number that must stay free, and of a pot's value


def test_a_pot_is_24_pixels_wide_on_a_phone():
    assert DRAWN * POT * PHONE / (WIDTH + EDGE) >= 24


@pytest.mark.parametrize(("pots", "devils"), list(product(range(1, CROWD + 1), range(3))))
def test_every_pot_of_a_stack_shows_its_sign(pots: int, devils: int):
    spots, scale = pot_layout(pots, devils)
    assert len(set(spots)) == pots
    assert scale == POT
    for (x, y), (u, v) in combinations(spots, 2):
        assert abs(x - u) >= 38 or abs(y - v) >= 38, "38 units show a sign whole"
    assert max(abs(x) for x, _ in spots) <= SPACING / 2


@pytest.mark.parametrize(("pots", "devils"), list(product(range(4), (1, 2))))
def test_no_devils_number_is_covered(pots: int, devils: int):
    standing, scale = devil_layout(devils, pots, False)
    numbers = []
    for x, y in standing:
        dx, dy = badge_spot(x, pots, False, scale)
        numbers.append((x + dx, y + dy))
    laid = pot_layout(pots, devils)[0] if pots else []
    for x, y in numbers:
        for u, v in laid:
            assert v - 26 >= y or abs(x - u) > 28, "above every lid, or beside it"
        assert abs(x) + BADGE <= SPACING / 2
    for (x, y), (u, v) in combinations(numbers, 2):
        assert (x - u) ** 2 + (y - v) ** 2 > (2 * BADGE) ** 2


@pytest.mark.parametrize(("count", "devils"), list(product(range(1, CROWD + 4), range(3))))
def test_the_picture_has_room_for_every_value_of_a_stack(count: int, devils: int):
    spots, scale = pot_layout(count, devils)
    for x, _ in SPOTS:
        shift = edge_shift(x, spots, scale)
        ends = [x - shift + dx + TAG_OFFSET * scale + TAG_RADIUS for dx, _ in spots]
        assert max(ends) <= WIDTH
        assert shift == 0 or x == max(SPOTS)[0], "only beside the edge"
        assert shift < SPACING / 6, "on its own cell"


def table(over: bool) -> Viewpoint:
    """The eyes of seat 0 at a golden match, over or one ply before."""
    match = diablerie.load(GOLDEN)
    shown = match if over else match.at(match.ply - 1)
    seats = tuple(TableSeat(i, PERSON, "", None) for i in range(match.seats))
    status = OVER if over else RUNNING
    live = TableState("t", match.game, match.options, status, True, None, "", 0.0, seats)
    return Viewpoint(replace(live, match=shown), (0,), 0)


def drawn(seen: Viewpoint) -> str:
    return seen.live.game.ui.draw(seen.view, [], str)


def test_when_the_game_is_over_all_lids_are_off_and_show_what_was_inside():
    over = table(True)
    left = [one for one in over.view.pots if not one.delivered]
    assert len({one.colour for one in left}) > 1
    assert all(one.card is not None for one in left)
    picture = drawn(over)
    assert picture.count('class="lid"') == len(left)
    values = re.findall(r'class="opened"', picture)
    assert len(values) == len(left)


def test_until_then_others_pots_stay_closed():
    running = table(False)
    left = [one for one in running.view.pots if not one.delivered and one.colour != 0]
    assert left
    assert all(one.card is None for one in left)
    assert 'class="lid"' not in drawn(running)
