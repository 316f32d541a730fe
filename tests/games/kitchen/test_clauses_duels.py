"""The rules of KITCHEN, one test a clause at least: duels, serving, the end."""

import pytest

from diablerie.engine import verbs
from diablerie.engine.match import Match
from diablerie.engine.queries import chance_outcomes
from diablerie.engine.text import say
from diablerie.engine.verbs import WATCHER
from diablerie.games.kitchen.rules.board import NAMES, STARTS
from diablerie.games.kitchen.rules.state import BANISHED, LOST
from diablerie.games.kitchen.ui.prompts import ending, points
from tests.games.kitchen.kitchens import at, capped, does, kitchen, may, pot_at, targets
from tests.scripts import refused

MEET = """
    y3   y1yF b1bS .    .    v1
    .    b    .    .    g    .
    .    .    #    #    .    .
    .    .    #    #    .    y2
    .    v    .    .    y    vS
    g1   .    .    .    .    b23
"""
BARE = MEET.replace("b1bS", "b1-bS").replace("y1yF", "y1-yF")


def attack(points=3, drawing=MEET):
    """Yellow brings a pot onto blue's devil."""
    return does(kitchen(drawing, points), "go 1 c1 yellow-flame")


def test_K19_arriving_at_an_opposing_devil_stops_the_move_and_starts_a_duel():
    match = attack()
    assert (match.node, match.actor) == ("defend", 2)
    assert match.legal() == ["fight", "refuse"]
    assert match.state.points == 2
    assert verbs.forbids(match.state, 0, match.game.actions - 3) == 13


def test_K19_any_number_of_duels_may_follow():
    drawing = MEET.replace("b1bS .", "b1bS g2")
    match = does(attack(3, drawing), "2 fight", "jump", "go 1 d1")
    assert (match.node, match.actor) == ("defend", 3)
    does(match, "3 refuse", "go 1 e1")
    assert at(match, "y", 1) == "e1"


def test_K20_an_attacker_without_points_left_has_ended_his_turn():
    assert does(attack(1), "2 refuse").node == "roll"


def test_K20_only_the_challenged_player_answers():
    match = attack()
    fight = match.game.actions - 2
    assert verbs.forbids(match.state, 0, fight) == 20
    assert verbs.forbids(match.state, 2, fight) == 0


def test_K21_the_attacker_presses_once_the_defender_twice_and_so_on():
    match = does(attack(), "2 fight")
    for presses in range(1, 8):
        assert match.state.burst == presses
        out, p = chance_outcomes(match.game, match.state)
        assert p[out.index(1)] == pytest.approx(1 - (7 / 8) ** presses)
        does(match, "quiet")
    assert _winner(attack(), "jump") == "attacker"
    assert _winner(attack(), "quiet", "jump") == "defender"
    assert _winner(attack(), "quiet", "quiet", "jump") == "attacker"


def _winner(match, *bursts):
    does(match, "2 fight", *bursts)
    return "attacker" if at(match, "b", 1) == "f6" else "defender"


def test_K22_the_winning_attacker_has_one_point_more_for_that_devil():
    match = does(attack(1), "2 fight", "jump")
    assert (match.state.points, match.state.extra) == (0, 1)
    assert refused(match, "go 2 f5") == "K22"
    assert targets(match, 1) == {"b1", "c2", "d1"}
    assert may(match, "end")
    does(match, "go 1 d1 blue-star")
    assert match.node == "roll"


def test_K22_it_is_spent_first_never_adds_up_and_lapses():
    match = does(attack(), "2 fight", "jump")
    assert (match.state.points, match.state.extra) == (2, 1)
    spent = does(match.copy(), "go 1 d1")
    assert (spent.state.points, spent.state.extra) == (2, 0)
    lapsed = does(match.copy(), "go 2 f5")
    assert (lapsed.state.points, lapsed.state.extra) == (1, 0)
    drawing = MEET.replace("b1bS .    .", "b1bS b2   .").replace("b23", "b3 ")
    twice = does(attack(2, drawing), "2 fight", "jump", "go 1 d1", "2 fight", "jump")
    assert (twice.state.points, twice.state.extra) == (1, 1)
    ended = does(match, "end")
    assert (ended.state.points, ended.state.extra) == (0, 0)


def test_K23_a_winning_defender_stays_and_the_turn_is_over():
    match = does(attack(6), "2 fight", "quiet", "jump")
    assert at(match, "b", 1) == "c1"
    assert at(match, "y", 1) == "a1"
    assert (match.node, match.state.turn, match.state.points) == ("roll", 1, 0)


