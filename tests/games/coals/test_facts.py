"""The listed facts of COALS, and what sensible play looks like."""

from itertools import pairwise

import numpy as np

from diablerie.engine.playout import buffers, playout, playout_by_advice
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.games.coals.rules.state import FULL, KINDS, Node
from diablerie.testing.positions import GameSetting, states_of_game

COALS = ALL["coals"]


def test_random_players_hardly_ever_reach_1600():
    rng, (out, p) = seeded(1), buffers(COALS)
    ended = 0
    for _ in range(200):
        s = COALS.start(3)
        playout(s, rng, out, p, 20_000)
        ended += s.rounds == 100
    assert ended > 150


def test_sensible_players_need_7_to_30_rounds():
    rng, (out, p), rounds = seeded(1), buffers(COALS), []
    for k in range(300):
        s = COALS.start(2 + k % 3)
        playout_by_advice(s, rng, out, p, 20_000)
        rounds.append(int(s.rounds))
    assert 7 <= np.mean(rounds) <= 20
    assert np.percentile(rounds, 95) <= 30


def test_the_48_pieces_always_add_up():
    for seats in COALS.seats:
        for s in states_of_game(GameSetting("coals", seats)):
            for kind in range(KINDS):
                assert 0 <= s.furnace[kind] + s.front[:, kind].sum() <= FULL[kind]


def test_money_is_conserved_with_the_bank():
    """Between reveals and settlements money moves between players, or comes 50 a devil at most."""
    for options in ((), (("pact", "first_devil"),), (("mouth", 0),)):
        states = states_of_game(GameSetting("coals", 4, options))
        for before, after in pairwise(states):
            if after.node not in (Node.PULL, Node.COAL) or before.node != Node.COAL:
                continue
            gained = int(after.chips.sum() - before.chips.sum())
            assert 0 <= gained <= 50 * int(before.pact.sum())
            assert gained % 50 == 0


def test_settlement_changes_totals_by_what_the_log_tells():
    for seats in COALS.seats:
        states = states_of_game(GameSetting("coals", seats))
        for before, after in pairwise(states):
            settled = before.node == Node.PULL and after.node in (Node.BET, Node.OVER)
            if settled:
                totals = before.chips + before.stake
                change = after.chips - totals - after.gain
                assert not change[:seats].any()


def test_bets_never_reach_the_goal_and_chips_never_run_below_zero():
    for seats in COALS.seats:
        for s in states_of_game(GameSetting("coals", seats)):
            assert s.chips.min() >= 0
            assert s.node != Node.BET or s.chips.max() < s.goal
