"""The bots a person chooses from, as forms call them; what they are is in `bots.levels`."""

from collections.abc import Mapping

from diablerie.bots import levels
from diablerie.engine.game import Game
from diablerie.engine.text import Line, say
from diablerie.table.errors import BadInput

BOTS = {level.name: level.company for level in levels.LEVELS}
STYLES = {style.name: style.company for style in levels.STYLES}
ALLOWED = (*BOTS, *STYLES, "sensible", "random")  # without settings: thinking is not for the asking
USUAL = levels.USUAL.name  # whom one plays who has not chosen
STRONGEST = levels.STRONGEST.name


def company(game: Game) -> Mapping[str, Line]:
    """The bots to choose from for a game: the levels, and styles if one can be daring in it."""
    return BOTS | STYLES if any(game.daring) else BOTS


def allowed(name: str) -> str:
    """A bot that may be asked for on a page. Raises BadInput for others."""
    if name not in ALLOWED:
        raise BadInput(
            say(
                "There is no bot “{text}” here; there are {names}.",
                text=name[:40],
                names=", ".join(ALLOWED),
            )
        )
    return name
