"""Advice and values: legal, better than chance, and from no more than a seat may know."""

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import OVER
from diablerie.testing.positions import (
    GameSetting,
    all_settings,
    choose_action,
    played_games,
    positions,
    states_of_game,
    viewers,
    waiting,
)

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
