"""Walks of the rules in WebAssembly, in node, are those of the rules as Numba compiles them here."""

import json
import random
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from diablerie.engine.game import Game
from diablerie.engine.walk import walk
from diablerie.games import ALL, OURS
from diablerie.site import modules, walks
from diablerie.site.modules import CannotBuild
from diablerie.site.walks import described, texts, write_walks

WALKS = 50  # of each game
MANY = 2500  # of each game, once a night
SEED = random.randrange(2**63)  # drawn anew for every run; a failure names the walk
pytestmark = pytest.mark.xdist_group("wasm")  # so that each game is compiled once


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What walks in node need."""
    if not shutil.which("node"):
        pytest.skip("there is no node")
    made = tmp_path_factory.mktemp("site")
    try:
        write_walks(made, OURS)
    except CannotBuild as error:
        pytest.skip(str(error))
    return made


def drawn(game: Game, number: int) -> list[tuple[int, int, dict[str, str]]]:
    """So many walks: seats, seed, and options, every other one the defaults."""
    draw = random.Random(f"{SEED} {game.name}")
    found = []
    for i in range(number):
        options = {o.name: draw.choice(list(texts(o))) for o in game.options} if i % 2 else {}
        found.append((draw.choice(game.seats), draw.randrange(2**64), options))
    return found


def in_node(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = ["node", str(folder / "walk.mjs"), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def all_agree(folder: Path, game: Game, walks: Sequence[tuple[int, int, dict[str, str]]]) -> None:
    """Compare these walks, which one process of node prints, one after the other."""
    script = folder / "many.mjs"
    script.write_text(
        'import { readFileSync } from "node:fs";\n'
        'import { walk } from "./walk.mjs";\n'
        'for (const [game, seats, seed, options] of JSON.parse(readFileSync(0, "utf8")))\n'
        '  console.log([...walk(game, seats, seed, -1, options)].join("\\n"));\n'
    )
    asked = json.dumps([(game.name, seats, str(seed), o) for seats, seed, o in walks])
    printed = subprocess.run(
        ["node", str(script)], input=asked, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    at = 0
    for seats, seed, options in walks:
        for line in walk(game, game.start(seats, options), seed):
            assert printed[at] == line, (game.name, seats, seed, options)
            at += 1
    assert at == len(printed)


@pytest.mark.parametrize("game", OURS, ids=lambda game: game.name)
def test_walks_in_node_agree(folder: Path, game: Game) -> None:
    all_agree(folder, game, drawn(game, WALKS))


@pytest.mark.nightly
@pytest.mark.parametrize("game", OURS, ids=lambda game: game.name)
def test_many_walks_in_node_agree(folder: Path, game: Game) -> None:
    all_agree(folder, game, drawn(game, MANY))


def test_the_command_prints_what_diablerie_walk_prints(folder: Path) -> None:
    game = ALL["underworld"]
    expected = [*walk(game, game.start(3, {"gift": "may"}), SEED, 40), ""]
    done = in_node(folder, "underworld", "3", str(SEED), "40", "gift=may")
    assert done.stdout == "\n".join(expected)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("chess", "2", "1"), "there is no game chess"),
        (("tails", "9", "1"), "not for 9 players"),
        (("coals", "2", "1", "goal=220"), "this site does not know goal=220"),
    ],
)
def test_what_walks_cannot_do_they_say(folder: Path, words: tuple[str, ...], said: str) -> None:
    done = in_node(folder, *words)
    assert (done.returncode, done.stderr) == (2, f"walk.mjs: {said}\n")


def test_options_that_change_the_same_bytes_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walks, "_patch", lambda *_: [])
    with pytest.raises(ValueError, match="options of underworld change the same bytes"):
        described(ALL["underworld"])


def test_without_the_linker_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diablerie.site.modules.find_spec", lambda _: None)
    with pytest.raises(CannotBuild, match=r"WebAssembly needs a linker: .*\[site\]"):
        modules.module_of("tails")
