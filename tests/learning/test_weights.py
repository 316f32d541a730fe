"""Files of learnt policies, and the bot that plays by them."""

import hashlib

import msgspec
import numpy as np
import pytest

from diablerie.bots.network_bot import NetworkBot
from diablerie.bots.spec import BadSpec, parse_bot
from diablerie.engine import verbs
from diablerie.engine.match import Match
from diablerie.engine.rng import below, seeded, unit
from diablerie.engine.text import UserError
from diablerie.games import ALL
from diablerie.learning import weights
from diablerie.learning.inputs import inputs_of
from diablerie.learning.learner import Learner
from diablerie.learning.network import initial_weights
from diablerie.learning.settings import TrainingSettings
from diablerie.learning.weights import BadPolicy, PolicyFile, pack_policy, policy_bytes, read_policy

COALS = ALL["coals"]
SHIPPED = tuple(ALL)


def policy_file(**changes) -> PolicyFile:
    flat = initial_weights(inputs_of(COALS), (8, 6), 1)
    plain = PolicyFile(weights.POLICY_FORMAT, "0", "coals", COALS.version, "train", (2,), 5, {}, 8, 6,
                       pack_policy(flat))  # fmt: skip
    return msgspec.structs.replace(plain, **changes)


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "coals.policy.json"
    file.write_bytes(policy_bytes(policy_file()))
    return file


def test_a_file_gives_back_its_weights(path):
    flat = initial_weights(inputs_of(COALS), (8, 6), 1)
    np.testing.assert_allclose(read_policy(path, COALS).unpacked(), flat, atol=1e-3)


@pytest.mark.parametrize("at", range(0, 2000, 97))
def test_a_damaged_file_is_refused_whole_in_one_sentence(path, at):
    whole = path.read_bytes()
    at %= len(whole) - 1
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    with pytest.raises(BadPolicy, match="contains no learnt policy for COALS"):
        read_policy(path, COALS)
    path.write_bytes(whole[:at])
    with pytest.raises(BadPolicy, match="contains no learnt policy for COALS"):
        read_policy(path, COALS)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"policy": 9}, "format 9"),
        ({"game": "tails"}, "tails, rules version"),
        ({"wide": 9}, "from other inputs"),
        ({"narrow": 0}, "8 and 0 units"),
        ({"weights": policy_file().weights[:-2] + b"\x00\x7e"}, "not finite"),
    ],
)
def test_what_does_not_fit_the_game_is_refused(path, changes, words):
    path.write_bytes(policy_bytes(policy_file(**changes)))
    with pytest.raises(BadPolicy, match=words):
        read_policy(path, COALS)


def test_the_bot_plays_by_the_file(path):
    likeliest = parse_bot(f"net:file={path}", imports=True).make(COALS)
    drawing = parse_bot(f"net:file={path},temperature=1", imports=True).make(COALS)
    s, rng = COALS.start(2), seeded(1)
    verbs.apply(s, verbs.CHANCE, 0)
    actions, chances = likeliest.policy(s, 0)
    assert likeliest.choose(s, 0, rng) == actions[int(np.argmax(chances))]
    drawn = [drawing.choose(s, 0, rng) for _ in range(4000)]
    shares = [drawn.count(action) / 4000 for action in actions]
    np.testing.assert_allclose(shares, chances, atol=0.03)


def test_a_web_page_names_no_files(path):
    with pytest.raises(BadSpec, match="is not a value for file of net"):
        parse_bot(f"net:file={path}")


def test_without_a_file_the_bot_asks_for_one(monkeypatch):
    monkeypatch.setattr("diablerie.learning.weights.bundled_policy", lambda _: None)
    with pytest.raises(UserError, match="COALS comes without a learnt policy"):
        NetworkBot(COALS)


@pytest.mark.parametrize("name", SHIPPED)
def test_what_comes_with_a_game_is_sound_and_small_and_names_its_command(name):
    found = weights.bundled_policy(ALL[name])
    assert found.command.startswith(f"diablerie train {name} ")
    assert len(policy_bytes(found)) <= 300_000
    assert weights.bundled_policy(ALL[name]) is found, "it is read once"


# Of the likeliest actions at 100 decisions at each size of table. They change with a game's rules or
# inputs or with its policy.json, and with nothing else.
DECISIONS = {
    "coals": "8723f67bbca056e8",
    "tails": "e7a95a3846bbf91f",
    "underworld": "07d7c2f0584080db",
    "kitchen": "54a6a2d5976319ef",
}


@pytest.mark.parametrize("name", SHIPPED)
def test_what_comes_with_a_game_decides_as_ever(name):
    game, bot, digest, rng = ALL[name], NetworkBot(ALL[name]), hashlib.sha256(), seeded(7)
    for seats in bot.seats:
        match, met = Match.new(game, seats=seats, seed=5), 0
        while met < 100:
            if match.over:
                match = Match.new(game, seats=seats, seed=met)
            actions, chances = bot.policy(match.state, match.actor)
            best = actions[int(np.argmax(chances))]
            if len(actions) > 1:
                met += 1
                digest.update(best.to_bytes(4, "big"))
            played = best if unit(rng) < 0.5 else actions[below(rng, len(actions))]
            match.carry_out(played, match.actor)
    assert digest.hexdigest()[:16] == DECISIONS[name]


@pytest.mark.ci
@pytest.mark.parametrize("name", SHIPPED)
def test_what_comes_with_a_game_beats_its_advice(name):
    found = weights.bundled_policy(ALL[name])
    settings = TrainingSettings(hidden=found.hidden, rollout=512)
    player = Learner(ALL[name], settings, begin=found.unpacked())
    returns = player.evaluate(2, 1000, seed=5)
    player.close()
    own = returns[np.arange(1000), np.arange(1000) % 2]
    assert (1 + own.mean()) / 2 > 0.52
