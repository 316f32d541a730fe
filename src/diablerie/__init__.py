"""diablerie: four out-of-print devil games, to play, to simulate and to learn on.

For example:

    from diablerie import start

    match = start("coals", seats=3, seed=7)
    match.play("bet 50")
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from diablerie.engine.files import Damaged as Damaged
    from diablerie.engine.files import save as save
    from diablerie.engine.match import Match as Match
    from diablerie.engine.notation import NotationError as NotationError
    from diablerie.engine.options import BadOption as BadOption
    from diablerie.engine.queries import Illegal as Illegal
    from diablerie.envs.batch import Batch
    from diablerie.games import ALL as GAMES

__all__ = [
    "GAMES", "BadOption", "Damaged", "Illegal", "Match", "NotationError",
    "__version__", "batch", "load", "save", "start", "verify",
]  # fmt: skip

__version__ = "0.4.0"


# Imported when first asked for: with them come Numba and all games, which takes a second.
_PLACES = {
    "GAMES": ("diablerie.games", "ALL"),
    "BadOption": ("diablerie.engine.options", "BadOption"),
    "Damaged": ("diablerie.engine.files", "Damaged"),
    "Illegal": ("diablerie.engine.queries", "Illegal"),
    "Match": ("diablerie.engine.match", "Match"),
    "NotationError": ("diablerie.engine.notation", "NotationError"),
    "save": ("diablerie.engine.files", "save"),
}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, there = _PLACES[name]
    found = globals()[name] = getattr(import_module(module), there)
    return found


def start(game: str, **chosen: Any) -> "Match":
    """Start a match of the game of this name; `chosen` as for `Match.new`.

    Raises BadOption for a game, argument, option or number of seats that there is not, TypeError
    for a seed that is no whole number.
    """
    from diablerie.engine.at_once import begin_interpreted
    from diablerie.engine.match import Match

    played = checked(game, Match.new, chosen)
    begin_interpreted(played)
    return Match.new(played, **chosen)


def batch(game: str, n: int, **chosen: Any) -> "Batch":
    """`n` games of this name that step together in compiled code; `chosen` as for `Batch`.

    Raises BadOption for a game, argument, option or number of seats that there is not.
    """
    from diablerie.envs.batch import Batch

    return Batch(checked(game, Batch, chosen), n, **chosen)


def game_named(name: str) -> Any:
    """The game of this name. Raises BadOption if there is none."""
    from diablerie.engine.game import no_game
    from diablerie.engine.options import BadOption
    from diablerie.games import ALL as GAMES

    if name not in GAMES:
        raise BadOption(no_game(str(name), GAMES))
    return GAMES[name]


def checked(name: str, function: Any, chosen: Mapping[str, Any]) -> Any:
    """The game of this name. Raises BadOption for an argument that the function lacks, too."""
    from difflib import get_close_matches
    from inspect import signature

    from diablerie.engine.options import BadOption
    from diablerie.engine.text import say

    game = game_named(name)
    known = {
        name: f"{name}=…" for name in signature(function).parameters if name not in ("game", "n")
    }
    meant = known | {o.name: f'options={{"{o.name}": …}}' for o in game.options}
    for name in chosen:
        if name not in known:
            close = get_close_matches(name, meant, 1) or meant
            names = ", ".join(meant[one] for one in close)
            raise BadOption(say("There is no “{name}” here; try {names}.", name=name, names=names))
    return game


def load(path: str | Path) -> "Match":
    """The match of a file. Raises Damaged if anything in it is wrong, OSError if unreadable."""
    return _loaded(path)


def verify(path: str | Path) -> "Match":
    """As `load`, but every outcome of chance is checked against the revealed key too."""
    return _loaded(path, dice=True)


def _loaded(path: str | Path, dice: bool = False) -> "Match":
    from diablerie.engine.at_once import begin_interpreted
    from diablerie.engine.files import load_match
    from diablerie.games import ALL as GAMES

    begin_interpreted(*GAMES.values())
    return load_match(path, GAMES, dice)
