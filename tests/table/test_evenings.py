"""Evenings: which of a group's finished games belong to the last one."""

from diablerie.table.authority import Authority
from diablerie.table.commands import evenings
from diablerie.table.commands.evenings import MOST_GAMES, PAUSE_SECONDS
from tests.table.conftest import ANN, BO, Clock
from tests.table.test_groups import family, table, won_by


def test_an_evening_begins_after_a_long_pause_and_keeps_the_order_of_its_games(
    authority: Authority, clock: Clock
) -> None:
    group = family(authority)
    assert evenings.last_evening(authority, group.id) == []
    ended = []
    for pause in (0.0, PAUSE_SECONDS + 1, PAUSE_SECONDS, 60.0):
        clock.now += pause
        ended.append(won_by(authority, group, ANN))
    table(authority, group)  # is not over
    assert [live.id for live in evenings.last_evening(authority, group.id)] == ended[1:]


def test_of_a_long_evening_the_last_games_are_shown(authority: Authority, clock: Clock) -> None:
    group = family(authority)
    ended = []
    for _ in range(MOST_GAMES + 2):
        clock.now += 60.0
        ended.append(won_by(authority, group, BO))
    assert [live.id for live in evenings.last_evening(authority, group.id)] == ended[2:]
