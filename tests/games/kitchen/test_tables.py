"""Numbers of KITCHEN: actions both ways."""

import pytest

from diablerie.games import ALL
from diablerie.games.kitchen.rules import board, state
from diablerie.games.kitchen.rules.moving import move_action, move_of
from tests.scripts import opening

KITCHEN = ALL["kitchen"]


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (0, "menu 0 1 3 5"),
        (state.POT - 1, "menu 5 3 1 0"),
        (state.POT, "pot flame b1"),
        (state.MOVE - 1, "pot star e6"),
        (state.END, "end"),
        (state.FIGHT, "fight"),
        (state.REFUSE, "refuse"),
    ],
)
def test_the_actions_lie_in_the_order_of_the_rules(action, text):
    assert KITCHEN.notation.format_action(opening("kitchen", 2).state, 0, action) == text


def test_a_move_is_devil_target_and_load_by_number_and_by_text():
    s = opening("kitchen", 2).state
    for action in range(state.MOVE, state.END):
        devil, to, load = move_of(action)
        assert move_action(devil, to, load) == action
        word, number, name, *pot = KITCHEN.notation.format_action(s, 0, action).split()
        assert (word, number, name) == ("go", str(devil + 1), board.NAMES[to])
        assert len(pot) == (load > 0)
