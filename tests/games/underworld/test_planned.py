"""A whole plan, until it is sent: the question, and whose turn the picture shows."""

import pytest

from diablerie.engine import verbs
from diablerie.engine.queries import chance_outcomes, redacted
from diablerie.engine.record import Record
from diablerie.engine.rng import seeded
from diablerie.games.underworld import GAME
from diablerie.games.underworld.rules.state import Node
from diablerie.table.state.table_state import foresee


def first_turn(seats: int) -> Record:
    """The first turn of a game, as its player sees it."""
    s, rng = GAME.start(seats), seeded(3)
    while s.node != Node.TURN:
        who = verbs.actor(s)
        chance = who == verbs.CHANCE
        action = chance_outcomes(GAME, s)[0][0] if chance else verbs.advise(s, who, rng)
        verbs.apply(s, who, action)
    return redacted(s, int(s.turn))


@pytest.mark.parametrize("seats", [2, 6])
def test_a_swap_is_a_question_and_the_turn_stays_the_players(seats: int):
    before = first_turn(seats)
    seat = int(before.turn)
    after = foresee(GAME, before, seat, ["swap", "exchange x1", "with z1"])
    plan = GAME.asked_of_plan(before, [one.action for one in after], after[-1].record, seat)
    assert plan.question.text.format(**plan.question.values) == "Swap x1 with z1?"
    assert GAME.ui.look(after[-1].record, seat).actor != seat
    assert (plan.view.actor, plan.view.turn, plan.view.node) == (seat, seat, "turn")
    assert plan.view.turns == before.turns
    assert "x1" in plan.view.moved
    assert "z1" in plan.view.moved


def test_a_shuffle_is_a_question_with_all_its_spaces():
    before = first_turn(2)
    seat = int(before.turn)
    before.devil[seat] = 1
    texts = ["rearrange", "take x1", "take z1", "done", "lay x1", "lay z1"]
    after = foresee(GAME, before, seat, texts)
    plan = GAME.asked_of_plan(before, [one.action for one in after], after[-1].record, seat)
    asked = "Shuffle the cards on x1, z1 and place them face down on x1, z1?"
    assert plan.question.text.format(**plan.question.values) == asked
    assert plan.view.actor == seat
