"""The learnt policy that plays its likely actions on before it chooses."""

import msgspec
import pytest

from diablerie.bots import network_bot
from diablerie.bots.network_bot import NetworkBot
from diablerie.bots.spec import BadSpec, parse_bot
from diablerie.engine.match import Match
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.lab.tournament import tournament
from diablerie.learning.network import initial_weights
from diablerie.learning.weights import PolicyFile, bundled_policy, pack_policy, policy_bytes
from diablerie.values.inputs import inputs_of

COALS = ALL["coals"]


@pytest.fixture(scope="module")
def ignorant(tmp_path_factory):
    """A file of a policy that has learnt nothing."""
    known = bundled_policy(COALS)
    assert known is not None
    weights = pack_policy(initial_weights(inputs_of(COALS), 8, 6, 1))
    file: PolicyFile = msgspec.structs.replace(known, wide=8, narrow=6, weights=weights)
    path = tmp_path_factory.mktemp("policy") / "coals.policy.json"
    path.write_bytes(policy_bytes(file))
    return path


def test_rollouts_to_the_end_win_where_the_policy_knows_nothing(ignorant):
    players = f"net:file={ignorant},n=200,decisions=1000,doubt=0", f"net:file={ignorant}"
    result = tournament("coals", players=players, games=40, seed=1, options={"goal": "300"})
    assert result.players[0].share.value > 0.7


def test_equal_seeds_give_equal_actions():
    match = Match.new(COALS, seats=2, seed=4)
    who, one, other = match.actor, NetworkBot(COALS, n=60), NetworkBot(COALS, n=60)
    seen = match.seen_by(who)
    assert [one.choose(seen, who, seeded(7)) for _ in range(3)] == [
        other.choose(seen, who, seeded(7)) for _ in range(3)
    ]


def test_results_are_divided_by_the_number_of_guesses_that_were_played(monkeypatch):
    played, divided_by = [], []
    monkeypatch.setattr(network_bot, "roll_out", lambda *given: played.append(given[6]))
    match, bot = Match.new(COALS, seats=2, seed=4), NetworkBot(COALS, n=60)
    monkeypatch.setattr(bot, "_best", lambda _, done: divided_by.append(done) or 0)
    bot.choose(match.seen_by(match.actor), match.actor, seeded(7))
    assert divided_by == [sum(played)]


def test_processor_time_bounds_them():
    match = Match.new(COALS, seats=3, seed=4)
    action = NetworkBot(COALS, cpu=2).choose(match.seen_by(match.actor), match.actor, seeded(7))
    assert action in match.actions(match.actor)


def test_settings_are_bounded():
    with pytest.raises(BadSpec, match="decisions"):
        parse_bot("net:n=10,decisions=-1")
