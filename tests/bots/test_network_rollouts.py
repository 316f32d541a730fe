"""The learnt policy that plays its likely actions on before it chooses."""

import msgspec
import numpy as np
import pytest

from diablerie.bots import network_bot
from diablerie.bots.network_bot import NetworkBot
from diablerie.bots.network_rollouts import ROLLOUT_START, play_to_value, roll_out
from diablerie.bots.spec import BadSpec, parse_bot
from diablerie.engine import verbs
from diablerie.engine.match import Match
from diablerie.engine.playout import buffers
from diablerie.engine.queries import redacted
from diablerie.engine.record import copy
from diablerie.engine.rng import seeded, weighted
from diablerie.games import ALL
from diablerie.lab.tournament import tournament
from diablerie.learning.inputs import inputs_of
from diablerie.learning.network import initial_weights
from diablerie.learning.rollout import forward
from diablerie.learning.weights import PolicyFile, bundled_policy, pack_policy, policy_bytes

COALS = ALL["coals"]


@pytest.fixture(scope="module")
def ignorant(tmp_path_factory):
    """A file of a policy that has learnt nothing."""
    known = bundled_policy(COALS)
    assert known is not None
    weights = pack_policy(initial_weights(inputs_of(COALS), (8, 6), 1))
    file: PolicyFile = msgspec.structs.replace(known, wide=8, narrow=6, weights=weights)
    path = tmp_path_factory.mktemp("policy") / "coals.policy.json"
    path.write_bytes(policy_bytes(file))
    return path


def test_rollouts_to_the_end_win_where_the_policy_knows_nothing(ignorant):
    players = f"net:file={ignorant},n=60,decisions=1000,doubt=0", f"net:file={ignorant}"
    result = tournament("coals", players=players, games=24, seed=1, options={"goal": "300"})
    assert result.players[0].share.value > 0.7


def test_equal_seeds_give_equal_actions():
    match = Match.new(COALS, seats=2, seed=4)
    who, one, other = match.actor, NetworkBot(COALS, n=60), NetworkBot(COALS, n=60)
    seen = match.seen_by(who)
    assert [one.choose(seen, who, seeded(7)) for _ in range(3)] == [
        other.choose(seen, who, seeded(7)) for _ in range(3)
    ]


@pytest.mark.parametrize("temperature", [0.0, 0.5, 1.0])
def test_its_own_action_is_the_likeliest_or_drawn_by_the_policy(temperature):
    match = Match.new(COALS, seats=2, seed=4)
    seen, me = match.seen_by(match.actor), match.actor
    bot = NetworkBot(COALS, n=6, doubt=1e9, temperature=temperature)
    actions, chances = bot.policy(seen, me)
    drawn = [bot.think(seen, me, seeded(i)).action for i in range(300)]
    if temperature:
        shares = np.array(chances) ** (1 / temperature)
        shares /= shares.sum()
        found = np.array([drawn.count(action) for action in actions]) / len(drawn)
        assert len(set(drawn)) > 1
        assert np.abs(found - shares).max() < 0.1
    else:
        assert set(drawn) == {actions[int(np.argmax(chances))]}


def test_what_it_tells_of_the_actions_are_means_over_the_guesses_that_were_played(monkeypatch):
    played = []

    def fake(net, k, a, r, me, n, guesses, *_):
        played.append((n, guesses))
        for i in range(n):
            r.worth[i] += guesses * (0.5 - 0.1 * i)
            r.ahead[i] -= guesses * 0.1 * i
            r.squares[i] += guesses * (0.1 * i) ** 2

    monkeypatch.setattr(network_bot, "roll_out", fake)
    match, bot = Match.new(COALS, seats=2, seed=4), NetworkBot(COALS, n=600)
    monkeypatch.setattr(bot, "_likely", lambda *_: [7, 8, 9, 10, 11, 12])
    result = bot.think(match.seen_by(match.actor), match.actor, seeded(7))
    assert [one.action for one in result.actions] == [7, 8, 9, 10, 11, 12]
    assert [n for n, _ in played] == [6, 3, 2]
    assert result.actions[0].visits == sum(guesses for _, guesses in played)
    assert result.actions[-1].visits == played[0][1]
    assert [one.returns[match.actor] for one in result.actions] == pytest.approx(
        [0.5, 0.4, 0.3, 0.2, 0.1, 0.0]
    )
    assert result.action == 7


def test_processor_time_bounds_them():
    match = Match.new(COALS, seats=3, seed=4)
    action = NetworkBot(COALS, cpu=2).choose(match.seen_by(match.actor), match.actor, seeded(7))
    assert action in match.actions(match.actor)


@pytest.mark.parametrize("decisions", [0, 1, 2])
def test_the_others_follow_the_advice_in_rollouts_and_the_seat_its_policy(decisions):
    bot, luck = NetworkBot(COALS, n=60), seeded(8)
    match = Match.new(COALS, seats=2, seed=4)
    me = match.actor
    state = copy(match.state)
    verbs.apply(state, me, match.actions(me)[0])
    begun = copy(state).array.view(np.recarray)[0]
    judged = play_to_value(*bot.arrays, begun, me, decisions, True, luck)
    played, out, odds = copy(state), *buffers(COALS)
    luck, left = seeded(8), decisions
    while left >= 0:
        who = verbs.actor(played)
        if who == verbs.CHANCE:
            action = int(out[weighted(luck, odds, verbs.chance(played, out, odds))])
        elif verbs.legal(played, who, out) == 1:
            action = int(out[0])
        elif who == me:
            actions, chances = bot.policy(played, me)
            action, left = actions[int(np.argmax(chances))], left - 1
        else:
            action = verbs.advise(redacted(played, who), who, luck)
        if left >= 0:
            verbs.apply(played, who, action)
    assert judged == pytest.approx(value_of(bot, played, me))


def test_differences_are_to_the_policys_own_action_guess_by_guess():
    bot, match = NetworkBot(COALS, n=60), Match.new(COALS, seats=2, seed=4)
    me, r, sums = match.actor, bot.rollouts, []
    r.states[ROLLOUT_START] = match.seen_by(me).array[0]
    r.actions[:3] = match.actions(me)[:3]
    luck, squares = seeded(8), np.zeros(3)
    for _ in range(6):
        before = r.worth.copy()
        roll_out(*bot.arrays, r, me, 3, 1, 1, 1.0, luck)
        sums.append((r.worth - before)[:3])
        squares += (sums[-1] - sums[-1][0]) ** 2
    assert r.ahead[:3] == pytest.approx(sum(sums) - sum(sums)[0])
    assert r.squares[:3] == pytest.approx(squares)
    assert squares[1:].min() > 0


def value_of(bot, s, seat):
    n = verbs.legal(s, seat, bot.arrays[1].out)
    return forward(*bot.arrays, s.array.view(np.recarray)[0], seat, n, 0)


@pytest.mark.parametrize(("setting", "value"), [("decisions", "-1"), ("advised", "2")])
def test_settings_are_bounded(setting, value):
    with pytest.raises(BadSpec, match=setting):
        parse_bot(f"net:n=10,{setting}={value}")
