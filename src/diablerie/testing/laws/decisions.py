"""What may be decided, what may happen, how a game ends."""

import numpy as np
import pytest

from diablerie.engine import verbs
from diablerie.engine.queries import chance_outcomes, legal_actions, redacted
from diablerie.engine.record import from_bytes, same
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.games import ALL
from diablerie.testing.positions import (
    GameSetting,
    all_settings,
    by_node,
    choose_action,
    positions,
    states_of_game,
    waiting,
)


def test_the_actor_is_the_lowest_pending_seat(setting: GameSetting) -> None:
    for s in positions(setting):
        seats = waiting(setting, s)
        assert verbs.actor(s) == (seats[0] if seats else verbs.actor(s))
        assert bool(seats) == (verbs.actor(s) >= 0)


def test_legal_lists_what_forbids_allows_in_ascending_order(setting: GameSetting) -> None:
    for s in positions(setting):
        for seat in range(setting.seats):
            allowed = [a for a in range(setting.game.actions) if verbs.forbids(s, seat, a) == 0]
            if seat in waiting(setting, s):
                assert legal_actions(setting.game, s, seat) == allowed
                assert allowed
            else:
                assert allowed == []


def test_refusals_name_a_clause_of_the_rules_text(setting: GameSetting) -> None:
    for s in positions(setting, 4):
        for seat in waiting(setting, s):
            codes = {verbs.forbids(s, seat, a) for a in range(setting.game.actions)} - {0}
            for code in codes:
                assert setting.game.clause(code) in setting.game.clause_texts


def test_chance_lists_outcomes_of_positive_probability_that_sum_to_one(
    setting: GameSetting,
) -> None:
    for s in states_of_game(setting)[:400]:
        if verbs.actor(s) == CHANCE:
            found, p = chance_outcomes(setting.game, s)
            assert found == sorted(set(found))
            assert min(p) > 0
            assert sum(p) == pytest.approx(1)


def test_every_game_ends_and_its_returns_sum_to_zero(setting: GameSetting) -> None:
    for advised in (False, True):
        last = states_of_game(setting, 1, advised)[-1]
        assert verbs.actor(last) == OVER
        out = np.full(setting.game.seats[-1], np.nan)
        verbs.returns(last, out)
        shares = out[: setting.seats]
        assert shares.sum() == pytest.approx(0)
        assert np.abs(shares).max() <= 1


def test_a_state_is_its_bytes(setting: GameSetting) -> None:
    for s in positions(setting, 6):
        assert same(from_bytes(type(s), s.tobytes()), s)


def test_every_node_is_visited_by_the_sampled_positions(name: str) -> None:
    """With some number of seats and some option; laws about a node unvisited say nothing."""
    visited = {node for setting in all_settings([name]) for node in by_node(setting)}
    assert {node.name for node in ALL[name].node if node not in visited} == set()


def test_advice_is_legal_over_whole_games(setting: GameSetting) -> None:
    rng = seeded(2)
    for seed in (1, 2, 3):
        for s in states_of_game(setting, seed, advised=True):
            seat = verbs.actor(s)
            if seat >= 0:
                action = verbs.advise(redacted(s, seat), seat, rng)
                assert verbs.forbids(s, seat, action) == 0


def test_advice_is_not_worse_than_chance(name: str) -> None:
    """One advised seat among random ones does not lose, the seats in turn."""
    rng, out, got = seeded(6), np.zeros(verbs.SEATS), []
    for setting in all_settings([name]):
        for advised in range(setting.seats):
            s = setting.start()
            while (who := verbs.actor(s)) != OVER:
                verbs.apply(s, *choose_action(setting.game, s, rng, who == advised))
            verbs.returns(s, out)
            got.append(out[advised])
    assert np.mean(got) > 0


def test_advice_is_legal_and_values_are_utilities(setting: GameSetting) -> None:
    rng, out = seeded(2), np.zeros(setting.game.seats[-1])
    for s in positions(setting):
        for seat in waiting(setting, s):
            seen = redacted(s, seat)
            assert verbs.advise(seen, seat, rng) in legal_actions(setting.game, s, seat)
        verbs.value(s, out)
        assert np.abs(out[: setting.seats]).max() <= 1 + 1e-9
