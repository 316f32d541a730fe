"""KITCHEN's picture: what shares a place can be told apart on a phone, and at the end lids are off."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

import diablerie
from diablerie.games.kitchen.ui.drawing.floor import floor
from diablerie.games.kitchen.ui.drawing.layout import (
    HEIGHT,
    LABELS_EDGE,
    POT_SCALE,
    POTS_ALONE,
    SPACING,
    WIDTH,
    pot_layout,
)
from diablerie.table.state.table_state import FINISHED_TABLE, PERSON, RUNNING, TableSeat, TableState
from diablerie.web.frames.table_page import Viewpoint

PHONE = 320  # pixels
DRAWN = 48  # units that a pot of scale 1 is wide
GOLDEN = Path(__file__).parent / "golden" / "kitchen-4.jsonl"


def test_a_pot_is_24_pixels_wide_on_a_phone():
    assert DRAWN * POT_SCALE * PHONE / (WIDTH + LABELS_EDGE) >= 24


@pytest.mark.parametrize(
    ("pots", "devils"), [(n, 0) for n in range(1, POTS_ALONE + 1)] + [(1, 1), (2, 2)]
)
def test_every_pot_that_is_not_in_a_heap_shows_its_sign(pots: int, devils: int):
    spots, scale = pot_layout(pots, devils)
    assert len(set(spots)) == pots
    assert scale == POT_SCALE
    for (x, y), (u, v) in combinations(spots, 2):
        assert abs(x - u) >= 38 or abs(y - v) >= 38, "38 units show a sign whole"
    assert max(abs(x) for x, _ in spots) <= SPACING / 2


def table(over: bool) -> Viewpoint:
    """The eyes of seat 0 at a golden match, over or one ply before."""
    match = diablerie.load(GOLDEN)
    shown = match if over else match.at(match.ply - 1)
    seats = tuple(TableSeat(i, PERSON, "", None) for i in range(match.seats))
    status = FINISHED_TABLE if over else RUNNING
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


def test_devils_on_a_start_and_many_pots_are_one_thing_with_their_number_and_can_be_spread_out():
    match = diablerie.load(GOLDEN)
    match = match.at(match.ply // 2)
    picture = ET.fromstring(match.game.ui.draw(match.view(0), [], str))
    heaps = {e.get("data-fan"): e for e in picture.iter() if e.get("data-fan")}
    fans = {e.get("data-fan-of"): e for e in picture.iter() if e.get("data-fan-of")}
    assert heaps
    assert heaps.keys() == fans.keys()
    for cell, heap in heaps.items():
        here = [e for e in heap if e.get("id")]
        (number,) = (e.text for e in heap.iter() if e.get("class") == "count")
        assert number == f"×{len(here)}"
        assert len(list(fans[cell])) == len(here) + 1, "and what is below them"


def test_no_bubble_of_the_lava_sticks_out_over_its_edge():
    bubbles = re.findall(r'<circle cx="(\d+)" cy="(\d+)" r="(\d)" class="bubble"/>', floor())
    assert len(bubbles) > 20
    for x, y, r in (map(int, one) for one in bubbles):
        assert r < x < WIDTH - r
        assert r < y < HEIGHT - r
