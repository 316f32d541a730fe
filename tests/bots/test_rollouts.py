"""Rollouts: chances are shares of games won, and a ranking knows no more than its seat."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diablerie.bots.ranking import (
    BEST_NAMED,
    ROUND_GAMES,
    RankedAction,
    best_actions,
    falling,
    ranked_actions,
)
from diablerie.bots.rollouts import Rollouts
from diablerie.bots.searcher import ActionStats, SearchBot, SearchResult
from diablerie.engine import verbs
from diablerie.engine.queries import legal_actions, redacted
from diablerie.engine.record import copy
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.testing.positions import GameSetting, states_of_game
from tests.bots.puzzles import puzzles
from tests.bots.test_search import MANY, decisions


@pytest.mark.parametrize("setting", MANY, ids=str)
def test_when_a_game_is_over_who_has_won_has_all_chances(setting: GameSetting) -> None:
    *_, last = states_of_game(setting, 1, advised=True)
    worth = np.zeros(6)
    verbs.returns(last, worth)
    found = Rollouts(setting.game).chances(last, seeded(1), 5)
    assert found == [float(x > 0) for x in worth[: setting.seats]]


@pytest.mark.parametrize("name", ALL)
def test_who_wins_by_one_move_has_all_chances_after_it(name: str) -> None:
    puzzle = puzzles(name, 1)[0]
    rollouts, (action, *_) = Rollouts(puzzle.game), puzzle.solutions
    chances = rollouts.chances(puzzle.state, seeded(1), 50, puzzle.seat, action)
    assert chances[puzzle.seat] == 1.0


def test_partners_have_the_same_chances() -> None:
    for s, _ in decisions(GameSetting("tails", 4)):
        first, second, third, fourth = Rollouts(ALL["tails"]).chances(s, seeded(1), 20)
        assert (first, second) == (third, fourth)


@pytest.mark.parametrize("setting", MANY, ids=str)
def test_a_ranking_begins_with_what_is_played_and_never_rises(setting: GameSetting) -> None:
    for s, seat in decisions(setting):
        seen = redacted(s, seat)
        result = SearchBot(setting.game, n=300).think(seen, seat, seeded(1))
        found = ranked_actions(setting.game, seen, seat, result, 20)
        assert found[0].action == result.action
        assert len({one.action for one in found}) == len(found) <= BEST_NAMED
        assert {one.action for one in found} <= set(legal_actions(setting.game, s, seat))
        chances = [one.chance for one in found]
        assert chances == sorted(chances, reverse=True)
        assert all(0 <= x <= 1 for x in chances)


@pytest.mark.parametrize("setting", MANY, ids=str)
def test_wrong_hidden_facts_change_no_ranking(setting: GameSetting) -> None:
    for s, seat in decisions(setting, 2):
        wrong = redacted(s, seat)
        verbs.guess(wrong, seat, seeded(99))
        result = SearchBot(setting.game, n=100).think(copy(s), seat, seeded(3))
        right, other = (
            ranked_actions(setting.game, redacted(state, seat), seat, result, 20)
            for state in (s, wrong)
        )
        assert right == other


def judged(*actions: tuple[int, float, float, int]) -> SearchResult:
    """A search's result: actions with worth, error and visits, the first of which is played."""
    found = [ActionStats(a, visits, (worth, -worth), error) for a, worth, error, visits in actions]
    return SearchResult(actions[0][0], actions[0][0], tuple(found), 100)


def test_of_the_others_those_are_named_that_were_tried_enough_and_are_surely_good() -> None:
    result = judged((7, 0.1, 0.1, 50), (1, 0.9, 0.1, 5), (2, 0.5, 0.4, 50), (3, 0.4, 0.1, 50))
    assert best_actions(result, 0) == [7, 3, 2]
    assert best_actions(judged((7, 0.1, 0.1, 50)), 0) == [7]


@pytest.mark.parametrize(("games", "seconds", "rounds"), [(2 * ROUND_GAMES, 1e9, 2), (900, 0.0, 1)])
def test_chances_are_of_all_games_that_were_played_with_the_same_luck(
    games: int, seconds: float, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At least once, however little time there is; other luck each time."""
    won = {7: [0.75, 0.25], 3: [0.5, 0.0]}
    left, luck = {k: iter(v) for k, v in won.items()}, {k: [] for k in won}

    def chances(self: Rollouts, s: object, rng: object, games: int, me: int, action: int):
        assert (games, me) == (ROUND_GAMES, 1)
        luck[action].append(bytes(rng))
        return [0.0, next(left[action])]

    monkeypatch.setattr(Rollouts, "chances", chances)
    result = judged((7, -0.2, 0.1, 50), (3, -0.1, 0.1, 50))
    found = ranked_actions(ALL["coals"], ALL["coals"].start(2), 1, result, games, seconds)
    played = rounds * ROUND_GAMES
    assert found == [(a, sum(x[:rounds]) / rounds, played) for a, x in won.items()]
    assert luck[7] == luck[3]
    assert len(set(luck[7])) == rounds


def test_the_true_chance_lies_in_the_interval_in_95_of_100_cases() -> None:
    for true in (0.02, 0.3, 0.5, 0.9):
        counts = np.random.default_rng(1).binomial(80, true, 4000)
        inside = 0
        for count in counts:
            low, high = RankedAction(0, float(count) / 80, 80).interval
            inside += low <= true <= high
        assert 0.93 < inside / 4000 < 0.985
    assert RankedAction(0, 0.4).interval == (0.4, 0.4), "of an estimate there is none"


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_what_is_evened_out_falls_and_keeps_its_sum(numbers: list[float]) -> None:
    found = falling(numbers)
    assert all(a >= b for a, b in pairwise(found))
    assert sum(found) == pytest.approx(sum(numbers))
    if sorted(numbers, reverse=True) == numbers:
        assert found == pytest.approx(numbers)
