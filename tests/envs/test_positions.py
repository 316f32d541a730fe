"""States of this process to play on from, by their keys."""

import pytest

from diablerie.engine import verbs
from diablerie.engine.queries import redacted
from diablerie.engine.verbs import WATCHER
from diablerie.envs.spiel_memory import BadPosition, trust_state, trusted_position
from diablerie.games import ALL
from diablerie.testing.positions import all_settings, states_of_game
from tests.scripts import opening, play


def open_to_all(s):
    return verbs.actor(s) >= 0 and redacted(s, WATCHER).data == s.data


@pytest.mark.parametrize("name", ["coals", "tails", "underworld"])  # of KITCHEN none is open
def test_a_trusted_state_is_a_position_of_this_process(name):
    setting = all_settings([name])[0]
    s = next(s for s in states_of_game(setting, 2) if open_to_all(s)).copy()
    named = trust_state(setting.game, s, setting.seats, dict(setting.options))
    got = trusted_position(setting.game, named)
    assert got.s.data == s.data
    assert got.seats == setting.seats
    assert got.options == setting.game.settled(setting.seats, dict(setting.options))
    changed = s.copy()
    changed.data[0] ^= 1
    s.data[0] ^= 1  # the position is a copy: what the caller does afterwards does not change it
    assert trusted_position(setting.game, named).s.data != changed.data


def test_trusted_states_differ_by_options():
    s = play(opening("coals", 2), "first 0").state
    names = {trust_state(ALL["coals"], s, 2, {"mouth": mouth}) for mouth in (0, 0, 3)}
    assert len(names) == 2


def test_what_is_no_position_is_refused_in_a_sentence():
    coals, s = ALL["coals"], play(opening("coals", 2), "first 0").state
    with pytest.raises(BadPosition, match="not a state of TAILS"):
        trusted_position(ALL["tails"], trust_state(coals, s, 2, {}))
    with pytest.raises(BadPosition, match="no state of this process"):
        trusted_position(coals, "0123")
    with pytest.raises(BadPosition, match="no state of TAILS"):
        trust_state(ALL["tails"], s, 2, {})
    with pytest.raises(BadPosition, match="nobody is to decide"):
        trust_state(coals, coals.start(2), 2, {})
    with pytest.raises(BadPosition, match="no state of this process"):
        trusted_position(coals, s.tobytes().hex())  # bytes from outside are never played on


@pytest.mark.parametrize("blank", [False, True])
def test_a_state_that_hides_something_is_refused(blank):
    """A stake that is not revealed yet (C11), whether it is in the record or blanked there."""
    s = play(opening("coals", 2), "first 0, 0 bet 50").state
    with pytest.raises(BadPosition, match="hides something"):
        trust_state(ALL["coals"], redacted(s, WATCHER) if blank else s, 2, {})
