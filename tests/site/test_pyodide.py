"""The pages in Pyodide, in node, without NumPy or Numba. Pyodide is downloaded: in CI only."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import diablerie
from diablerie.games import ALL
from diablerie.site import packages, pyodide
from diablerie.site.modules import CannotBuild
from diablerie.site.walks import write_rules
from tests.site.decisions import decisions

pytestmark = pytest.mark.xdist_group("wasm")
HERE = Path(__file__).parent
GAMES = ("underworld", "kitchen", "coals")  # whose strongest level mostly plays by a policy
POSITIONS = 25  # at which every level decides


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pyodide, Python's packages and the compiled rules."""
    if not shutil.which("node"):
        pytest.skip("there is no node")
    made = tmp_path_factory.mktemp("pyodide")
    try:
        write_rules(made, [ALL[name] for name in GAMES])
        shutil.copytree(pyodide.fetched(), made / "pyodide")
        packages.write_packages(made / "app")
    except (CannotBuild, pyodide.NotFetched) as error:
        pytest.skip(str(error))
    for name in ("gate.mjs", "decisions.py"):
        shutil.copy(HERE / name, made)
    shutil.copy(Path(pyodide.__file__).parent / "static" / "python.mjs", made)
    return made


@pytest.mark.ci
def test_a_game_against_an_oberteufel_by_the_pages(folder: Path, tmp_path: Path) -> None:
    asked = json.dumps([[name, POSITIONS] for name in GAMES])
    command = ["node", str(folder / "gate.mjs"), str(folder), "underworld", asked]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["loaded"] == []  # nothing but the stand-ins
    assert told["decisions"] > 10
    assert told["pages"] >= told["decisions"]
    assert "<svg" in told["html"]
    assert told["decided"] == [decisions(ALL[name], POSITIONS) for name in GAMES]
    file = tmp_path / "match.jsonl"
    file.write_text(told["file"], "utf-8")
    match = diablerie.verify(file)  # with the rules that Numba compiled here
    assert match.over
