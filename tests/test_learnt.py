"""Learnt values: what they read is what a seat knows, and they are utilities."""

from itertools import chain
from pathlib import Path

import msgspec
import numpy as np
import pytest

from diablerie.bots.searcher import SearchBot
from diablerie.bots.spec import BadSpec, parse_bot
from diablerie.engine import verbs
from diablerie.engine.compile import rule
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.lab.fit.fitting import predicted_returns
from diablerie.lab.fit.loop import SelfPlayBuffers, lambda_returns
from diablerie.testing.positions import GameSetting, all_settings, positions
from diablerie.values import weights_file
from diablerie.values.value_model import evaluate, write_features
from diablerie.values.weights_file import (
    BadWeights,
    WeightsFile,
    feature_names,
    pack_weights,
    value_model_of,
)
from tests.settings import covering

DERIVING = [name for name in ALL if weights_file.features_of(ALL[name]).derived]
TODAY = "2026-11-22"


@rule
def look(a, j, seat):
    write_features(a[0], j, seat)


@rule
def value(a, j, out):
    evaluate(a[0], j, out)


def known(game, s, seat, j):
    look(s.array.view(np.recarray), j, seat)
    return j.entries[0].copy()


def test_three_games_derive():
    assert set(DERIVING) >= {"coals", "underworld", "kitchen"}


DAILY = list(chain.from_iterable(map(covering, DERIVING)))
OTHERS = [one for one in all_settings(DERIVING) if one not in DAILY]


@pytest.mark.parametrize(
    "setting", [*DAILY, *(pytest.param(one, marks=pytest.mark.ci) for one in OTHERS)], ids=str
)
def test_what_is_derived_is_what_the_seat_knows(setting):
    game, seen = setting.game, []
    j = value_model_of(game, setting.seats, None)
    for s in positions(setting, 10):
        for seat in range(setting.seats):
            found = known(game, s, seat, j)
            np.testing.assert_array_equal(known(game, redacted(s, seat), seat, j), found)
            assert np.isfinite(found).all()
            assert np.abs(found).max() < 100
            seen.append(found)
    assert len(feature_names(game)) == len(seen[0])
    assert np.ptp(seen, axis=0).max() > 0


def weights_for(game, seed=1, units=5):
    rng = np.random.default_rng(seed)
    return rng.normal(0, 0.1, (2 + len(feature_names(game)), 1 + units)).astype(np.float32)


@pytest.mark.parametrize(
    "name",
    [one if one in ("coals", "tails") else pytest.param(one, marks=pytest.mark.ci) for one in ALL],
)
def test_learnt_values_are_utilities_and_those_of_the_fit(name):
    """What a game without derived features observes is weighed as it is."""
    game = ALL[name]
    setting = GameSetting(name, game.seats[1])
    weights = weights_for(game) * (1.0 if name in DERIVING else 0.01)
    j, out, over = value_model_of(game, setting.seats, weights), np.zeros(6), 0
    for s in positions(setting, 8):
        value(s.array.view(np.recarray), j, out)
        found = out[: setting.seats].copy()
        assert found.sum() == pytest.approx(0, abs=1e-9)
        assert np.abs(found).max() <= 1 + 1e-9
        if verbs.actor(s) == verbs.OVER:
            over += 1
            verbs.returns(s, out)
            np.testing.assert_array_equal(found, out[: setting.seats])
            continue
        rows = np.array([[known(game, s, seat, j) for seat in range(setting.seats)]])
        np.testing.assert_allclose(found, predicted_returns(weights, rows, j.sign)[0], atol=1e-4)
    assert over


def test_who_sits_where_does_not_matter():
    game, seats = ALL["coals"], 3
    j, here, there = value_model_of(game, seats, weights_for(game)), np.zeros(3), np.zeros(3)
    checked = 0
    for s in positions(GameSetting("coals", seats), 8):
        if s.node == game.node.BET:
            moved = s.copy()
            moved.first, moved.turn = (s.first + 1) % seats, (s.turn + 1) % seats
            for field in ("chips", "stake", "pact", "space", "purse"):
                getattr(moved, field)[:seats] = np.roll(getattr(s, field)[:seats], 1)
            value(s.array.view(np.recarray), j, here)
            value(moved.array.view(np.recarray), j, there)
            np.testing.assert_allclose(np.roll(here, 1), there)
            checked += 1
    assert checked


