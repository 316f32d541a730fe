"""Several decisions at once: bounds."""

import pytest

from diablerie.engine import verbs
from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.table.errors import BadInput, IllegalMove
from diablerie.table.state.table_state import LONGEST_PREMOVES, foresee
from tests.table.conftest import ANN, BO, seated


def test_nobody_plans_through_what_chance_draws_first() -> None:
    """Where a start waits for what players have promised, chance comes before any decision."""
    game = ALL["coals"]
    start = game.start(2)
    assert verbs.actor(start) == verbs.CHANCE
    with pytest.raises(IllegalMove):
        foresee(game, start, 0, ["bet 50"])


def test_so_many_decisions_in_a_row_and_no_more(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    with pytest.raises(IllegalMove):  # not because of their number
        authority.live(table).position(0, ["bid 1"] * LONGEST_PREMOVES)
    with pytest.raises(BadInput, match="too much"):
        authority.live(table).position(0, ["bid 1"] * (LONGEST_PREMOVES + 1))
