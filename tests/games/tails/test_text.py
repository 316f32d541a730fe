"""The sentences of TAILS: log, buttons, prompts."""

from itertools import pairwise

import pytest

from diablerie.engine import verbs
from diablerie.engine.queries import legal_actions
from diablerie.engine.record import copy
from diablerie.engine.text import ENGLISH, render_line
from diablerie.games.tails import GAME
from diablerie.games.tails.rules.notation import CELL_NAMES
from diablerie.games.tails.rules.sides import owner, sides
from diablerie.games.tails.rules.state import CELLS, LAY, LETTERS, PASS, TWIN, Node, code
from diablerie.games.tails.ui.log import cell_name
from diablerie.testing.positions import GameSetting, states_of_game
from tests.games.tails.drawing import KIND, both, drawn, full, put
from tests.scripts import opening, play

WATCHER = verbs.WATCHER
NAMES = ("Ann", "Bo", "Cid", "Dora")
SETTINGS = [GameSetting("tails", seats) for seats in (2, 3, 4)]
EVERY = pytest.mark.parametrize("setting", SETTINGS, ids=str)


def said(line) -> str:
    return render_line(line, ENGLISH, lambda seat: NAMES[seat])


def told(s, tile: str, rotation: int = 0) -> list[str]:
    """The sentences of turning up a tile and laying it."""
    lines = []
    for seat, action in ((verbs.CHANCE, KIND[tile]), (int(s.turn), LAY + rotation)):
        before = copy(s)
        verbs.apply(s, seat, action)
        lines += GAME.ui.narrate(before, seat, action, s, WATCHER)
    return [said(line) for line in lines]


def naming(s, cell: int) -> list[str]:
    before = copy(s)
    verbs.apply(s, int(s.turn), cell)
    return [said(line) for line in GAME.ui.narrate(before, int(before.turn), cell, s, WATCHER)]


# -- the log -----------------------------------------------------------------------------------


def test_a_turn_is_told_from_the_name_of_the_cell_to_the_tail_that_closes():
    s = drawn()
    assert naming(s, 6) == ["Ann chooses the far cell 1."]
    assert told(s, "01-23-45") == [
        "Ann reveals three loops.",
        "Ann places the tile on the far cell 1.",
        "The tail of G ends at once: 1 point for Ann.",
    ]


def test_the_forced_twin_is_told_with_its_clause():
    s = drawn()
    naming(s, both(14)[0])
    told(s, "02-14-35")
    before = copy(s)
    verbs.apply(s, verbs.CHANCE, KIND["01-24-35"])
    lines = GAME.ui.narrate(before, verbs.CHANCE, KIND["01-24-35"], s, WATCHER)
    assert said(lines[0]) == "Bo has to place the tile on the near cell 14."
    assert lines[0].clause == "T10"
    assert said(lines[1]) == "Bo reveals a loop over a cross."


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
    told = [0] * 3
    states = states_of_game(setting)
    for before, after in pairwise(states):
        if before.node == Node.ROTATION:
            action = LAY + int(after.laid[before.cell]) % 3
            lines = GAME.ui.narrate(before, int(before.turn), action, after, WATCHER)
            for line in lines:
                if line.clause == "T19":
                    told[int(owner(after, LETTERS.index(line.values["letter"])))] += line.values[
                        "n"
                    ]
    assert tuple(told[: int(sides(after))]) == GAME.ui.look(after, -1).scores
    assert {"T16", "T18"} <= {line.clause for line in lines}


def test_a_pass_is_told():
    s = drawn(seats=3)
    s.node = Node.PASS
    line = GAME.ui.narrate(s, 0, PASS, s, WATCHER)[0]
    assert said(line) == "Ann cannot choose any cell and passes."
    assert line.clause == "T14"


# -- decisions ---------------------------------------------------------------------------------


def labels(s) -> list[str]:
    return [said(GAME.ui.label(s, int(s.turn), a)) for a in legal_actions(GAME, s, int(s.turn))]


