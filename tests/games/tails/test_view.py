"""What one seat sees of TAILS: tails, scores, reasons, the tile in hand."""

from itertools import pairwise

import numpy as np
import pytest

from diablerie.engine import verbs
from diablerie.engine.text import ENGLISH, render_line
from diablerie.games.tails import GAME
from diablerie.games.tails.rules.lines import follow
from diablerie.games.tails.rules.sides import points
from diablerie.games.tails.rules.state import HEAD, SECTOR, TWIN, Node
from diablerie.games.tails.ui.tracing import tails
from diablerie.games.tails.ui.view import Tile
from diablerie.testing.positions import GameSetting, states_of_game
from tests.games.tails.drawing import KIND, drawn, put

SETTINGS = [GameSetting("tails", seats) for seats in (2, 3, 4)]
EVERY = pytest.mark.parametrize("setting", SETTINGS, ids=str)


def said(line) -> str:
    return render_line(line, ENGLISH, lambda seat: f"player {seat}")


@EVERY
def test_tails_end_where_the_rules_say(setting):
    for s in states_of_game(setting)[::9]:
        for tail in tails(s):
            at, length = follow(s, int(HEAD[tail.body]))
            assert len(tail.pieces) == tail.length == length
            assert tail.tip == max(at, -1)
            assert tail.points == points(s, tail.body)
            assert (tail.tip >= 0) == (tail.state == "open")
            if tail.state == "met":
                assert tails(s)[tail.goal].pieces == tuple(
                    (c, b, a) for c, a, b in tail.pieces[::-1]
                )


def test_scores_and_open_lengths_are_shown_by_side():
    s = drawn()
    put(s, 6, 3, 2)
    seen = GAME.ui.look(s, 0)
    assert (seen.scores, seen.open) == ((0, 0), ((1,), ()))
    assert [said(line) for line in GAME.ui.panel(seen, 0)] == ["0 points", "open: 1"]
    put(s, 14, 0)
    seen = GAME.ui.look(s, 0)
    assert (seen.scores, seen.open) == ((3, 0), ((), ()))
    assert [t.state for t in seen.tails if t.letter == "G"] == ["scored"]


def test_the_partner_stands_beside_the_name():
    seen = GAME.ui.look(drawn(seats=4), 1)
    assert [said(line) for line in GAME.ui.panel(seen, 3)] == ["0 points", "with player 1"]


def test_only_who_decides_sees_what_may_not_be_chosen_and_why():
    s = drawn()
    assert GAME.ui.look(s, 1).codes == ()
    codes = GAME.ui.look(s, 0).codes
    assert codes[6] == 0
    assert codes[TWIN[6]] == 11


def test_with_3_the_sector_of_the_last_tile_is_barred_by_t13():
    s = drawn(seats=3)
    put(s, 3, 0)
    s.last = 3
    codes = GAME.ui.look(s, 0).codes
    assert {codes[c] for c in range(54) if SECTOR[c] == SECTOR[3] and c != 3} == {13}


@EVERY
def test_only_who_decides_is_shown_as_deciding(setting):
    for s in states_of_game(setting)[::5]:
        found = [v for v in (verbs.WATCHER, *range(setting.seats)) if GAME.ui.look(s, v).deciding]
        assert found == [v for v in range(setting.seats) if verbs.pending(s) >> v & 1]


@EVERY
def test_the_winners_are_the_sides_with_the_best_return(setting):
    *_, before, over = states_of_game(setting)
    assert GAME.ui.look(before, 0).winners == ()
    out = np.zeros(4)
    verbs.returns(over, out)
    seen = GAME.ui.look(over, 0)
    for seat, side in enumerate(seen.sides):
        assert (side in seen.winners) == (out[seat] == out[: setting.seats].max())


# -- the tile in hand, and what it forces --------------------------------------------------------


@EVERY
def test_the_next_player_has_to_lay_where_the_view_said(setting):
    said_so = 0
    for before, after in pairwise(states_of_game(setting)):
        seen = GAME.ui.look(before, int(before.turn))
        if before.node == Node.CELL:
            twin = -1 if setting.seats == 3 else TWIN[int(after.cell)]
            assert seen.forces[int(after.cell)] == twin == GAME.ui.look(after, 0).next
            assert all(
                other < 0 for other, code in zip(seen.forces, seen.codes, strict=True) if code
            )
        if before.node == Node.ROTATION and seen.next >= 0:
            assert (after.cell, after.forced, after.node) == (seen.next, 1, Node.TILE)
            said_so += 1
        elif before.node == Node.ROTATION:
            assert not after.forced
    assert said_so == (0 if setting.seats == 3 else 27)


def test_the_tile_in_hand_is_seen_in_every_rotation_by_who_lays_it():
    s = drawn()
    verbs.apply(s, 0, 6)
    verbs.apply(s, verbs.CHANCE, KIND["01-24-35"])
    assert [one.tile for one in GAME.ui.look(s, 0).hand] == [Tile(3, 0), Tile(3, 1), Tile(3, 2)]
    assert [one.tile for one in GAME.ui.look(s, 1).hand] == [Tile(3, 0)]
    assert GAME.ui.look(s, 1).next == TWIN[6]
