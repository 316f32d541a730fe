"""The listed facts of UNDERWORLD, and what always holds."""

import pytest

from diablerie.engine.playout import buffers, playout
from diablerie.engine.rng import seeded
from diablerie.engine.walk import perft
from diablerie.games import ALL
from diablerie.games.underworld.rules.state import (
    ABSENT,
    DEVIL,
    DEVILS,
    FACE,
    IDLE,
    NOTHING,
    PEGS,
    TOWER,
    TOWERS,
    UNSEEN,
    Node,
    size,
)
from diablerie.testing.positions import GameSetting, states_of_game

UNDERWORLD = ALL["underworld"]
SETTINGS = [GameSetting("underworld", n) for n in range(2, 7)]
SETTINGS += [GameSetting("underworld", n, (("gift", "may"),)) for n in range(2, 7)]
EVERY = pytest.mark.parametrize("setting", SETTINGS, ids=str)


@EVERY
def test_fewer_than_four_players_never_have_all_pegs(setting):
    for s in states_of_game(setting, 1) + states_of_game(setting, 2):
        inside = int((s.disk[: setting.seats] != ABSENT).sum())
        assert s.pegs + int(s.devil.sum()) == PEGS
        if setting.seats < 4 or (inside < 4 and s.node == Node.HOLDER):
            assert s.pegs > 0
            assert s.node != Node.HOLDER
            assert FACE not in s.disk


@pytest.mark.parametrize(
    ("seats", "counts"),
    [(2, [2, 96, 3000, 15224]), (3, [3, 144, 4500]), (4, [4, 192, 6000]), (5, [5, 240, 7500]),
     (6, [6, 288, 9000]), pytest.param(2, [2, 96, 3000, 15224, 543164], marks=pytest.mark.ci),
     pytest.param(3, [3, 144, 4500, 83592], marks=pytest.mark.ci)],
)  # fmt: skip
def test_histories_from_the_start(seats, counts):
    start = UNDERWORLD.start(seats)
    assert [perft(UNDERWORLD, start, d + 1) for d in range(len(counts))] == counts


@pytest.mark.parametrize("seats", range(2, 7))
def test_U29_ends_about_half_of_random_games_or_more(seats):
    rng, (out, p), tired = seeded(seats), buffers(UNDERWORLD), 0
    for _ in range(300):
        s = UNDERWORLD.start(seats)
        playout(s, rng, out, p, 20_000)
        inside = int((s.gone[:seats] == 0).sum())
        tired += s.down != 0 and inside > 1
    assert tired >= 130


@EVERY
def test_the_42_cards_are_always_all_there(setting):
    for s in states_of_game(setting, 3)[::5]:
        loose = size(int(s.loose)) + int(s.loose_devils) + int(s.loose_towers)
        hand = s.hand[: s.todo] if s.node == Node.DEAL else s.hand[:0]
        unseen = int((s.card == UNSEEN).sum()) + int((hand == UNSEEN).sum())
        if s.node == Node.DEAL:
            unseen -= size(int(s.laid))
        fixed = [int(c) for c in (*s.card, *hand) if c >= 0]
        assert loose == unseen
        assert len(fixed) + loose == 42
        assert fixed.count(DEVIL) + s.loose_devils == DEVILS
        assert fixed.count(TOWER) + s.loose_towers == TOWERS
        assert all(s.loose >> c & 1 == 0 for c in fixed if c < DEVIL)


@EVERY
def test_cards_lie_on_one_side_and_the_marks_of_open_cards_agree(setting):
    for s in states_of_game(setting, 3)[::9]:
        assert s.up & s.down == 0
        assert not (s.up | s.down) >> FACE & 1
        for space in range(49):
            up, card = bool(s.up >> space & 1), int(s.card[space])
            assert (card == NOTHING) == (not (s.up | s.down) >> space & 1)
            assert not up or (card >= 0 and s.known[space] == 0)
            letters = [i for i in range(6) if s.letter_up[i] >> space & 1]
            colours = [i for i in range(6) if s.colour_up[i] >> space & 1]
            assert letters == ([card % 6] if up and card < DEVIL else [])
            assert colours == ([card // 6] if up and card < DEVIL else [])


@EVERY
def test_no_turn_is_lost_and_nobody_free_with_six_letters_stays(setting):
    for s in states_of_game(setting, 2):
        assert s.idle <= IDLE
        for seat in range(setting.seats):
            assert (s.gone[seat] > 0) == (s.letters[seat] == 63 and not s.devil[seat])
            assert not s.gone[seat] or s.disk[seat] == ABSENT
        ranks = sorted(int(g) for g in s.gone if g)
        assert ranks == list(range(1, len(ranks) + 1))


def test_a_state_is_small_enough_to_be_copied_at_every_step():
    assert UNDERWORLD.state.dtype.itemsize <= 300
