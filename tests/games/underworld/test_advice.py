"""What sensible play looks like: goals it sees, dangers it avoids, games that end."""

import numpy as np
import pytest

from diablerie.engine import verbs
from diablerie.engine.playout import buffers, playout_by_advice
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.games.underworld.rules.notation import ACTION_TEXTS
from diablerie.testing.positions import GameSetting, states_of_game
from tests.games.underworld.boards import board
from tests.scripts import play

UNDERWORLD = ALL["underworld"]


def answers(match) -> set[str]:
    """What advice says, over some seeds."""
    seat = verbs.actor(match.state)
    seen = redacted(match.state, seat)
    return {ACTION_TEXTS.format(verbs.advise(seen, seat, seeded(seed))) for seed in range(20)}


def test_it_takes_a_letter_in_reach_and_leaves_if_it_can():
    assert answers(board(2, "0 at w1", "C0 up at w2")) == {"move w2"}
    match = board(2, "0 at w1", "0 holds ABCDE", "F0 up at v1")
    assert answers(match) == {"move v1"}


def test_it_remembers_what_it_has_looked_at_and_knows_no_more():
    assert answers(board(2, "0 at w1", "C0 down at w2 seen by 0")) == {"move w2"}
    assert "move w2" not in answers(board(2, "0 at w1", "devil down at w2 seen by 0"))
    unseen = answers(board(2, "0 at w1", "bare v1", "bare x1", "devil down at w2 seen by 1"))
    assert len(unseen) > 3


def test_it_avoids_devils_and_above_all_the_second():
    assert "move w2" not in answers(board(2, "0 at w1", "devil up at w2"))
    match = board(2, "0 at w1", "0 possessed", "0 holds ABC", "devil up at w2", "1 at w3")
    assert answers(match) == {"move w3"}


def test_it_swaps_a_far_letter_into_reach():
    match = board(2, "0 at t1", "C0 up at z7", "1 at w4")
    assert answers(match) == {"swap"}
    first = answers(play(match, "0 swap"))
    assert len(first) == 1
    play(match, f"0 {first.pop()}")
    assert answers(match) == {"with z7"}


def test_it_hands_the_devil_to_the_possessed_and_with_six_letters_to_anyone():
    match = board(3, "0 at w3", "0 possessed", "1 possessed", "1 holds ABC", "1 at t1")
    assert answers(match) == {"move t1"}
    match = board(3, "0 at w3", "0 possessed", "0 holds ABCDEF", "D1 up at w2", "2 at z1")
    assert answers(match) <= {"move t1", "move z7", "move z1"}


def test_it_shuffles_letters_that_others_near_the_way_out_need():
    match = board(
        2, "0 at t1", "0 possessed", "1 at z1", "devil up at z1", "1 holds ABCDE", "F1 up at z6",
    )  # fmt: skip
    assert answers(match) == {"rearrange"}
    play(match, "0 rearrange")
    taken = []
    while match.node == "take":
        taken.append(answers(match).pop())
        play(match, f"0 {taken[-1]}")
    assert "take z6" in taken


def test_it_rids_itself_of_the_devil_on_a_tower_and_looks_where_it_can_go():
    match = board(2, "0 at w1", "0 possessed", "tower up at w2", "1 at t1")
    play(match, "0 move w2")
    assert answers(match) == {"put back"}
    play(match, "0 put back")
    assert answers(match) == {"peek v2", "peek x2", "peek w1", "peek w3"}


def test_it_loses_letters_that_it_can_find_again():
    match = board(
        2, "0 at w1", "0 possessed", "0 holds ABCD", "devil up at w2", "D0 up at w3", "B0 up at z7",
    )  # fmt: skip
    play(match, "0 move w2")
    assert answers(match) == {"lose B"}
    play(match, "0 lose B")
    assert answers(match) == {"lose D"}


FEW_AND_MANY = [
    n if n in (2, 6) else pytest.param(n, marks=pytest.mark.nightly) for n in range(2, 7)
]


@pytest.mark.parametrize("seats", FEW_AND_MANY)
def test_games_between_advised_players_end_soon_and_hardly_ever_by_U29(seats):
    rng, (out, p), turns, tired = seeded(seats), buffers(UNDERWORLD), [], 0
    for _ in range(200):
        s = UNDERWORLD.start(seats)
        playout_by_advice(s, rng, out, p, 20_000)
        inside = int((s.gone[:seats] == 0).sum())
        tired += s.down != 0 and inside > 1
        turns.append(int(s.turns))
    assert tired <= 4
    assert 25 <= np.median(turns) <= 110
    assert max(turns) < 300


@pytest.mark.parametrize("seats", range(2, 7))
def test_values_sum_to_zero_and_tell_who_will_leave(seats):
    right = wrong = 0.0
    out, end = np.zeros(6), np.zeros(6)
    for seed in range(1, 9):
        states = states_of_game(GameSetting("underworld", seats), seed, advised=True)
        verbs.returns(states[-1], end)
        for s in states[len(states) // 2 : -1 : 10]:
            verbs.value(s, out)
            assert out[:seats].sum() == pytest.approx(0)
            sure = out[:seats] * end[:seats]
            right += float(sure[sure > 0].sum())
            wrong -= float(sure[sure < 0].sum())
    assert right > 1.5 * wrong
