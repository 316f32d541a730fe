"""Positions from outside: what games lead to is taken, what they cannot lead to is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as tuned
from hypothesis import strategies as st

from diablerie.engine import files, verbs
from diablerie.engine.match import Match
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import OVER, WATCHER
from diablerie.envs.positions import BadPosition, checked_state, position_text, read_position
from diablerie.envs.spiel_completions import TooManyCompletions, completions
from diablerie.games import ALL, OURS
from diablerie.testing.positions import GameSetting, all_settings, choose_action, states_of_game
from tests.scripts import opening, play

CHECKED = [name for name, game in ALL.items() if hasattr(game.rules, "checks")]


def settled(setting):
    return setting.game.settled(setting.seats, dict(setting.options))


@pytest.mark.parametrize("setting", all_settings(CHECKED), ids=str)
def test_every_position_of_a_game_is_taken(setting):
    for advised in (False, True):
        states = [s for s in states_of_game(setting, 2, advised) if verbs.actor(s) >= 0]
        assert states
        for s in states[:: 1 + len(states) // 60]:
            again = checked_state(setting.game, s.tobytes(), setting.seats, settled(setting))
            assert again.data == s.data


def test_a_game_without_checks_takes_no_bytes(monkeypatch):
    game = ALL["tails"]
    s = play(opening("tails", 2), "first 0").state
    monkeypatch.delattr(game.rules, "checks")
    with pytest.raises(BadPosition, match="match files only"):
        checked_state(game, s.tobytes(), 2, {})


def test_all_our_games_take_bytes():
    assert {game.name for game in OURS} <= set(CHECKED)


@tuned(max_examples=150, deadline=None, derandomize=True)
@given(data=st.data())
def test_mutilated_bytes_are_refused_or_can_be_played_to_the_end(data):
    setting = data.draw(st.sampled_from(all_settings(CHECKED)))
    states = [s for s in states_of_game(setting) if verbs.actor(s) >= 0]
    raw = bytearray(data.draw(st.sampled_from(states)).data)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at] = data.draw(st.sampled_from([0, 1, 2, 3, 5, 10, 50, 127, 128, 254, 255]))
    try:
        s = checked_state(setting.game, bytes(raw), setting.seats, settled(setting))
    except BadPosition:
        return
    assert_playable(setting, s)


def assert_playable(setting, s):
    """Played on at random a position keeps its fields in their ranges, and ends in time."""
    verbs.redact(s, WATCHER)
    verbs.guess(s, WATCHER, seeded(3))
    bound, rng, steps = setting.game.longest(setting.seats, settled(setting)), seeded(4), 0
    while verbs.actor(s) != OVER:
        verbs.apply(s, *choose_action(setting.game, s, rng, False))
        steps += 1
        if verbs.actor(s) >= 0 and steps % 7 == 0:
            checked_state(setting.game, s.tobytes(), setting.seats, settled(setting))
    assert steps <= sum(bound)


@tuned(max_examples=50, deadline=None, derandomize=True)
@given(raw=st.binary(max_size=300), text=st.text(max_size=40))
def test_any_bytes_and_any_text_are_refused_in_a_sentence(raw, text):
    for name in CHECKED:
        game = ALL[name]
        full = raw.ljust(game.state.dtype.itemsize, b"\0")
        for one in (text, "x" + raw.hex(), "x" + full.hex()):
            with pytest.raises((BadPosition, OSError, ValueError)):
                read_position(game, one, 2, game.settled(2, {}))


COALS = ("coals", "first 0")
UNDERWORLD = ("underworld", "first 0, 0 place t1, 1 place z7")
KITCHEN = ("kitchen", "")
SPOILT = {
    "there is no node 7": (COALS, {"node": 7}),
    "node is not from 1 to 2": (COALS, {"node": 4}),
    "money is in tens": (COALS, {"chips": (205, 200)}),
    "chips of a seat that there is not": (COALS, {"chips": (200, 200, 10)}),
    "where the pawns are": (COALS, {"chips": (300, 200)}),
    "the game is over": (COALS, {"chips": (1600, 200), "space": (12, 2)}),
    "who has a pact": (COALS, {"pact": (1, 0), "rounds": 2}),
    "the furnace is empty": (COALS, {"furnace": (0,) * 7}),
    "had to be filled": (COALS, {"furnace": (2, 3, 7, 0, 0, 0, 0)}),
    "pieces are put aside": (COALS, {"pieces": (1, 0)}),
    "all stakes are made": (COALS, {"stake": (10, 10)}),
    "a stake that cannot be made": (COALS, {"stake": (210, -1)}),
    "goal is not what": (COALS, {"goal": 1200}),
    "rounds is not from": (COALS, {"rounds": 101}),
    "where the cards lie": (UNDERWORLD, {"up": 1}),
    "nothing but disks": (("underworld", "first 0, 0 place t1"), {"pegs": 3}),
    "where the disks are": (("underworld", "first 0, 0 place t1"), {"disk": (24, -1)}),
    "how many devil pegs": (UNDERWORLD, {"devil": (1, 0)}),
    "who has all letters": (UNDERWORLD, {"letters": (63, 0)}),
    "who has a disk": (UNDERWORLD, {"disk": (-1, 48)}),
    "devil of a seat that there is not": (UNDERWORLD, {"devil": (0, 0, 1), "pegs": 3}),
    "turns without than with": (UNDERWORLD, {"idle": 3}),
    "which letters are not seen": (UNDERWORLD, {"loose": 5}),
    "cards are taken only": (UNDERWORLD, {"taken": 1}),
    "what is asked there .GIFT.": (UNDERWORLD, {"node": 14}),
    "hand is not from 0 to 0": (UNDERWORLD, {"hand": (1,)}),
    "nobody is to decide": (UNDERWORLD, {"node": 3}),
    "a menu .K8.": (KITCHEN, {"card": (0, 1, 1, 5)}),
    "more than menus and pots": (KITCHEN, {"turns": 4}),
    "whether all menus are chosen": (KITCHEN, {"node": 2}),
    "pots are put after": (KITCHEN, {"pot": (1,)}),
}


@pytest.mark.parametrize("why", SPOILT)
def test_what_is_wrong_is_said(why):
    (name, script), spoilt = SPOILT[why]
    game, s = ALL[name], play(opening(name, 2), script).state
    assert checked_state(game, s.tobytes(), 2, game.settled(2, {})).data == s.data
    for field, value in spoilt.items():
        if isinstance(value, tuple):
            getattr(s, field)[: len(value)] = value
        else:
            setattr(s, field, value)
    with pytest.raises(BadPosition, match=why):
        checked_state(game, s.tobytes(), 2, game.settled(2, {}))


LATER = {  # of an advised game of KITCHEN for two, where a devil is to move
    "the points of what was served": {"score": (9, 0, 0, 0)},
    "dice that cannot be thrown": {"dice": (0, 2), "points": 1},
    "more points than were thrown": {"points": 6, "dice": (1, 1)},
    "no points left": {"points": 0},
    "two wings": {"wings": 1},
    "a duel is not over": {"duel": 1},
    "who has a point for a duel won": {"extra": 1, "duel": 0},
    "a pot where none can be": {"pot": (0,)},
    "a devil where none can be": {"devil": ((14, 0, 0),)},
    "a turn without devils|thrown out for milk": {"devil": ((-2, -2, -2),)},
    "of a colour that nobody plays": {"cap": ((1, 1, 1), (1, 1, 1))},
}


@pytest.mark.parametrize("why", LATER)
def test_what_is_wrong_in_a_kitchen_is_said(why):
    states = states_of_game(GameSetting("kitchen", 2), 1, True)
    s = next(s for s in states if s.node == 4 and not s.wings and s.devil[0].max() == 0).copy()
    for field, value in LATER[why].items():
        if isinstance(value, tuple):
            getattr(s, field)[: len(value)] = value
        else:
            setattr(s, field, value)
    with pytest.raises(BadPosition, match=why):
        checked_state(ALL["kitchen"], s.tobytes(), 2, ALL["kitchen"].settled(2, {}))


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
        checked_state(game, s.tobytes(), 2, game.settled(2, {}))


def test_a_ply_of_a_match_file_is_a_position(tmp_path):
    match = Match.new(ALL["coals"], seats=3, seed=4, options={"mouth": 0})
    for _ in range(9):
        match.play(match.legal()[0])
    files.save(match, tmp_path / "a.jsonl")
    got = read_position(ALL["coals"], f"{tmp_path}/a.jsonl@5", 2, {})
    assert (got.seats, got.options["mouth"]) == (3, 0)
    assert got.s.data == match.at(5).state.data
    for wrong in ("a.jsonl@99", "a.jsonl@0", "a.jsonl", "none.jsonl@3"):
        with pytest.raises((BadPosition, OSError)):
            read_position(ALL["coals"], f"{tmp_path}/{wrong}", 2, {})
    with pytest.raises(BadPosition, match="of COALS, not TAILS"):
        read_position(ALL["tails"], f"{tmp_path}/a.jsonl@5", 2, {})


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


def test_written_positions_read_back():
    s = play(opening("coals", 2), "first 0, 0 bet 50").state
    game = ALL["coals"]
    assert read_position(game, position_text(s), 2, game.settled(2, {})).s.data == s.data
