"""Decisions and chance: who may decide what, how games end; advice, and what a position is worth."""

import numpy as np
import pytest

from diablerie.engine import verbs
from diablerie.engine.game import unbounded
from diablerie.engine.queries import redacted
from diablerie.engine.record import Record
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.games import ALL
from diablerie.testing.buffers import checked_chance, checked_legal
from diablerie.testing.positions import (
    GameSetting,
    all_settings,
    choose_action,
    decided,
    places_by_node,
    played_games,
    played_on,
    positions,
    states_of_game,
    viewers,
    waiting,
)

STUBBORN_STEPS = 300  # of a game of stubborn players


def test_the_actor_is_the_lowest_pending_seat(setting: GameSetting) -> None:
    for s in positions(setting):
        seats = waiting(setting, s)
        assert verbs.pending(s) < 1 << setting.seats
        assert verbs.actor(s) in (seats[:1] or [CHANCE, OVER])


def test_when_a_game_is_over_nobody_may_do_anything(setting: GameSetting) -> None:
    for game in played_games(setting):
        s = game.states[-1]
        assert verbs.actor(s) == OVER
        assert verbs.pending(s) == 0
        for seat in range(setting.seats):
            assert all(verbs.forbids(s, seat, a) for a in range(setting.game.actions))


def test_no_game_is_longer_than_it_says(setting: GameSetting) -> None:
    """`Game.longest` holds for games at random, after advice, and of stubborn players."""
    settled = setting.game.settled(setting.seats, dict(setting.options))
    longest = setting.game.longest(setting.seats, settled)
    games = [stubborn_game(setting, last) for last in (False, True)]
    for game in played_games(setting):
        games.append([who for who, _ in game.acts])
    for acted in games:
        outcomes = acted.count(CHANCE)
        assert len(acted) - outcomes <= longest.decisions
        assert outcomes <= longest.outcomes


def stubborn_game(setting: GameSetting, last: bool) -> list[int]:
    """Who acts in the first steps of a game in which all take their first or `last` legal action.

    Raises AssertionError if a state comes again, though the game says how long it can be: it could
    go on for ever.
    """
    rng = seeded(7)
    s = setting.start()
    before = set[bytes]()

    def choose(s: Record) -> tuple[int, int]:
        if setting.game.longest is not unbounded:
            assert s.tobytes() not in before, "the same state comes again: there is no longest game"
            before.add(s.tobytes())
        who, what = choose_action(setting.game, s, rng, False)
        return who, what if who == CHANCE else checked_legal(setting.game, s, who)[-last]

    return [who for who, _ in played_on(s, choose, STUBBORN_STEPS)]


def test_legal_lists_what_forbids_allows_in_ascending_order(setting: GameSetting) -> None:
    for s in positions(setting):
        for seat in range(setting.seats):
            allowed = [a for a in range(setting.game.actions) if verbs.forbids(s, seat, a) == 0]
            if seat in waiting(setting, s):
                assert checked_legal(setting.game, s, seat) == allowed
                assert allowed
            else:
                assert allowed == []


def test_refusals_name_a_clause_of_the_rules_text(setting: GameSetting) -> None:
    for s, seat in decided(setting, 4):
        codes = {verbs.forbids(s, seat, a) for a in range(setting.game.actions)} - {0}
        for code in codes:
            assert setting.game.clause(code) in setting.game.clause_texts


def test_chance_lists_outcomes_of_positive_probability_that_sum_to_one(
    setting: GameSetting,
) -> None:
    for s in states_of_game(setting)[:400]:
        if verbs.actor(s) == CHANCE:
            found, p = checked_chance(setting.game, s)
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


def test_every_node_is_visited_by_the_sampled_positions(name: str) -> None:
    """With some number of seats and some option; laws about a node unvisited say nothing."""
    unvisited = set(ALL[name].node)
    for setting in all_settings([name]):
        unvisited -= places_by_node(setting).keys()
        if not unvisited:
            return
    assert {node.name for node in unvisited} == set()


# -- advice and values -----------------------------------------------------------------------------


STATES_ADVISED = 30  # states of a game that are looked at


def test_advice_is_legal_over_whole_games(setting: GameSetting) -> None:
    rng = seeded(2)
    for seed in (1, 2, 3):
        for s in states_of_game(setting, seed, advised=True):
            for seat in waiting(setting, s):
                action = verbs.advise(redacted(s, seat), seat, rng)
                assert verbs.forbids(s, seat, action) == 0


def test_advice_is_not_worse_than_chance(name: str) -> None:
    """One advised seat among random ones does not lose, the seats in turn."""
    rng = seeded(6)
    out = np.zeros(verbs.SEATS)
    got = []
    for setting in all_settings([name]):
        for advised in range(setting.seats):
            s = setting.start()
            while (who := verbs.actor(s)) != OVER:
                verbs.apply(s, *choose_action(setting.game, s, rng, who == advised))
            verbs.returns(s, out)
            got.append(out[advised])
    assert np.mean(got) > 0


def test_advice_uses_only_what_the_seat_may_know(setting: GameSetting) -> None:
    """On the full record it is the same as on the redacted one, the generators being equal."""
    states = [
        s
        for game in played_games(setting)
        for s in game.states[:: len(game.states) // STATES_ADVISED + 1]
    ]
    for seed, s in enumerate(states):
        for seat in waiting(setting, s):
            full = verbs.advise(s, seat, seeded(seed))
            assert verbs.advise(redacted(s, seat), seat, seeded(seed)) == full


def test_values_are_utilities_on_full_and_on_redacted_records(setting: GameSetting) -> None:
    """From -1 to 1, and of the record alone: not of what the buffer held before.

    The value of a full record may go by its secrets, which a search has guessed.
    """
    for s in positions(setting):
        for seen in (s, *(redacted(s, viewer) for viewer in viewers(setting))):
            out = np.zeros(verbs.SEATS)
            again = np.full(verbs.SEATS, 7.0)
            verbs.value(seen, out)
            verbs.value(seen, again)
            values = out[: setting.seats]
            assert np.abs(values).max() <= 1 + 1e-9
            assert np.array_equal(values, again[: setting.seats])