def test_buttons_name_the_cell():
    shown = labels(drawn())
    assert "Choose the far cell 14 towards devils B and C" in shown
    assert "Choose the far cell 1 in front of devil G" in shown


def test_buttons_say_what_a_rotation_brings():
    s = drawn()
    naming(s, 6)
    verbs.apply(s, verbs.CHANCE, KIND["01-24-35"])
    assert labels(s) == [
        "Place it as it is: G scores 1",
        "Place it turned once",
        "Place it turned twice",
    ]


def test_a_script_of_a_match_reads_as_it_was_played():
    match = play(
        opening("tails", 2),
        "first 1, 1 near 14, tile 02-15-34, 1 lay 1, tile 01-23-45, 0 lay 0",
    )
    assert [said(line) for line in match.log()] == [
        "Bo begins.",
        "Bo chooses the near cell 14.",
        "Bo reveals a corner beside a cross.",
        "Bo places the tile on the near cell 14, turned once.",
        "Ann has to place the tile on the far cell 14.",
        "Ann reveals three loops.",
        "Ann places the tile on the far cell 14.",
    ]
    asked = said(GAME.ui.prompt(match.state, 0))
    assert asked.startswith(
        "Choose a cell for your next tile, one where it lengthens a tail of yours."
    )
    assert said(GAME.ui.prompt(match.state, 1)) == "Ann is choosing a cell."


def test_chance_is_told_as_what_it_is():
    s = GAME.start(2)
    assert said(GAME.ui.prompt(s, WATCHER)) == "Lots are drawn to decide who begins."
    verbs.apply(s, verbs.CHANCE, 0)
    verbs.apply(s, 0, 10)
    assert said(GAME.ui.prompt(s, 0)) == "A tile is being revealed."


# -- the end -----------------------------------------------------------------------------------


def ending(seats: int, *longer: int) -> tuple[list[str], str]:
    """Log and prompt at the end, if bodies score 3 on these border cells and 1 on the others."""
    s = full(but=[25], seats=seats)
    s.laid[:] = 0
    for cell in longer:
        s.laid[cell] = code(3, 2)  # as in example 2
    s.laid[25], s.node, s.cell, s.kind = -1, Node.ROTATION, 25, 0
    s.forced = seats != 3
    before = copy(s)
    verbs.apply(s, int(s.turn), LAY)
    lines = GAME.ui.narrate(before, int(before.turn), LAY, s, WATCHER)
    told = [said(line) for line in lines if line.clause in ("T16", "T18")]
    return told, said(GAME.ui.prompt(s, 0))


def test_the_end_names_the_winners_and_their_points():
    over = "All cells are filled: the game is over."
    assert ending(2, 6) == (
        [over, "Ann: the longest tails, 11 in total!"],
        "The hexagon is full. The longest tails: Ann.",
    )
    assert ending(4, 47)[0] == [over, "Bo and Dora: the longest tails, 11 in total!"]


def test_a_shared_win_is_told_of_each_who_shares_it():
    told, asked = ending(3, 6, 47)
    assert told[1:] == [
        "Bo: a shared win with 8 points.",
        "Cid: a shared win with 8 points.",
    ]
    assert asked == "The hexagon is full, and the win is shared."


def test_a_cell_is_named_by_the_number_that_the_board_prints_and_by_its_half():
    free = opening("tails", 2)
    picture = GAME.ui.draw(free.view(0), [], str)
    for cell, notation in enumerate(CELL_NAMES):
        half, number = notation.split()
        assert said(cell_name(cell)).startswith(f"the {half} cell {number} ")
        part = picture.partition(f'id="cell-{cell}"')[2].partition("</g>")[0]
        assert part.count(f">{number}</text>") == 1


def test_a_cell_is_named_by_the_devils_towards_which_it_lies():
    names = [said(cell_name(cell)) for cell in range(CELLS)]
    assert "the far cell 27 in front of devil A" in names
    assert "the far cell 5 towards devils D and E" in names
    assert "the near cell 22 towards devil O" in names
