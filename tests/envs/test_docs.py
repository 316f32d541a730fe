"""The code in docs/research.md runs, in one session from top to bottom; its tables are right."""

import os
import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import diablerie
from diablerie.lab.dataset import schema
from diablerie.lab.simulate.playing import simulation_config
from diablerie.values.observation import ObservationLayout
from tests.envs.needed import needed

needed("gymnasium")
needed("pettingzoo")
needed("pyspiel")

TEXT = (Path(__file__).parents[2] / "docs" / "research.md").read_text("utf-8")


def test_the_code_of_the_page_runs(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python ?([\w ]*)\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 10
    if os.environ.get("CI") == "true":
        needed("polars", "notebook")
    names: dict = {}
    for libraries, code in blocks:
        if all(map(find_spec, libraries.split())):
            exec(code, names)
    assert (names["row"] != 0).any()
    assert "`card`" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["coals", "tails", "underworld", "kitchen"])
def test_the_sizes_on_the_page_are_those_of_the_observations(name):
    game = diablerie.GAMES[name]
    sizes = {ObservationLayout(game, seats).size for seats in game.seats}
    (said,) = re.findall(rf"^\| {name.upper()} \| (\d+) \| [a-z]", TEXT, re.MULTILINE)
    assert sizes == {int(said)}
    one_hot = ObservationLayout(game, 2, "one-hot").size
    assert f"| {name.upper()} | {one_hot:,} |" in TEXT


@pytest.mark.parametrize("encoding", ["raw", "scaled", "one-hot"])
@pytest.mark.parametrize("name", ["coals", "tails", "underworld", "kitchen"])
def test_the_table_that_the_page_names_tells_of_every_entry_once(name, encoding):
    layout = ObservationLayout(diablerie.GAMES[name], 2, encoding)
    rows = re.findall(r"^\| (\d+)(?:–(\d+))? \| `\w+` \|", layout.table(), re.MULTILINE)
    told = [entry for low, high in rows for entry in range(int(low), int(high or low) + 1)]
    assert told == list(range(layout.size))
    assert "ObservationLayout(game, seats, encoding).table()" in TEXT


def test_the_columns_of_data_sets_are_those_of_the_page():
    needed("pyarrow")
    chosen = simulation_config("tails", players="random", games=1, seats=2)
    told = re.findall(
        r"^\| ((?:`\w+`(?:, )?)+) \|",
        TEXT.partition("## Data sets")[2].partition("\n## ")[0],
        re.MULTILINE,
    )
    columns = [name for names in told for name in re.findall(r"`(\w+)`", names)]
    assert columns == schema(chosen, ObservationLayout(chosen.rules, 2)).names


def test_every_array_of_the_table_is_one_of_the_batch():
    batch = diablerie.batch("tails", 2)
    page = TEXT.partition("## Gymnasium")[0]
    rows = re.findall(r"^\| ((?:`\w+`(?:, | or )?)+) \| (\w+)", page, re.MULTILINE)
    assert len(rows) >= 9
    for named, kind in rows:
        first = re.findall(r"`(\w+)`", named)[0]
        assert getattr(batch, first).dtype == np.dtype(kind)
