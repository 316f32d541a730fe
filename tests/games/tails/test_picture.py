"""The picture of TAILS, over positions of random and advised play."""

import re
from functools import cache
from itertools import combinations
from math import dist

import pytest

from diablerie.engine import verbs
from diablerie.games.tails.rules.state import BODIES, CELLS, ENDS, TWIN, Node, pairs
from diablerie.games.tails.ui.drawing import layout
from diablerie.games.tails.ui.drawing.tiles import meet
from diablerie.games.tails.ui.tracing import tails
from diablerie.testing.positions import GameSetting
from tests.games import pictures
from tests.games.pictures import ids

SETTINGS = [GameSetting("tails", seats) for seats in (2, 3, 4)]
EVERY = pytest.mark.parametrize("setting", SETTINGS, ids=str)


@cache
def drawn(setting: GameSetting) -> list[tuple]:
    return pictures.drawn(setting, 9, (verbs.WATCHER, *range(setting.seats)))


def having(root, name: str) -> list:
    return [el for el in root.iter() if name in (el.get("class") or "").split()]


@EVERY
def test_every_cell_is_free_or_has_its_tile_and_every_body_its_head(setting):
    for s, _, _, root in drawn(setting):
        assert len(ids(root, "tile-")) == s.count
        assert len([i for i in ids(root, "cell-") if i[5:].isdigit()]) == CELLS - s.count
        assert len(ids(root, "body-")) == BODIES


@EVERY
def test_who_decides_can_do_all_that_is_legal_on_the_board_and_nobody_else_anything(setting):
    for s, viewer, texts, root in drawn(setting):
        spots = {el.get("data-action"): el for el in root.iter() if el.get("data-action")}
        previews = {el.get("data-preview") for el in root.iter() if el.get("data-choice") == ""}
        if s.node == Node.ROTATION and len(texts) > 1:
            assert previews == set(texts)
            assert texts[0] in spots
        elif s.node == Node.CELL and texts:
            can = {text for text, el in spots.items() if "can" in el.get("class").split()}
            assert can == set(texts)
        else:
            assert not spots
        assert viewer >= 0 or not spots.keys() | previews


@EVERY
def test_forbidden_cells_give_their_clause(setting):
    barred = [cell for _, _, _, root in drawn(setting) for cell in having(root, "barred")]
    for cell in barred:
        clause = next(k for k in cell.get("class").split() if k.startswith("clause-"))
        assert f"(T{clause[7:]})" in cell[0].text
    assert barred or not any(s.node == Node.CELL and s.count for s, *_ in drawn(setting))


@EVERY
def test_all_pieces_of_a_tail_light_up_with_its_devil(setting):
    for s, _, _, root in drawn(setting):
        laid = [el for el in root.iter() if (el.get("id") or "").startswith("tile-")]
        lit = [el.get("data-lights") for tile in laid for el in tile if el.get("data-lights")]
        for tail in tails(s):
            shared = {(c, *sorted((a, b))) for c, a, b in tail.pieces}
            key = f"body-{tail.letter}"
            assert sum(key in one.split() for one in lit) == len(shared) == tail.length


@EVERY
def test_states_of_a_tail_differ_in_more_than_colour(setting):
    for s, _, _, root in drawn(setting):
        bodies = {el.get("id"): el for el in having(root, "body")}
        for tail in tails(s):
            body = bodies[f"body-{tail.letter}"]
            points = "".join(el.text for el in having(body, "points"))
            assert points == {"open": "", "met": "0", "scored": str(tail.length)}[tail.state]
            assert bool(ids(root, f"tip-{tail.letter}")) == (tail.state == "open")


@EVERY
def test_the_last_the_forced_and_the_next_cell_are_marked(setting):
    for s, _, _, root in drawn(setting):
        marks = {name: bool(having(root, name)) for name in ("last", "forced", "chosen")}
        hand = s.node == Node.ROTATION
        assert marks["last"] == (s.last >= 0)
        assert marks["forced"] == (hand and bool(s.forced))
        assert marks["chosen"] == (hand and not s.forced)


@EVERY
def test_no_number_of_a_marked_cell_lies_on_another(setting):
    for _, _, _, root in drawn(setting):
        shown = [el for el in root.iter() if re.match("tails-marks|hand-", el.get("id") or "")]
        marks = [mark for part in shown for mark in having(part, "mark")]
        tags = [el.get("transform") for mark in marks for el in mark if having(el, "tag-number")]
        places = [tuple(map(float, re.findall(r"-?[\d.]+", tag))) for tag in tags]
        assert all(dist(a, b) > 26 for a, b in combinations(places, 2))


def test_where_the_twins_meet_in_the_middle_one_number_stays():
    cells = range(CELLS)
    twins = [(cell, TWIN[cell]) for cell in cells if meet(cell, TWIN[cell])]
    assert twins
    assert not any(meet(cell, -1) for cell in cells), "no cell is marked"


# -- the curves --------------------------------------------------------------------------------


def numbers(d: str) -> list[float]:
    return [float(word) for word in d.replace("M", "").replace("C", " ").split()]


@pytest.mark.parametrize("flat", [False, True])
def test_lines_go_on_smoothly_in_the_next_cell(flat: bool):
    for a in range(ENDS):
        for b in set(range(ENDS)) - {a}:
            x, y, cx, cy = numbers(layout.curve(a, b, flat))[:4]
            assert (x, y) == pytest.approx(layout.ENDS_AT[a], abs=0.01)
            dx, dy = layout.inward(a)
            assert (cx - x) * dy == pytest.approx((cy - y) * dx, abs=0.5)
            assert (cx - x) * dx + (cy - y) * dy > 1


def cubic(d: str, steps: int = 60) -> list[tuple[float, float]]:
    p = numbers(d)
    found = []
    for i in range(steps + 1):
        t = i / steps
        w = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        found.append(tuple(sum(k * v for k, v in zip(w, p[j::2], strict=True)) for j in (0, 1)))
    return found


def test_lines_that_need_not_cross_keep_apart():
    for kind in range(7):
        ends = pairs(kind, 0)
        for i, (a, b) in enumerate(ends):
            for c, d in ends[i + 1 :]:
                inside = sorted((a, b))[0] < c < sorted((a, b))[1]
                if inside == (sorted((a, b))[0] < d < sorted((a, b))[1]):
                    one, other = (cubic(layout.curve(*e, kind == 4)) for e in ((a, b), (c, d)))
                    gaps = [(x - u) ** 2 + (y - v) ** 2 for x, y in one for u, v in other]
                    assert min(gaps) > 11.5**2
