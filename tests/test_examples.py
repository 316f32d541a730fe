"""The examples that are programs run, and show what they say they show."""

import re
import runpy
import sys
from pathlib import Path

from tests.envs.needed import needed

needed("pyspiel")

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_the_solver_comes_nearer_to_an_equilibrium_and_draws_how(tmp_path, monkeypatch, capsys):
    said = {}
    for iterations in (2, 12):
        picture = tmp_path / f"{iterations}.svg"
        words = ["--iterations", str(iterations), "--money", "10", "20", "--picture", str(picture)]
        monkeypatch.setattr(sys, "argv", ["solve.py", *words])
        runpy.run_path(str(EXAMPLES / "solve.py"), run_name="__main__")
        told = capsys.readouterr().out
        said[iterations] = [float(x) for x in re.findall(r"exploitability ([\d.e-]+) after", told)]
        assert "plays: bet" in told
        assert picture.read_text("utf-8").count("<path") > 10
    assert len(said[2]) == len(said[12]) == 2
    for few, more in zip(said[2], said[12], strict=True):
        assert 0 <= more < few / 3
