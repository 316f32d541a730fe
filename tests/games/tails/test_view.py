"""What one seat sees of TAILS: sentences, scores, reasons."""

from itertools import pairwise

import pytest

from diablerie.engine import verbs
from diablerie.engine.asking import legal_actions
from diablerie.engine.record import copy
from diablerie.engine.text import ENGLISH, render
from diablerie.games.tails import GAME
from diablerie.games.tails.rules.board import HEAD, LETTERS, SECTOR, TWIN
from diablerie.games.tails.rules.scoring import ends_in_tail, follow, sides
from diablerie.games.tails.rules.state import TURN, Node
from diablerie.games.tails.ui import view
from diablerie.games.tails.ui.tracing import MET, OPEN, SCORED, tails
from diablerie.testing.positions import Setting, history
from tests.scripts import opening, play

from .drawing import KIND, both, drawn, put

NAMES = ("Ann", "Bo", "Cid", "Dora")
SETTINGS = [Setting("tails", seats) for seats in (2, 3, 4)]
EVERY = pytest.mark.parametrize("setting", SETTINGS, ids=str)


def said(line) -> str:
    return render(line, ENGLISH, lambda seat: NAMES[seat])


def told(s, tile: str, rotation: int = 0) -> list[str]:
    """The sentences of turning up a tile and laying it."""
    lines = []
    for seat, action in ((verbs.CHANCE, KIND[tile]), (int(s.turn), TURN + rotation)):
        before = copy(s)
        verbs.apply(s, seat, action)
        lines += view.narrate(before, seat, action, s, -1)
    return [said(line) for line in lines]


def naming(s, cell: int) -> list[str]:
    before = copy(s)
    verbs.apply(s, int(s.turn), cell)
    return [said(line) for line in view.narrate(before, int(before.turn), cell, s, -1)]


# -- the log -----------------------------------------------------------------------------------


def test_a_turn_is_told_from_the_name_of_the_cell_to_the_tail_that_closes():
    s = drawn()
    assert naming(s, 6) == ["Ann chooses cell 1 of the far half, at G."]
    assert told(s, "01-23-45") == [
        "Ann turns up three loops.",
        "Ann lays it on cell 1 of the far half, at G.",
        "The tail of G ends at once: 1 point for Ann.",
    ]


def test_the_forced_twin_is_told_with_its_clause():
    s = drawn()
    naming(s, both(14)[0])
    told(s, "02-14-35")
    before = copy(s)
    verbs.apply(s, verbs.CHANCE, KIND["01-24-35"])
    lines = view.narrate(before, verbs.CHANCE, KIND["01-24-35"], s, -1)
    assert said(lines[0]) == "Bo has to lay on cell 14 of the near half."
    assert lines[0].clause == "T10"
    assert said(lines[1]) == "Bo turns up a loop over a cross."


def test_two_bodies_that_meet_are_told_once():
    s = drawn()
    put(s, 0, 2)
    naming(s, 1)
    lines = told(s, "02-14-35")
    assert [line for line in lines if "meet" in line] == ["C and D meet: neither scores."]


def test_partners_score_together():
    s = drawn(seats=4, turn=1)
    naming(s, TWIN[6])
    assert told(s, "01-23-45")[-1] == "The tail of R ends at once: 1 point for Bo and Dora."


@EVERY
def test_the_log_of_a_whole_game_tells_every_point_once(setting):
    points = [0] * 3
    states = history(setting)
    for before, after in pairwise(states):
        if before.node == Node.ROTATION:
            action = TURN + int(after.laid[before.cell]) % 3
            lines = view.narrate(before, int(before.turn), action, after, -1)
            for line in lines:
                if line.clause == "T19":
                    points[LETTERS.index(line.values["letter"]) * sides(after) // 18] += (
                        line.values["n"]
                    )
    assert points[: int(sides(after))] == view.look(after, -1)["scores"]
    assert {"T16", "T18"} <= {line.clause for line in lines}


def test_a_pass_is_told():
    s = drawn(seats=3)
    s.node = Node.PASS
    line = view.narrate(s, 0, 57, s, -1)[0]
    assert said(line) == "Ann can choose no cell and passes."
    assert line.clause == "T14"


