"""Simulations: the same games however they are played, counted rightly, files gone on with."""

import json
import os
import subprocess
import sys
from functools import partial

import msgspec
import numpy as np
import pytest

import diablerie
from diablerie.engine.files import load_match
from diablerie.engine.verbs import CHANCE
from diablerie.lab.running.errors import BadConfig, BadFile, BotFailure
from diablerie.lab.running.run import no_progress, run_study
from diablerie.lab.running.settings import parse_variation
from diablerie.lab.running.study import Results
from diablerie.lab.simulate import SIMULATION, playing, simulate
from diablerie.lab.simulate.playing import (
    COMPILED_CHUNK,
    GAME_COUNTS,
    ChunkResult,
    SimulationChunk,
    count_match,
    epsilons,
    is_reproducible,
    is_sound_chunk,
    play_chunk,
    simulation_chunks,
    simulation_config,
)
from diablerie.lab.simulate.summary import game_columns

ROOT = __file__.rpartition("/tests/")[0]
SHORT = {"goal": "400"}


def config(players="sensible", games=40, vary=None, **more):
    return simulation_config(
        "coals", players=players, games=games, vary=vary or {}, options=SHORT, **more
    )


def play(chosen, job):
    return play_chunk(chosen, job, lambda: False)


def conduct(chosen, **run):
    return run_study(partial(Results, SIMULATION, chosen), **run)


def played(chosen):
    """The columns of a simulation, played here."""
    results = Results(SIMULATION, chosen)
    for job in results.missing:
        results.add(play(chosen, job))
    return game_columns(results)


def test_chunks_hold_every_game_once():
    chosen = config(games=2 * COMPILED_CHUNK + 7, vary={"players": ["sensible", "archdevil"]})
    for setting in (0, 1):
        games = [g for c in simulation_chunks(chosen) if c.setting == setting
                 for g in range(c.first, c.first + c.games)]  # fmt: skip
        assert games == list(range(2 * COMPILED_CHUNK + 7))
    assert {c.games for c in simulation_chunks(chosen) if c.setting == 1} == {1}


def test_a_game_does_not_depend_on_the_chunk_it_is_in():
    chosen = config(games=9, seats=3, players="sensible,random,devil")
    (whole,) = played(chosen)
    for game in range(9):
        alone = play(chosen, SimulationChunk(0, 0, game, 1))
        assert alone.returns == [whole.returns[game].tolist()]
        assert alone.visits == [whole.visits[game].tolist()]


def test_equal_seeds_give_equal_results_whatever_the_workers():
    vary = {"players": ["sensible", "sensible,tests.lab.bots:Quiet"]}
    one, two, other = (
        conduct(config(games=8, vary=vary, seed=seed), workers=workers)
        for workers, seed in ((1, 3), (2, 3), (1, 4))
    )
    assert one.settings == two.settings != other.settings


def test_the_same_games_are_played_where_nothing_is_compiled():
    command = ["simulate", "coals", "--option", "goal=400", "--games", "4", "--players"]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "diablerie", *command, "sensible,random", "--json"],
        capture_output=True, text=True, check=False,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    ours = conduct(config("sensible,random", games=4))
    assert json.loads(done.stdout)["settings"] == json.loads(msgspec.json.encode(ours.settings))


def test_a_setting_plays_the_same_games_alone_and_beside_others():
    (alone,) = conduct(config(vary={})).settings
    both = conduct(config(vary={"mouth": ["0", "20"]})).settings  # 20 is usual
    assert both[0].length != both[1].length == alone.length


def test_a_line_says_of_each_game_who_began_or_that_it_is_unknown():
    chosen = config(games=2)
    (job,) = simulation_chunks(chosen)
    row = play(chosen, job)
    for seat, sound in ((-2, False), (-1, True), (0, True), (1, True), (2, False)):
        told = msgspec.structs.replace(row, first=[seat, seat])
        assert is_sound_chunk(chosen, job, told) is sound


@pytest.mark.parametrize(
    "wrong",
    [
        {"decisions": [3]},
        {"draws": [3]},
        {"ending": ["dusk"] * 3},
        {"returns": [[0.0, 0.0]]},
        {"returns": [[0.0]] * 2},
        {"returns": [[1.0, -0.5]] * 2},
        {"points": []},
        {"points": [[1.0]] * 2},
        {"visits": [[1]] * 2},
    ],
    ids=str,
)
def test_a_line_has_all_numbers_of_each_game(wrong):
    chosen = config(games=2)
    (job,) = simulation_chunks(chosen)
    row = play(chosen, job)
    assert is_sound_chunk(chosen, job, row)
    assert not is_sound_chunk(chosen, job, msgspec.structs.replace(row, **wrong))


