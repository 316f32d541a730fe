"""TAILS in words: the lines of every tile, the end of every tail, every free cell."""

import re

from diablerie.games.tails.rules.state import (
    BODIES,
    CELLS,
    ENDS,
    LETTERS,
    PLACES,
    TURNS,
    corners,
    end_point,
    middle,
    pairs,
    points_up,
)
from diablerie.games.tails.ui.log import cell_name
from diablerie.games.tails.ui.tracing import tails
from diablerie.games.tails.ui.view import end_name
from tests.games.told import all_told

LINE = re.compile(r"(\w+ \w+) to (\w+ \w+)(?: \(([A-Z+]+)\))?")


def test_every_end_of_a_cell_is_named_by_where_it_lies_in_the_picture():
    for cell in range(CELLS):
        x, heights = middle(cell)[0], [corner[1] for corner in corners(cell)]
        y = (min(heights) + max(heights)) / 2
        names = [str(end_name(cell, end)) for end in range(ENDS)]
        assert len(set(names)) == ENDS
        for end, name in enumerate(names):
            across, down = end_point(cell, end)
            assert ("right" in name) == (across > x)
            if "upper" in name or "top" in name:
                assert down < y
            if "lower" in name or "bottom" in name:
                assert down > y
            base = name.startswith("bottom" if points_up(PLACES[cell]) else "top")
            assert base == (end // 2 == 1), "the side that lies level"


def test_every_tile_is_told_with_what_its_lines_join_and_whose_they_are():
    lying = 0
    for told in all_told("tails"):
        places, lines = told.places, tails(told.s)
        for cell in range(CELLS):
            what, code = places[str(cell_name(cell))], int(told.s.laid[cell])
            if code < 0:
                assert what.startswith("free")
                continue
            lying += 1
            joined = {
                (
                    str(end_name(cell, a)),
                    str(end_name(cell, b)),
                    "+".join(t.letter for t in lines if {(cell, a, b), (cell, b, a)} & {*t.pieces}),
                )
                for a, b in pairs(*divmod(code, TURNS))
            }
            assert {(m[1], m[2], m[3] or "") for m in LINE.finditer(what)} == joined
    assert lying


def test_every_devil_is_told_with_where_its_tail_has_come_to():
    states = set()
    for told in all_told("tails"):
        places = told.places
        for tail in tails(told.s):
            what = places[tail.letter]
            states.add(tail.state)
            if tail.state == "open":
                cell, end = divmod(tail.tip, ENDS)
                assert what.endswith(f"{cell_name(cell)}, {end_name(cell, end)}")
                assert what.startswith(f"{tail.length} tile" if tail.length else "no tile yet")
            elif tail.state == "scored":
                assert what.startswith(
                    f"comes out beside {LETTERS[tail.goal]}, {tail.points} point"
                )
            else:
                assert what == f"met {LETTERS[tail.goal]}, no points"
    assert states == {"open", "scored", "met"}


def test_everybody_has_all_devils_of_the_side_below_its_name():
    for told in all_told("tails"):
        heads = [head for head in told.sections if head.startswith("player")]
        lines = [line for head in heads for line in told.sections[head]]
        letters = [line[0] for line in lines if re.match("[A-Z]: ", line)]
        assert sorted(letters) == sorted(LETTERS)
        assert len(letters) == BODIES
