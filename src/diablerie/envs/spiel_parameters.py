"""The options of a game as parameters of OpenSpiel, both ways.

Flags are true or false, whole numbers integers, everything else the text of the option with `/`
for each comma, since OpenSpiel takes commas for itself: `diablerie_coals(furnace=0/0/1/2/2/2/3)`.
"""

from collections.abc import Mapping
from typing import Any

from diablerie.engine.game import Game
from diablerie.engine.options import Option

Parameter = bool | int | str


def defaults(game: Game) -> dict[str, Parameter]:
    """All parameters of a game: the players, its options, and where to begin."""
    chosen = {option.name: parameter(option, option.default) for option in game.options}
    return {"players": game.seats[0], **chosen, "position": ""}


def parameter(option: Option, value: Any) -> Parameter:
    """The value of an option as OpenSpiel writes it."""
    if isinstance(option.default, bool | int):
        return value  # type: ignore[no-any-return]
    return option.format(value).replace(",", "/")


def seats_and_options(game: Game, given: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
    """The seats and settled options that parameters stand for. Raises BadOption."""
    chosen = {name: value for name, value in given.items() if name not in ("players", "position")}
    texts = {name: _text(value) for name, value in chosen.items()}
    seats = int(given.get("players", game.seats[0]))
    return seats, game.settled(seats, texts)


def _text(value: Any) -> Any:
    return value if isinstance(value, bool) else str(value).replace("/", ",")
