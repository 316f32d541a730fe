"""The notebook runs from top to bottom in a kernel of its own, and shows what it says."""

import re
from pathlib import Path

import pytest

from tests.envs.needed import needed

nbformat = needed("nbformat", "notebook")
nbclient = needed("nbclient", "notebook")
needed("ipykernel", "notebook")
needed("polars", "notebook")
needed("pyspiel")

NOTEBOOK = Path(__file__).parent.parent / "examples" / "notebook" / "first_half_hour.ipynb"


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_no_outputs_are_kept_in_the_repository():
    cells = code(nbformat.read(NOTEBOOK, as_version=4))
    assert len(cells) > 10
    assert not any(cell.outputs or cell.execution_count for cell in cells)


@pytest.mark.ci  # its calls are those of docs/research.md, which `envs/test_docs.py` runs
@pytest.mark.slow
def test_every_cell_runs_and_shows_what_is_said(tmp_path, monkeypatch):
    monkeypatch.delenv("MPLBACKEND", raising=False)  # a kernel shows pictures by its own
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=600, resources=resources).execute()
    outputs = [(cell.source, one) for cell in code(notebook) for one in cell.outputs]
    assert not [one for _, one in outputs if one.output_type == "stream" and one.name == "stderr"]
    assert sum("image/png" in one.get("data", {}) for _, one in outputs) == 2
    told = {source: one.text for source, one in outputs if one.output_type == "stream"}

    def said(word):
        return next(text for source, text in told.items() if word in source)

    assert "[C7]" in said("diablerie.Illegal")
    assert said("diablerie.load").startswith("True")
    assert "sensible wins" in said("simulate(")
    assert "| `laid` | 54 |" in said("diablerie.batch")
    assert re.search(r"\(\d{4}, 136\) float32", said("read_parquet"))  # so many decisions
    assert "bet 0: " in said("average_policy")