def test_a_simulation_goes_on_where_its_file_stops(tmp_path):
    chosen, whole, part = config("imp,tests.lab.bots:Quiet", 6), tmp_path / "a", tmp_path / "b"
    first = conduct(chosen, file=whole)
    lines = whole.read_text().splitlines(keepends=True)
    assert len(lines) == 1 + 6
    part.write_text("".join([lines[0], *lines[3:5]]))
    told = []
    assert conduct(chosen, file=part, progress=lambda *of: told.append(of)).settings == (
        first.settings
    )
    assert told[0] == (2, 6)
    assert told[-1] == (6, 6)
    assert sorted(part.read_text().splitlines()[1:]) == sorted(whole.read_text().splitlines()[1:])
    with pytest.raises(BadFile, match="line 1: another config, games"):
        conduct(config("imp,tests.lab.bots:Quiet", 7), file=part)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"decisions": [1]}, "cannot have ended so"),
        ({"first": [2] * 8}, "cannot have ended so"),
        ({"returns": [[1.0, 1.0]] * 8}, "cannot have ended so"),
        ({"job": 5}, "there is no chunk 5"),
        ({"extra": 1}, "not a line"),
    ],
)
def test_a_damaged_file_is_refused_and_left_alone(changed, said, tmp_path):
    path, chosen = tmp_path / "kept", config(games=8)
    conduct(chosen, file=path)
    head, row = path.read_text().splitlines()
    before = f"{head}\n{json.dumps(json.loads(row) | changed)}\n"
    path.write_text(before)
    with pytest.raises(BadFile, match=said):
        conduct(chosen, file=path)
    assert path.read_text() == before


def test_what_is_counted_of_a_match_is_what_its_file_says():
    match = load_match(f"{ROOT}/tests/games/coals/golden/coals-2.jsonl", diablerie.GAMES)
    row = np.zeros(1, GAME_COUNTS)[0]
    count_match(match, int(match.game.node.FIRST), row)
    texts = [(event.seat, event.text) for event in match.events]
    assert row["draws"] == sum(seat == CHANCE for seat, _ in texts)
    assert row["decisions"] == len(texts) - row["draws"]
    bets = sum(text.startswith("bet") for _, text in texts)
    assert row["visits"][match.game.node.BET] == bets
    assert row["visits"].sum() == row["decisions"]
    assert f"first {row['first']}" == texts[0][1]
    assert row["returns"][:2].tolist() == match.returns()


def test_compiled_games_are_like_those_that_bots_play_on_matches(monkeypatch):
    chosen = config("sensible,sensible:epsilon=0.3", games=400)
    (fast,) = played(chosen)
    assert epsilons(chosen.settings[0].players) == (0.0, 0.3)  # compiled, if this did not forbid it
    monkeypatch.setattr(playing, "epsilons", lambda _: None)
    slow = play(chosen, SimulationChunk(0, 0, 0, 200))
    for ours, theirs in (
        (fast.decisions, np.array(slow.decisions)),
        (fast.draws, np.array(slow.draws)),
        (fast.best, np.array(slow.points).max(1)),
        (np.take(fast.returns, 0, 1), np.array(slow.returns)[:, 0]),
    ):
        error = np.hypot(ours.std() / 20, theirs.std() / np.sqrt(200))
        assert abs(ours.mean() - theirs.mean()) < 4 * error


def test_players_take_turns_in_the_seats_and_the_better_one_is_found():
    found = conduct(config("sensible,random", games=200))
    (group,) = found.settings
    strong, weak = group.who
    assert strong.name == "sensible"
    assert strong.share.low > 0.5 > weak.share.high
    assert strong.share.value + weak.share.value == pytest.approx(1)
    assert group.luck > 0.001  # since both sit everywhere, places stay equal
    assert sum(one.share.value for one in group.endings) == pytest.approx(1)
    assert sum(one.share.value for one in group.nodes) == pytest.approx(group.length.mean.value)


def test_which_players_are_compiled_and_which_think_by_the_clock():
    chosen = config("random,sensible:epsilon=0.8")
    (setting,) = chosen.settings
    assert epsilons(setting.players) == (1.0, 0.8)
    assert epsilons(("imp",)) is None
    assert is_reproducible(chosen)
    assert not is_reproducible(config("search:ms=5"))


def test_a_bot_that_fails_ends_the_simulation():
    with pytest.raises(BotFailure, match="Cheat, seat"):
        simulate("coals", players="tests.lab.bots:Cheat", games=4, progress=no_progress)


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        ("mouth=0,10", "mouth", ["0", "10"]),
        ("players=random, search:n=5,doubt=1", "players", ["random", "search:n=5,doubt=1"]),
        ("furnace=1,2 | 3,4", "furnace", ["1,2", "3,4"]),
    ],
)
def test_what_varies(text, name, values):
    assert parse_variation(text) == (name, values)


@pytest.mark.parametrize("text", ["mouth", "mouth=", "mouth=1", "mouth=1,1", "mouth=1,,2"])
def test_what_cannot_vary(text):
    with pytest.raises(BadConfig, match="what varies is written"):
        parse_variation(text)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"players": "random,sensible,imp"}, "one for each of 2 sides, not 3"),
        ({"games": 0}, "games is 1 to 100000000"),
        ({"seed": -1}, "seed is 0 to"),
        ({"vary": {"seats": ["two", "3"]}}, "seats are a number"),
    ],
)
def test_configs_that_cannot_be_are_refused(more, said):
    with pytest.raises(BadConfig, match=said):
        config(**more)


def test_a_chunk_of_a_file_is_its_games():
    chosen = config(games=3)
    with Results(SIMULATION, chosen) as kept:
        row = play(chosen, kept.missing[0])
        assert isinstance(row, ChunkResult)
        assert kept.mistake(row) is None
        kept.add(row)
        assert kept.missing == []
        assert kept.done == 3