# -- the position ------------------------------------------------------------------------------


@EVERY
def test_tails_end_where_the_rules_say(setting):
    for s in history(setting)[::9]:
        for tail in tails(s):
            assert len(tail.pieces) == tail.length
            assert tail.points == rules_points(s, tail.body)
            assert (tail.tip >= 0) == (tail.state == OPEN)
            if tail.state == MET:
                assert tails(s)[tail.goal].pieces == [(c, b, a) for c, a, b in tail.pieces[::-1]]


def rules_points(s, body: int) -> int:
    at, n = follow(s, int(HEAD[body]))
    return n if ends_in_tail(at) else 0


def test_scores_and_open_lengths_are_shown_by_side():
    s = drawn()
    put(s, 6, 3, 2)
    seen = view.look(s, 0)
    assert (seen["scores"], seen["open"]) == ([0, 0], [[1], []])
    assert [said(line) for line in view.panel(seen, 0)] == ["0 points", "open: 1"]
    put(s, 14, 0)
    seen = view.look(s, 0)
    assert (seen["scores"], seen["open"]) == ([3, 0], [[], []])
    assert [t["state"] for t in seen["tails"] if t["letter"] == "G"] == [SCORED]


def test_the_partner_stands_beside_the_name():
    seen = view.look(drawn(seats=4), 1)
    assert [said(line) for line in view.panel(seen, 3)] == ["0 points", "with Bo"]


def test_only_who_decides_sees_what_he_may_not_choose_and_why():
    s = drawn()
    assert view.look(s, 1)["codes"] == []
    codes = view.look(s, 0)["codes"]
    assert codes[6] == 0
    assert codes[TWIN[6]] == 11


def test_with_3_the_sector_of_the_last_tile_is_barred_by_t13():
    s = drawn(seats=3)
    put(s, 3, 0)
    s.last = 3
    codes = view.look(s, 0)["codes"]
    assert {codes[c] for c in range(54) if SECTOR[c] == SECTOR[3] and c != 3} == {13}


# -- decisions ---------------------------------------------------------------------------------


def labels(s) -> list[str]:
    return [said(view.label(s, int(s.turn), a)) for a in legal_actions(GAME, s, int(s.turn))]


def test_buttons_name_the_cell():
    shown = labels(drawn())
    assert "Choose cell 14 of the far half" in shown
    assert "Choose cell 1 of the far half, at G" in shown


def test_buttons_say_what_a_rotation_brings():
    s = drawn()
    naming(s, 6)
    verbs.apply(s, verbs.CHANCE, KIND["01-24-35"])
    assert labels(s) == [
        "Lay it as it is: G scores 1",
        "Lay it turned once",
        "Lay it turned twice",
    ]


def test_the_tile_in_hand_is_seen_in_every_rotation_by_who_lays_it():
    s = drawn()
    naming(s, 6)
    verbs.apply(s, verbs.CHANCE, KIND["01-24-35"])
    assert [one["tile"] for one in view.look(s, 0)["hand"]] == [[3, 0], [3, 1], [3, 2]]
    assert [one["tile"] for one in view.look(s, 1)["hand"]] == [[3, 0]]
    assert view.look(s, 1)["next"] == TWIN[6]


def test_a_script_of_a_match_reads_as_it_was_played():
    match = play(
        opening("tails", 2),
        "first 1, 1 near 14, tile 02-15-34, 1 lay 1, tile 01-23-45, 0 lay 0",
    )
    assert [said(line) for line in match.log()] == [
        "Bo begins.",
        "Bo chooses cell 14 of the near half.",
        "Bo turns up a corner beside a cross.",
        "Bo lays it turned once on cell 14 of the near half.",
        "Ann has to lay on cell 14 of the far half.",
        "Ann turns up three loops.",
        "Ann lays it on cell 14 of the far half.",
    ]
    assert said(view.prompt(match.state, 0)) == "Choose a cell. Its tile is turned up afterwards."
    assert said(view.prompt(match.state, 1)) == "Ann is choosing a cell."
