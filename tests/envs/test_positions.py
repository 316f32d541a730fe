"""Positions from outside: what games lead to is taken, what they cannot lead to is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as tuned
from hypothesis import strategies as st

from diablerie.engine import files, verbs
from diablerie.engine.asking import redacted
from diablerie.engine.match import Match
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import OVER, WATCHER
from diablerie.envs.positions import BadPosition, checked, read, written
from diablerie.envs.spiel_completions import TooMany, completions
from diablerie.games import ALL
from diablerie.testing.positions import choose, history, settings
from tests.scripts import opening, play

CHECKED = [name for name, game in ALL.items() if hasattr(game.rules, "checks")]


def settled(setting):
    return setting.game.settled(setting.seats, dict(setting.options))


@pytest.mark.parametrize("setting", settings(CHECKED), ids=str)
def test_every_position_of_a_game_is_taken(setting):
    for advised in (False, True):
        states = [s for s in history(setting, 2, advised) if verbs.actor(s) >= 0]
        assert states
        for s in states[:: 1 + len(states) // 150]:
            again = checked(setting.game, s.tobytes(), setting.seats, settled(setting))
            assert again.data == s.data


def test_games_without_checks_take_no_bytes():
    for name in set(ALL) - set(CHECKED):
        with pytest.raises(BadPosition, match="match files only"):
            checked(ALL[name], b"", 2, {})


@tuned(max_examples=300, deadline=None, derandomize=True)
@given(data=st.data())
def test_mutilated_bytes_are_refused_or_can_be_played_to_the_end(data):
    setting = data.draw(st.sampled_from(settings(CHECKED)))
    states = [s for s in history(setting) if verbs.actor(s) >= 0]
    raw = bytearray(data.draw(st.sampled_from(states)).data)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at] = data.draw(st.sampled_from([0, 1, 2, 3, 5, 10, 50, 127, 128, 254, 255]))
    try:
        s = checked(setting.game, bytes(raw), setting.seats, settled(setting))
    except BadPosition:
        return
    assert_playable(setting, s)


def assert_playable(setting, s):
    """Played on at random a position keeps its fields in their ranges, and ends in time."""
    verbs.redact(s, WATCHER)
    verbs.guess(s, WATCHER, seeded(3))
    bound, rng, steps = setting.game.longest(setting.seats, settled(setting)), seeded(4), 0
    while verbs.actor(s) != OVER:
        verbs.apply(s, *choose(setting.game, s, rng, False))
        steps += 1
        if verbs.actor(s) >= 0 and steps % 7 == 0:
            checked(setting.game, s.tobytes(), setting.seats, settled(setting))
    assert steps <= sum(bound)


@tuned(max_examples=50, deadline=None, derandomize=True)
@given(raw=st.binary(max_size=300), text=st.text(max_size=40))
def test_any_bytes_and_any_text_are_refused_in_a_sentence(raw, text):
    for name in CHECKED:
        game = ALL[name]
        full = raw.ljust(game.state.dtype.itemsize, b"\0")
        for one in (text, "x" + raw.hex(), "x" + full.hex()):
            with pytest.raises((BadPosition, OSError, ValueError)):
                read(game, one, 2, game.settled(2, {}))


SPOILT = {
    "there is no node 7": {"node": 7},
    "node is not from 1 to 2": {"node": 4},
    "money is in tens": {"chips": (205, 200)},
    "a seat that there is not": {"chips": (200, 200, 10)},
    "where the pawns are": {"chips": (300, 200)},
    "the game is over": {"chips": (1600, 200), "space": (12, 2)},
    "who has a pact": {"pact": (1, 0), "rounds": 2},
    "the furnace is empty": {"furnace": (0,) * 7},
    "had to be filled": {"furnace": (2, 3, 7, 0, 0, 0, 0)},
    "pieces are put aside": {"pieces": (1, 0)},
    "all stakes are made": {"stake": (10, 10)},
    "a stake that cannot be made": {"stake": (210, -1)},
    "goal is not what": {"goal": 1200},
    "rounds is not from": {"rounds": 101},
}


@pytest.mark.parametrize("why", SPOILT)
def test_what_is_wrong_is_said(why):
    game = ALL["coals"]
    s = play(opening("coals", 2), "first 0").state
    for name, value in SPOILT[why].items():
        if isinstance(value, tuple):
            getattr(s, name)[: len(value)] = value
        else:
            setattr(s, name, value)
    with pytest.raises(BadPosition, match=why):
        checked(game, s.tobytes(), 2, game.settled(2, {}))


def test_padding_is_zero():
    game = ALL["coals"]
    s = play(opening("coals", 2), "first 0").state
    used = np.zeros(len(s.data), bool)
    for name in s.declared:
        kind, at = s.dtype.fields[name][:2]
        used[at : at + kind.itemsize] = True
    assert not used.all()
    s.data[int(np.flatnonzero(~used)[0])] = 1
    with pytest.raises(BadPosition, match="between the fields"):
        checked(game, s.tobytes(), 2, game.settled(2, {}))


def test_a_ply_of_a_match_file_is_a_position(tmp_path):
    match = Match.new(ALL["coals"], seats=3, seed=4, options={"mouth": 0})
    for _ in range(9):
        match.play(match.legal()[0])
    files.save(match, tmp_path / "a.jsonl")
    got = read(ALL["coals"], f"{tmp_path}/a.jsonl@5", 2, {})
    assert (got.seats, got.options["mouth"]) == (3, 0)
    assert got.s.data == match.at(5).state.data
    for wrong in ("a.jsonl@99", "a.jsonl@0", "a.jsonl", "none.jsonl@3"):
        with pytest.raises((BadPosition, OSError)):
            read(ALL["coals"], f"{tmp_path}/{wrong}", 2, {})
    with pytest.raises(BadPosition, match="of COALS, not TAILS"):
        read(ALL["tails"], f"{tmp_path}/a.jsonl@5", 2, {})


@pytest.mark.parametrize("name", ALL)
def test_completions_are_all_that_guess_brings_as_often_as_it_does(name):
    setting = settings([name])[0]
    tried = 0
    for s in history(setting, 3)[::-1]:
        public = redacted(s, WATCHER)
        if verbs.actor(s) < 0 or tried == 2:
            continue
        try:
            listed = completions(setting.game, public)
        except TooMany:
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


def test_written_positions_read_back():
    s = play(opening("coals", 2), "first 0, 0 bet 50").state
    game = ALL["coals"]
    assert read(game, written(s), 2, game.settled(2, {})).s.data == s.data
