"""The pages in Pyodide, in node, without NumPy or Numba. Pyodide is downloaded: in CI only."""

import json
import random
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import diablerie
from diablerie.engine.game import Game
from diablerie.games import ALL, OURS
from diablerie.site import modules, packages
from diablerie.site.modules import CannotBuild, write_rules
from tests.site.decisions import decisions, walks
from tests.site.positions import earlier_site

pytestmark = pytest.mark.xdist_group("wasm")
HERE = Path(__file__).parent
Walk = tuple[str, int, int, dict[str, str]]  # game, seats, seed, options
POSITIONS = 15  # at which every level decides
WALKS, MANY = 10, 2500  # of each game, and once a night
SEED = random.randrange(2**63)  # drawn anew for every run; a failure names the walk
UNMET = """
import { readFileSync } from "node:fs";
const [host, ...rules] = process.argv.slice(1).map((file) => new WebAssembly.Module(readFileSync(file)));
const given = new Set(WebAssembly.Module.exports(host).map(({ name }) => name));
const all = rules.flatMap((one) => WebAssembly.Module.imports(one));
const taken = all.filter(({ kind }) => kind === "function");
console.log(JSON.stringify([taken.length, taken.filter(({ name }) => !given.has(name))]));
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pyodide, Python's packages and the compiled rules."""
    if not shutil.which("node"):
        pytest.skip("there is no node")
    made = tmp_path_factory.mktemp("pyodide")
    try:
        write_rules(made / "rules", OURS)
        shutil.copytree(packages.fetched(), made / "pyodide")
        packages.write_packages(made / "app")
    except (CannotBuild, packages.NotFetched) as error:
        pytest.skip(str(error))
    for name in ("gate.mjs", "decisions.py"):
        shutil.copy(HERE / name, made)
    shutil.copy(Path(packages.__file__).parent / "static" / "python.js", made / "python.mjs")
    return made


def drawn(game: Game, number: int) -> list[Walk]:
    """So many walks, every other one with the default options."""
    draw, found = random.Random(f"{SEED} {game.name}"), list[Walk]()
    for i in range(number):
        options = {o.name: o.format(draw.choice((o.default, *o.samples))) for o in game.options}
        found.append(
            (game.name, draw.choice(game.seats), draw.randrange(2**64), options if i % 2 else {})
        )
    return found


def in_node(folder: Path, **asked: Any) -> dict[str, Any]:
    """What `gate.mjs` tells."""
    command = ["node", "gate.mjs", str(folder), "underworld"]
    done = subprocess.run(
        command, input=json.dumps(asked), capture_output=True, text=True, check=False, cwd=folder
    )
    assert done.returncode == 0, done.stderr[-3000:]
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def agree(told: dict[str, Any], asked: Sequence[Walk]) -> None:
    """Compare walks with those of the rules that Numba compiled here."""
    assert len(told["walks"]) == len(asked)
    for (name, *how), theirs in zip(asked, told["walks"], strict=True):
        assert theirs == walks(ALL[name], *how), (name, *how)


@pytest.mark.ci
def test_pyodide_has_every_function_that_the_rules_call(folder: Path) -> None:
    files = [folder / "pyodide" / "pyodide.asm.wasm", *(folder / "rules").glob("*.wasm")]
    command = ["node", "--input-type=module", "--eval", UNMET, *map(str, files)]
    taken, unmet = json.loads(subprocess.check_output(command))
    assert taken > len(OURS)
    assert unmet == []


@pytest.mark.ci
def test_a_game_against_an_oberteufel_by_the_pages(folder: Path, tmp_path: Path) -> None:
    asked = [walk for game in OURS for walk in drawn(game, WALKS)]
    earlier_site(folder / "app")
    told = in_node(
        folder,
        decisions=[(g.name, POSITIONS) for g in OURS],
        walks=asked,
        games=[("tails", "/app/tables.db")],
    )
    assert len(told["games"][0]) == 1  # upgraded
    assert told["loaded"] == []  # nothing but the stand-ins
    assert told["decided"] > 10
    assert "<svg" in told["html"]
    assert told["decisions"] == [decisions(game, POSITIONS) for game in OURS]
    agree(told, asked)
    file = tmp_path / "match.jsonl"
    file.write_text(told["file"], "utf-8")
    match = diablerie.verify(file)  # with the rules that Numba compiled here
    assert match.over


@pytest.mark.nightly
def test_many_walks_agree(folder: Path) -> None:
    asked = [walk for game in OURS for walk in drawn(game, MANY)]
    agree(in_node(folder, walks=asked), asked)


def test_without_the_linker_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diablerie.site.modules.find_spec", lambda _: None)
    with pytest.raises(CannotBuild, match=r"WebAssembly needs a linker: .*\[site\]"):
        modules.module_of("tails")


@pytest.mark.parametrize("damaged", [b"", b"\0asm", b"\1" * 40])
def test_a_damaged_module_in_the_cache_is_made_anew(
    damaged: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    monkeypatch.setattr(modules, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(modules, "find_spec", lambda _: True)
    monkeypatch.setattr(modules, "_made", lambda game: made.append(game) or b"\0asm and all of it")
    assert modules.module_of("tails") == modules.module_of("tails") == b"\0asm and all of it"
    (tmp_path / "tails.wasm").write_bytes(damaged)
    assert modules.module_of("tails") == b"\0asm and all of it"
    assert made == ["tails"] * 2


def test_a_damaged_pyodide_in_the_cache_is_fetched_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = {"a.mjs": b"code", "msgspec/b.py": b"more code"}
    fetched: list[Path] = []

    def fetch(_: Path, into: Path) -> None:
        fetched.append(into)
        for name, content in whole.items():
            (into / name).parent.mkdir(exist_ok=True)
            (into / name).write_bytes(content)

    monkeypatch.setattr(packages, "cache_root", lambda: tmp_path)
    monkeypatch.setattr(packages, "_fetch_pyodide", fetch)
    monkeypatch.setattr(packages, "_fetch_msgspec", lambda *_: None)
    monkeypatch.setattr(packages.shutil, "which", lambda _: "npm")
    with pytest.raises(packages.NotFetched, match="another digest than expected") as no:
        packages.fetched()
    assert not [*tmp_path.iterdir()]
    monkeypatch.setattr(packages, "UNPACKED", str(no.value).split()[-1])
    folder = packages.fetched()
    for damage in (b"", b"co", b"cod3"):
        (folder / "a.mjs").write_bytes(damage)
        assert (packages.fetched() / "a.mjs").read_bytes() == b"code"
    (folder / "msgspec" / "b.py").unlink()
    assert packages.fetched() == folder
    assert len(fetched) == 1 + 1 + 3 + 1
