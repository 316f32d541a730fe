"""`diablerie dataset`: decisions as they were, and nothing that a seat did not see."""

import json

import msgspec
import numpy as np
import pytest

import diablerie
from diablerie.engine import verbs
from diablerie.engine.verbs import CHANCE
from diablerie.lab.dataset import dataset, game_chunks, record_games
from diablerie.lab.running.errors import BadFile
from diablerie.lab.simulate.playing import simulation_config
from diablerie.values.observation import ObservationLayout
from tests.envs.needed import needed
from tests.test_cli import refused, run

parquet = needed("pyarrow.parquet")
CHOSEN = {"players": "sensible,random", "games": 3, "seats": 2, "options": {"goal": "400"}}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    count = dataset("coals", folder / "a.parquet", file=folder / "a.jsonl", **CHOSEN)
    return folder, count, parquet.read_table(folder / "a.parquet")


def test_every_row_is_a_decision_with_what_the_seat_saw(made):
    """Played again from the rows alone, each game is legal, redacted, and ends as they say."""
    _, count, table = made
    rows, game = table.to_pylist(), diablerie.GAMES["coals"]
    assert len(rows) == count > 20
    layout, said = ObservationLayout(game, 2), json.loads(table.schema.metadata[b"diablerie"])
    assert said["actions"] == game.actions
    assert [plane["name"] for plane in said["planes"]] == [plane.name for plane in layout.planes]
    assert {row["game"] for row in rows} == {0, 1, 2}
    for number in range(3):
        one = [row for row in rows if row["game"] == number]
        s = game.start(2, said["study"]["settings"][0]["options"])
        for outcome in one[0]["opening"]:
            verbs.apply(s, CHANCE, outcome)
        out = np.zeros(game.actions, np.int64)
        for ply, row in enumerate(one, 1):
            assert (row["ply"], row["seat"]) == (ply, verbs.actor(s))
            assert row["legal"] == out[: verbs.legal(s, row["seat"], out)].tolist()
            assert row["action"] in row["legal"]
            assert row["observation"] == layout.observe(s, row["seat"]).tolist()
            assert row["player"] == ("sensible", "random")[(row["seat"] + number) % 2]
            verbs.apply(s, row["seat"], row["action"])
            for outcome in row["outcomes"]:
                verbs.apply(s, CHANCE, outcome)
        assert [row["last"] for row in one] == [False] * (len(one) - 1) + [True]
        returns = np.zeros(6)
        verbs.returns(s, returns)
        assert verbs.actor(s) == verbs.OVER
        assert all(row["returns"] == returns[:2].tolist() for row in one)


def test_polars_reads_matrices_and_lists_without_glue(made):
    polars = needed("polars", "notebook")
    folder, count, table = made
    read = polars.read_parquet(folder / "a.parquet")
    assert read.columns == table.column_names
    size = ObservationLayout(diablerie.GAMES["coals"], 2).size
    observations, returns = read["observation"].to_numpy(), read["returns"].to_numpy()
    assert (observations.shape, observations.dtype) == ((count, size), np.float32)
    assert (returns.shape, returns.dtype) == ((count, 2), np.float32)
    np.testing.assert_array_equal(observations, table["observation"].to_pylist())
    assert read["legal"].to_list() == table["legal"].to_pylist()
    legal = read.select(polars.col("legal").list.contains(polars.col("action")))
    assert legal["legal"].all()
    assert read["player"].unique().sort().to_list() == ["random", "sensible"]
    ended = read.filter("last").group_by("game").len()
    assert ended["len"].to_list() == [1, 1, 1]


def test_the_same_seed_is_the_same_data_and_a_file_is_gone_on_with(made, tmp_path):
    folder, count, table = made
    lines = (folder / "a.jsonl").read_bytes()
    (tmp_path / "half.jsonl").write_bytes(lines.splitlines(keepends=True)[0])
    for kept in (None, tmp_path / "half.jsonl", folder / "a.jsonl"):
        assert dataset("coals", tmp_path / "b.parquet", file=kept, **CHOSEN) == count
        assert parquet.read_table(tmp_path / "b.parquet").equals(table)
    assert (tmp_path / "half.jsonl").read_bytes() == lines


def test_a_file_with_an_impossible_game_is_refused(made, tmp_path):
    folder, _, _ = made
    config, row = (folder / "a.jsonl").read_bytes().splitlines()
    played = json.loads(row)
    events = played["games"][1]
    chance, decision = (2 * events[::2].index(seat) for seat in (CHANCE, 0))
    for place, value in ((3, 160), (chance, 0), (decision, CHANCE)):
        wrong = [*events[:place], value, *events[place + 1 :]]
        games = [played["games"][0], wrong, *played["games"][2:]]
        line = msgspec.json.encode(played | {"games": games})
        (tmp_path / "c.jsonl").write_bytes(config + b"\n" + line + b"\n")
        with pytest.raises(BadFile, match="game 1 cannot have gone so"):
            dataset("coals", tmp_path / "c.parquet", file=tmp_path / "c.jsonl", **CHOSEN)
        assert not (tmp_path / "c.parquet").exists()
    for wrong in ([*played["games"][1][:-2], 2, 0], [*played["games"][1][:-2], 0, 10**6],
                  played["games"][1][:-1]):  # fmt: skip
        row = msgspec.json.encode(
            played | {"games": [played["games"][0], wrong, *played["games"][2:]]}
        )
        (tmp_path / "d.jsonl").write_bytes(config + b"\n" + row + b"\n")
        with pytest.raises(BadFile, match="chunk 0 cannot have ended so"):
            dataset("coals", tmp_path / "d.parquet", file=tmp_path / "d.jsonl", **CHOSEN)


def test_chunks_do_not_depend_on_each_other():
    chosen = simulation_config("tails", players="random", games=45, seats=2)
    jobs = list(game_chunks(chosen))
    second, third, again = (record_games(chosen, jobs[k], lambda: False) for k in (1, 2, 2))
    assert [(job.first, job.games) for job in jobs] == [(0, 20), (20, 20), (40, 5)]
    assert third == again
    assert third.games != second.games[:5]


def test_the_command_writes_a_file_and_says_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("dataset", "tails", "--games", "1", "--players", "random", "--workers", "1")
    assert done.exit_code == 0, done.output
    assert "tails.parquet has 81 decisions. Games played: 1." in done.output
    assert parquet.read_table("tails.parquet").num_rows == 81
    assert "no bot" in refused("dataset", "tails", "--players", "nobody?")
