"""A game from a package of its own is everywhere, and one that is broken disturbs nobody."""

import json
import os
import re
import subprocess
import sys
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import diablerie
from diablerie.engine import files
from diablerie.engine.sources import cache_root
from tests import shells

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "coasters"
OURS = ["coals", "tails", "underworld", "kitchen"]

pytestmark = [
    pytest.mark.ci,  # `test_first_pass.py` holds the laws against it uncompiled
    pytest.mark.xdist_group("outside"),
    pytest.mark.skipif(
        not find_spec("hatchling") and "CI" not in os.environ,
        reason="hatchling, which builds examples/coasters, is not installed",
    ),
]


def run(*command: str | Path, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """A command of this Python, with the packages in `folder` beside our own sources."""
    paths = [*filter(None, [folder]), ROOT / "src", ROOT]
    # A cache of their own: what is compiled depends on which packages with games there are.
    return subprocess.run(
        [sys.executable, *map(str, command)],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
            "DIABLERIE_CACHE": str(cache_root() / "outside"),
        },
    )


def succeed(*command: str | Path, folder: Path | None = None) -> str:
    done = run(*command, folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package and its entry point, as pip leaves them."""
    folder = tmp_path_factory.mktemp("outside")
    succeed("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index",
            "--no-deps", "--no-build-isolation", "--target", folder, EXAMPLE)  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def house(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What a house says in which the package is installed."""
    folder = tmp_path_factory.mktemp("house")
    return json.loads(succeed("-m", "tests.outside_house", folder, folder=installed))


@pytest.mark.parametrize("tests", [["test_clauses.py", "test_play.py"], ["test_contract.py"]])
def test_it_passes_its_tests(installed, tests):
    config = ["-c", EXAMPLE / "pyproject.toml", "--rootdir", EXAMPLE, "-p", "no:cacheprovider"]
    paths = [EXAMPLE / "tests" / name for name in tests]
    told = succeed("-m", "pytest", "-q", *config, *paths, folder=installed)
    assert re.search(r"\d\d passed", told)
    assert "skipped" not in told


def test_it_stands_after_ours_in_the_list(house):
    told = house["commands"]["games"]
    assert [line.split()[0] for line in told.splitlines()] == [*OURS, "coasters"]


def test_walk_and_perft_know_it(house):
    walk = house["commands"]["walk"]
    assert walk.startswith("0 chance first 4 ")  # the heading is no data
    assert walk.splitlines()[-1].startswith("end ")
    # 3 who may begin; then a flower or the skull each; then bids of 1 to 3, or what is in hand
    assert int(house["commands"]["perft"].split()[-1]) == 3 * 4 * (5 + 4)


def test_tournaments_know_it(house):
    told = house["commands"]["tournament"]
    assert {one["player"] for one in json.loads(told)["players"]} == {"sensible", "random"}


def test_it_is_on_the_landing_page_after_ours(house):
    listed = re.findall(r'<article[^>]*id="game-(\w+)"', house["landing"])
    assert listed == [*OURS, "coasters"]
    assert "mind the skulls" in house["landing"]
    assert "coming" not in re.findall(r'class="ticket (\w+)"', house["landing"])


def test_no_way_to_begin_is_offered_that_the_game_does_not_have(house):
    assert 'href="/friends/coasters"' in house["landing"]
    assert house["here"] == 200
    assert re.findall(r'name="here" value="(\d)"', house["friends"]) == ["3", "4"]


def test_its_rules_have_their_clauses(house):
    for number in range(1, 18):
        assert f'id="B{number}"' in house["rules"]


def test_it_brings_its_style(house):
    assert house["sheet"].count(".coasters .place") >= 1


def test_a_table_is_played_with_bots_to_its_end(house):
    end = house["end"]
    assert end["status"] == "over"
    assert sum(seat["winner"] for seat in end["seats"]) == 1
    assert [seat["bot"] for seat in end["seats"]].count("sensible") == 2
    assert 'id="coasters-board"' in house["page"]
    assert house["replay"] == 200


def test_the_match_played_is_sound(house, tmp_path):
    (tmp_path / "match.jsonl").write_text(house["match"], "utf-8")
    told = house["commands"]["verify"]
    assert "match.jsonl: sound; decisions: not bound, no seal given" in told
    assert "COASTERS" in told
    with pytest.raises(files.Damaged, match="coasters"):
        diablerie.load(tmp_path / "match.jsonl")  # here, where it is not installed


@pytest.mark.ci  # `test_readme.py` installs ours in the same way
def test_it_is_installed_as_its_readme_says(tmp_path):
    clone = shells.clone(tmp_path / "clone")
    shells.environment(clone / ".venv", *shells.needs(distribution("diablerie")))
    packed = shells.offline(shells.pack(tmp_path / "wheels", *shells.BUILDING))
    made = shells.shell(". .venv/bin/activate; pip install --editable .", clone, **packed)
    assert made.returncode == 0, made.stderr
    readme = (clone / "examples" / "coasters" / "README.md").read_text("utf-8")
    activate, install, games = readme.partition("```console")[2].splitlines()[1:4]
    assert activate == ". .venv/bin/activate"
    assert install.startswith("pip install ")
    cache = str(cache_root() / "outside")
    done = shells.shell(f"{activate}\n{install}\n{games}", clone, **packed, DIABLERIE_CACHE=cache)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].startswith("coasters ")


# -- what is wrong with others' packages -------------------------------------------------------

BROKEN = {
    "explodes": "raise RuntimeError('not today')\n",
    "empty": "",
    "noisy": "print('loading')\nGAME = 'a word'\n",
    "thief": (
        "from copy import copy\n"
        "from diablerie.games.coals import GAME as COALS\n"
        "GAME = copy(COALS)\n"
    ),
}


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A folder with packages that are wrong, each in its way, and one that is not there."""
    for name, text in BROKEN.items():
        (tmp_path / f"{name}.py").write_text(text)
    for name in (*BROKEN, "missing"):
        about = tmp_path / f"{name}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[diablerie.games]\n{name} = {name}:GAME\n")
    return tmp_path


def test_what_is_broken_or_clashes_is_named_and_left_out(broken):
    done = run("-m", "diablerie", "games", folder=broken)
    assert [line.split()[0] for line in done.stdout.splitlines()] == OURS
    assert done.returncode == 0
    for name, why in (
        ("explodes", "not today"),
        ("empty", "GAME"),
        ("noisy", "no Game"),
        ("thief", "there is a game coals already"),
        ("missing", "No module named"),
    ):
        assert re.search(rf"the game {name} \({name}:GAME\) is left out: .*{why}", done.stderr)


def test_ours_are_played_as_ever_beside_it(broken):
    walk = run("-m", "diablerie", "walk", "coals", "--seats", "2", "--limit", "30", folder=broken)
    expected = (ROOT / "tests" / "walks" / "coals-2-1.txt").read_text().splitlines()[:30]
    assert walk.stdout.splitlines()[:30] == expected


def test_a_package_that_imports_diablerie_first_is_found_all_the_same(installed):
    told = succeed("-c", "import coasters, diablerie; "
                   "assert diablerie.GAMES['coasters'] is coasters.GAME; "
                   "print(diablerie.GAMES.skipped)", folder=installed)  # fmt: skip
    assert told == "[]\n"