def lesson(fade):
    """Three positions of a game for two that were taken for 0.2, 0.4 and 0.8; it was won."""
    game, worth = ALL["coals"], np.zeros((5, 2))
    worth[:3, 0], worth[:3, 1] = (0.2, 0.4, 0.8), (-0.2, -0.4, -0.8)
    state = game.start(2).array.view(np.recarray)
    tables, flat = np.zeros((1, 2, 1), np.float32), np.zeros((1, 2), np.float32)
    hand, returns = np.zeros((1, 2)), np.array([1.0, -1.0])
    kept = tables, flat, flat, flat
    return SelfPlayBuffers(state, state, tables, worth, hand, returns, 0, 0.1, fade, *kept)


@pytest.mark.parametrize(
    ("fade", "worth"), [(1.0, [1, 1, 1]), (0.0, [0.4, 0.8, 1]), (0.5, [0.65, 0.9, 1])]
)
def test_positions_were_worth_what_came_of_them(fade, worth):
    found = lesson(fade)
    lambda_returns(found, 3)
    np.testing.assert_allclose(found.worth[:3, 0], worth)
    np.testing.assert_allclose(found.worth[:3, 1], [-x for x in worth])


# -- files -------------------------------------------------------------------------------------


def made(game, seats=2):
    return WeightsFile(weights_file.FORMAT, "0", game.name, game.version, "diablerie fit", 1, TODAY,
                  feature_names(game), {seats: pack_weights(weights_for(game), {})})  # fmt: skip


def test_weights_survive_their_file(tmp_path):
    game, path = ALL["coals"], tmp_path / "learnt.json"
    path.write_bytes(msgspec.json.encode(made(game)))
    found = weights_file.read_weights(path, game)
    np.testing.assert_array_equal(found.weights(2), weights_for(game))
    assert found.weights(3) is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"game": "tails"}, "tails"),
        ({"version": 99}, "version 99"),
        ({"learnt": 0}, "format 0"),
        ({"entries": ("money",)}, "other features"),
        ({"seats": {7: pack_weights(weights_for(ALL["coals"]), {})}}, "7 seats"),
        ({"seats": {2: pack_weights(weights_for(ALL["coals"])[:-1], {})}}, "2 seats"),
        ({"seats": {2: pack_weights(weights_for(ALL["coals"]) * np.nan, {})}}, "2 seats"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(tmp_path, change, said):
    path = tmp_path / "learnt.json"
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(made(ALL["coals"]), **change)))
    with pytest.raises(BadWeights, match=said):
        weights_file.read_weights(path, ALL["coals"])
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(BadWeights, match="contains no learnt values for COALS"):
        weights_file.read_weights(path, ALL["coals"])


@pytest.mark.parametrize("name", sorted(ALL))
def test_what_a_game_plays_by_is_sound_small_and_says_what_made_it(name):
    path = Path(weights_file.__file__).parents[1] / "games" / name / weights_file.NAME
    if not path.exists():
        assert weights_file.bundled_weights(ALL[name]) is None
        return
    found = weights_file.bundled_weights(ALL[name])
    assert path.stat().st_size < 1 << 16
    assert found.command.startswith(f"diablerie fit {name} ")
    assert f"--seed {found.seed}" in found.command
    assert found.seats


def test_a_bot_judges_by_the_file_it_is_told_and_by_none_from_a_page(tmp_path):
    game, path = ALL["coals"], tmp_path / "learnt.json"
    path.write_bytes(msgspec.json.encode(made(game)))
    spec = parse_bot(f"search:n=300,value={path}", imports=True)
    s, by = game.start(2), {}
    verbs.apply(s, verbs.CHANCE, 0)
    for name, bot in (("file", spec.make(game)), ("hand", SearchBot(game, n=300, value="hand"))):
        by[name] = bot.think(s, 0, seeded(1)).actions
    assert by["file"] != by["hand"]
    assert parse_bot("search:value=hand").settings == {"value": "hand"}
    with pytest.raises(BadSpec, match="not a value for value"):
        parse_bot(f"search:value={path}")
    with pytest.raises(BadSpec, match="There is no file “nowhere"):
        parse_bot("search:value=nowhere.json", imports=True)
