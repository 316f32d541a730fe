"""diablerie: four out-of-print devil games, to play, to simulate and to learn on.

For example:

    from diablerie import start

    match = start("coals", seats=3, seed=7)
    match.play("bet 50")
"""

from pathlib import Path
from typing import Any

from diablerie.engine import files
from diablerie.engine.files import Damaged, save
from diablerie.engine.match import Match
from diablerie.engine.notation import NotationError
from diablerie.engine.options import BadOption
from diablerie.engine.queries import Illegal
from diablerie.games import ALL as GAMES

__all__ = [
    "GAMES", "BadOption", "Damaged", "Illegal", "Match", "NotationError",
    "__version__", "batch", "load", "save", "start", "verify",
]  # fmt: skip

__version__ = "0.3.0"


def start(game: str, **chosen: Any) -> Match:
    """Start a match of the game of this name; `chosen` as for `Match.new`.

    Raises BadOption for a game, option or number of seats that there is not.
    """
    return Match.new(game_named(game), **chosen)


def batch(game: str, n: int, *, device: str = "cpu", **chosen: Any) -> Any:
    """`n` games of this name that step together in compiled code; `chosen` as for `Batch`.

    device: "cpu" or "cuda", where states and arrays stay on the card (`envs.cuda.batch`).
    Raises BadOption for a game, option or number of seats that there is not, NoCard (a
    RuntimeError) where there is no card or nothing that compiles for it, ValueError for another
    device.
    """
    from diablerie.envs.batch import Batch

    found = game_named(game)
    if device == "cpu":
        return Batch(found, n, **chosen)
    if device != "cuda":
        raise ValueError(f"{device!r} is none of cpu, cuda")
    from diablerie.envs.cuda.driver import require

    require()
    from diablerie.envs.cuda.batch import CardBatch

    return CardBatch(found, n, **chosen)


def game_named(name: str) -> Any:
    """The game of this name. Raises BadOption if there is none."""
    from diablerie.engine.text import say

    if name not in GAMES:
        raise BadOption(
            say("There is no game “{name}”; there are {names}.", name=name, names=", ".join(GAMES))
        )
    return GAMES[name]


def load(path: str | Path) -> Match:
    """The match of a file. Raises Damaged if anything in it is wrong, OSError if unreadable."""
    return files.load_match(path, GAMES)


def verify(path: str | Path) -> Match:
    """As `load`, but every outcome of chance is checked against the revealed key too."""
    return files.load_match(path, GAMES, dice=True)
