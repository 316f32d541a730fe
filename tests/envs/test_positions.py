"""Positions to play on from: plies of match files, and states of this process."""

import pytest

from diablerie.engine import files, verbs
from diablerie.engine.match import Match
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import WATCHER
from diablerie.envs.positions import BadPosition, read_position, trust_state
from diablerie.envs.spiel_completions import TooManyCompletions, completions
from diablerie.games import ALL
from diablerie.testing.positions import all_settings, states_of_game
from tests.scripts import opening, play


@pytest.mark.parametrize("name", ALL)
def test_a_trusted_state_is_a_position_of_this_process(name):
    setting = all_settings([name])[0]
    s = next(s for s in states_of_game(setting, 2) if verbs.actor(s) >= 0).copy()
    named = trust_state(setting.game, s, setting.seats, dict(setting.options))
    got = read_position(setting.game, named)
    assert got.s.data == s.data
    assert got.seats == setting.seats
    assert got.options == setting.game.settled(setting.seats, dict(setting.options))
    changed = s.copy()
    changed.data[0] ^= 1
    s.data[0] ^= 1  # the position is a copy: what the caller does afterwards does not change it
    assert read_position(setting.game, named).s.data != changed.data


def test_trusted_states_differ_by_options():
    s = play(opening("coals", 2), "first 0").state
    names = {trust_state(ALL["coals"], s, 2, {"mouth": mouth}) for mouth in (0, 0, 3)}
    assert len(names) == 2


def test_what_is_no_position_is_refused_in_a_sentence():
    coals, s = ALL["coals"], play(opening("coals", 2), "first 0").state
    with pytest.raises(BadPosition, match="of COALS, not TAILS"):
        read_position(ALL["tails"], trust_state(coals, s, 2, {}))
    with pytest.raises(BadPosition, match="of another process"):
        read_position(coals, "trusted-0123")
    with pytest.raises(BadPosition, match="no state of TAILS"):
        trust_state(ALL["tails"], s, 2, {})
    with pytest.raises(BadPosition, match="nobody is to decide"):
        trust_state(coals, coals.start(2), 2, {})
    with pytest.raises(BadPosition, match="match file, @ and a ply"):
        read_position(coals, "x" + s.tobytes().hex())  # bytes from outside are never played on


def test_a_ply_of_a_match_file_is_a_position(tmp_path):
    match = Match.new(ALL["coals"], seats=3, seed=4, options={"mouth": 0})
    for _ in range(9):
        match.play(match.legal()[0])
    files.save(match, tmp_path / "a.jsonl")
    got = read_position(ALL["coals"], f"{tmp_path}/a.jsonl@5")
    assert (got.seats, got.options["mouth"]) == (3, 0)
    assert got.s.data == match.at(5).state.data
    for wrong in ("a.jsonl@99", "a.jsonl@0", "a.jsonl", "none.jsonl@3"):
        with pytest.raises((BadPosition, OSError)):
            read_position(ALL["coals"], f"{tmp_path}/{wrong}")
    with pytest.raises(BadPosition, match="of COALS, not TAILS"):
        read_position(ALL["tails"], f"{tmp_path}/a.jsonl@5")


@pytest.mark.parametrize("name", ALL)
def test_completions_are_all_that_guess_brings_as_often_as_it_does(name):
    setting = all_settings([name])[0]
    tried = 0
    for s in states_of_game(setting, 3)[::-1]:
        public = redacted(s, WATCHER)
        if verbs.actor(s) < 0 or tried == 2:
            continue
        try:
            listed = completions(setting.game, public)
        except TooManyCompletions:
            continue
        tried += 1
        assert sum(p for _, p in listed) == pytest.approx(1)
        chances = {one.tobytes(): p for one, p in listed}
        assert all(redacted(one, WATCHER).data == public.data for one, _ in listed)
        rng, seen = seeded(8), dict.fromkeys(chances, 0)
        for _ in range(300):
            guessed = public.copy()
            verbs.guess(guessed, WATCHER, rng)
            seen[guessed.tobytes()] += 1
        if len(seen) <= 10:
            for data, count in seen.items():
                assert abs(count / 300 - chances[data]) < 0.15
    assert tried


def test_completions_of_secret_stakes_are_those_that_can_be_made():
    match = play(opening("coals", 3), "first 0, 0 bet 50, 1 bet 200")
    listed = completions(match.game, redacted(match.state, WATCHER))
    assert len(listed) == 21 * 21
    assert [p for _, p in listed] == pytest.approx([1 / 441] * 441)
    assert sum(s.data == match.state.data for s, _ in listed) == 1