def test_K24_a_loser_loses_its_cap_and_then_itself():
    match = does(attack(), "2 fight", "jump")
    assert (at(match, "b", 1), capped(match, "b", 1)) == ("f6", False)
    match = does(attack(drawing=BARE), "2 fight", "jump")
    assert match.state.devil[2, 0] == LOST
    match = does(attack(drawing=BARE), "2 fight", "quiet", "jump")
    assert match.state.devil[0, 0] == LOST


def test_K24_a_lost_devil_does_not_move():
    match = kitchen(MEET.replace("y2\n", ".\n"), 3)
    assert refused(match, "go 2 f5") == "K24"


def test_K24_the_last_devil_stays_in_the_game():
    drawing = BARE.replace("y3  ", ".   ").replace("y2", ". ").replace("b23", ".  ")
    lost = does(attack(drawing=drawing), "2 fight", "quiet", "jump")
    assert at(lost, "y", 1) == "a1"
    won = does(attack(drawing=drawing), "2 fight", "jump")
    assert at(won, "b", 1) == "f6"


def test_K25_all_pots_stay_on_the_place_of_a_duel():
    for bursts in (["jump"], ["quiet", "jump"]):
        match = does(attack(), "2 fight", *bursts)
        assert pot_at(match, "yF") == pot_at(match, "bS") == "c1"


NEUTRAL = """
    y123 .    .    .    .    v123
    .    b    .    .    g    .
    .    .    #    #    .    .
    .    .    #    #    .    .
    b1   v    .    .    y    .
    .    g1n  .    .    .    b23
"""


def test_K26_the_next_player_presses_for_a_neutral_devil_which_never_refuses():
    match = does(kitchen(NEUTRAL, 3, turn=2), "go 1 b6")
    assert match.node == "stove"
    assert match.game.ui.look(match.state, WATCHER).duel.seats == (2, 0)
    lost = does(match.copy(), "quiet", "jump")
    assert (at(lost, "b", 1), capped(lost, "b", 1)) == ("f6", False)
    assert at(lost, "g", 1) == "b6"
    won = does(match, "jump")
    assert at(won, "g", 1) is None
    assert (won.state.points, won.state.extra, won.state.turn) == (2, 1, 2)


# -- serving -----------------------------------------------------------------------------------

SERVE = """
    .    .    .    .    .    v12
    .    b    .    .    g    .
    .    .    #    #    .    .
    .    .    #    #    y1vSyF .
    .    v    .    .    y    y2yS
    g1   .    .    .    y3bB b123
"""


def test_K27_the_step_onto_the_own_grill_costs_a_point_and_needs_a_pot():
    match = kitchen(SERVE, 2)
    assert refused(match, "go 1 e5") == "K27"
    assert refused(match, "go 1 e5 yellow-star") == "K17"
    does(match, "go 1 e5 violet-star")
    assert match.state.points == 1
    assert pot_at(match, "vS") == "e5"
    assert refused(match, "go 2 e5 violet-star") == "K17"


def served(*pots):
    """The same with pots on yellow's grill already."""
    match = kitchen(SERVE, 3)
    for pot in pots:
        match.state.pot["yFyEyByS".index(pot) // 2 if pot[0] == "y" else 12] = 28
    return match


def test_K28_one_of_the_first_three_pots_is_an_opponents():
    match = served("yE", "yB")
    assert refused(match, "go 1 e5 yellow-flame") == "K28"
    assert refused(match, "go 2 e5 yellow-star") == "K28"
    assert may(match, "go 2 f4 yellow-star")
    does(match, "go 3 e5 blue-bone")
    assert may(match, "go 2 e5 yellow-star")
    assert may(served("yE"), "go 2 e5 yellow-star")
    assert may(served("yE", "yB", "gF"), "go 2 e5 yellow-star")


def test_K29_the_card_lies_open_and_counts_for_the_server():
    match = does(kitchen(SERVE, 3), "go 3 e5 blue-bone")
    assert match.state.score.tolist() == [3, 0, 0, 0]
    for viewer in (WATCHER, 0, 1):
        assert match.seen_by(viewer).card[10] == 3
        assert match.seen_by(viewer).card[11] < 0


def test_K30_the_devil_goes_back_to_its_start_and_may_use_points_left():
    match = does(kitchen(SERVE, 3), "go 1 e5 violet-star")
    assert at(match, "y", 1) == "a1"
    does(match, "go 1 b1", "go 1 c1")
    assert match.node == "roll"


def test_K31_milk_throws_the_devil_out_cap_or_not():
    match = does(kitchen(SERVE, 3), "go 1 e5 yellow-flame")
    assert match.state.devil[0, 0] == BANISHED
    assert refused(match, "go 1 b1") == "K31"
    does(match, "go 2 f4", "go 2 f5")
    assert match.node == "roll"


def test_K31_a_player_without_devils_ends_the_turn_at_once():
    drawing = SERVE.replace("y2yS", "yS  ").replace("y3bB", "bB  ")
    match = does(kitchen(drawing, 3), "go 1 e5 yellow-flame")
    assert (match.node, match.state.turn) == ("roll", 1)


# -- the end -----------------------------------------------------------------------------------


def test_K32_ten_points_win_at_once():
    match = kitchen(SERVE, 3)
    match.state.score[:] = (5, 9, 0, 0)
    does(match, "go 1 e5 violet-star")
    assert match.over
    assert match.returns() == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])
    assert ending(match.state) == say("somebody had ten points", "K32")
    assert points(match.state) == [10, 9, 0, 0]


