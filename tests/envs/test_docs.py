"""The code in docs/research.md and own-learner.md runs from top to bottom; their tables are right."""

import os
import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import diablerie
from diablerie.lab.dataset import schema
from diablerie.lab.simulate.playing import simulation_config
from diablerie.learning.inputs import LearnerInputs, inputs_of
from diablerie.values.observation import ObservationLayout
from tests.envs.needed import needed

needed("gymnasium")
needed("pettingzoo")
needed("pyspiel")

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "research.md").read_text("utf-8")
LEARNER = (DOCS / "own-learner.md").read_text("utf-8")


def run(text):
    """Run the code of a page, but for blocks whose libraries are not there; return its names."""
    names: dict = {}
    for libraries, code in re.findall(
        r"^```python ?([\w ]*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL
    ):
        if all(map(find_spec, libraries.split())):
            exec(code, names)
    return names


def test_the_code_of_the_page_runs(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if os.environ.get("CI") == "true":
        needed("polars", "notebook")
    assert (run(TEXT)["row"] != 0).any()
    assert "`card`" in capsys.readouterr().out


def test_the_code_for_a_learner_of_your_own_runs():
    assert (run(LEARNER)["read"].position != 0).any()


@pytest.mark.parametrize("name", ["coals", "tails", "underworld", "kitchen"])
def test_the_sizes_for_a_learner_are_those_of_the_inputs(name):
    game = diablerie.GAMES[name]
    own, read = inputs_of(game), LearnerInputs(game, 1)
    size = read.position.shape[1]
    assert (read.kind_count, read.marks.shape[2]) == (own.kinds, own.marks)
    assert f"| {name.upper()} | {size} | {own.kinds} | {own.marks} |" in LEARNER


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
