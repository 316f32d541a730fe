"""Walks without Python: `walk.mjs` and what it reads, in a folder.

`python -m diablerie.site.walks FOLDER` writes them; then `node FOLDER/walk.mjs GAME SEATS SEED
[LIMIT] [OPTION=VALUE …]` prints what `diablerie walk` prints. `walks.json` has the first state for
each number of players, and how each value of an option changes its bytes.
"""

import base64
import json
import shutil
import sys
from collections.abc import Iterable, Iterator
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from diablerie.engine.game import Game
from diablerie.engine.options import Option
from diablerie.games import ALL
from diablerie.site.modules import ALL_RULES, WALKS, module_of

Patch = list[list[int]]  # pairs: an offset in the state, and the byte there


def write_walks(folder: Path, games: Iterable[Game], part: str = WALKS) -> None:
    """Write what walks of these games need. part: of the rules, see `modules.PARTS`.

    Raises CannotBuild if the linker is missing, OSError.
    """
    played = list(games)
    write_rules(folder, played, part)
    told = {game.name: described(game) for game in played}
    (folder / "walks.json").write_text(json.dumps(told, separators=(",", ":")), "utf-8")
    with as_file(files("diablerie.site") / "static" / "walk.mjs") as script:
        shutil.copyfile(script, folder / script.name)


def write_rules(folder: Path, games: Iterable[Game], part: str = ALL_RULES) -> None:
    """Write the compiled rules into `rules`, with `rules.json`, which `browser.libraries` reads.

    Raises CannotBuild, OSError.
    """
    rules, index = folder / "rules", {}
    rules.mkdir(parents=True, exist_ok=True)
    for game in games:
        file = rules / f"{game.name}.wasm"
        shutil.copyfile(module_of(game.name, part), file)
        index[list(game.state.dtype.fields)[-1]] = file.name
    (rules / "rules.json").write_text(json.dumps(index), "utf-8")


def described(game: Game) -> dict[str, Any]:
    """What `walk.mjs` must know of a game beside its compiled rules.

    Raises ValueError if its options change the same bytes of the first state.
    """
    return {
        "actions": game.actions,
        "outcomes": game.outcomes,
        "node": game.state.dtype.fields["node"][1],
        "nodes": {int(node): node.name.lower() for node in game.node},
        "starts": {seats: _start(game, seats) for seats in game.seats},
    }


def _start(game: Game, seats: int) -> dict[str, Any]:
    plain = game.start(seats).tobytes()
    patches = {
        option.name: {text: _patch(game, seats, plain, option, text) for text in texts(option)}
        for option in game.options
    }
    last = {name: list(by_text)[-1] for name, by_text in patches.items()}
    together = bytearray(plain)
    for name, text in last.items():
        for at, byte in patches[name][text]:
            together[at] = byte
    if bytes(together) != game.start(seats, last).tobytes():
        raise ValueError(f"options of {game.name} change the same bytes of its first state")
    return {"state": base64.b64encode(plain).decode(), "options": patches}


def _patch(game: Game, seats: int, plain: bytes, option: Option, text: str) -> Patch:
    changed = game.start(seats, {option.name: text}).tobytes()
    return [
        [at, new] for at, (old, new) in enumerate(zip(plain, changed, strict=True)) if old != new
    ]


def texts(option: Option) -> Iterator[str]:
    """The values of an option that a walk may have: those offered, and its samples."""
    values = (option.default, *option.samples)
    yield from dict.fromkeys([*(option.format(v) for v in values), *(v for v, _ in option.values)])


if __name__ == "__main__":
    write_walks(Path(sys.argv[1]), ALL.values())