def test_K33_players_without_devils_are_skipped():
    drawing = SERVE.replace("v12", ".  ").replace("g1", "g1v1")
    match = kitchen(drawing, 3)
    match.state.devil[1] = LOST
    assert does(match, "end").state.turn == 2


def test_K33_a_player_who_alone_has_devils_wins_whatever_the_points():
    drawing = SERVE.replace("y2yS", "yS  ").replace("y3bB", "bB  ").replace("v12", ".  ")
    match = kitchen(drawing.replace("g1 ", ".  ").replace(" b123", " b1  "), 3)
    assert match.seats == 2
    match.state.score[0] = 9
    does(match, "go 1 e5 yellow-flame")
    assert match.over
    assert match.returns() == [-1, 1]
    assert ending(match.state) == say("only one player had devils left", "K33")


def survivor(option: str, points: int = 9) -> Match:
    """Yellow has these points and one devil with milk, blue no points and its last devil."""
    drawing = SERVE.replace("y2yS", "yS  ").replace("y3bB", "bB  ").replace("v12", ".  ")
    drawing = drawing.replace("g1 ", ".  ").replace(" b123", " b1  ")
    match = kitchen(drawing, 3, survivor=option)
    match.state.score[0] = points
    return match


def test_K33_with_the_option_points_the_most_points_win():
    match = does(survivor("points"), "go 1 e5 yellow-flame")
    assert match.over
    assert match.returns() == [1, -1]
    assert ending(match.state) == say("only one player had devils left", "K33")


def test_K33_with_the_option_plays_on_the_survivor_has_to_earn_ten_points():
    match = does(survivor("plays_on", 5), "go 1 e5 yellow-flame", "roll 1 2", "end")
    assert (match.node, match.state.turn) == ("roll", 1)
    does(match, "roll 1 2")
    match.state.turns = 499
    does(match, "end")
    assert match.returns() == [1, -1]
    assert ending(match.state) == say("the 500th turn was over", "K33")


def test_K33_a_survivor_who_plays_on_wins_with_ten_points_or_loses_when_none_can_have_them():
    match = does(survivor("plays_on", 5), "go 1 e5 yellow-flame")
    s = match.state
    s.score[2], s.devil[2, 0], s.pot[11] = 5, NAMES.index("b3"), NAMES.index("b3")
    does(match, "roll 1 2", "go 1 b2 blue-star")
    assert match.returns() == [-1, 1]
    assert ending(match.state) == say("somebody had ten points", "K32")
    match = does(survivor("plays_on"), "go 1 e5 yellow-flame")
    assert match.returns() == [1, -1]
    assert ending(match.state) == say("nobody could reach ten any more", "K33")


def test_K33_when_nobody_can_reach_ten_the_most_points_win():
    match = kitchen(SERVE.replace("v12", ".  ").replace("g1 ", ".  ").replace("vS", ""), 3)
    assert match.seats == 2
    match.state.score[[0, 2]] = (9, 9)
    does(match, "go 1 e5 yellow-flame")
    assert match.over
    assert match.returns() == [0, 0]
    assert ending(match.state) == say("nobody could reach ten any more", "K33")
    assert points(match.state) == [9, 9], "of the two who play, who sit opposite"


def test_K33_after_the_500th_turn_the_most_points_win_and_equals_share():
    match = kitchen(SERVE, 3)
    match.state.turns = 499
    match.state.score[:] = (4, 6, 6, 0)
    match.state.devil[1] = LOST  # counts all the same
    does(match, "end")
    assert verbs.actor(match.state) == verbs.OVER
    assert match.returns() == pytest.approx([-0.5, 0.5, 0.5, -0.5])
    assert ending(match.state) == say("the 500th turn was over", "K33")
    match = kitchen(SERVE, 3)
    match.state.turns = 498
    assert does(match, "end").node == "roll"
    assert match.state.devil[2, 0] == STARTS[2]
