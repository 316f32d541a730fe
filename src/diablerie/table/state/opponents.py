"""The bots that a form may name; `bots/levels.py` says how they play."""

from collections.abc import Mapping

from diablerie.bots import levels
from diablerie.engine.game import Game
from diablerie.engine.text import Line, nameless, say
from diablerie.table.errors import BadInput

BOT_COMPANY = {level.name: level.company for level in levels.LEVELS}
STYLE_COMPANY = {style.name: style.company for style in levels.STYLES}
ALLOWED = (
    *BOT_COMPANY,
    *STYLE_COMPANY,
    "sensible",
    "random",
)  # no other settings: thinking time costs the server
USUAL_BOT = levels.USUAL_LEVEL.name  # the bot if a form names none


def company(game: Game) -> Mapping[str, Line]:
    """The bots to choose from for a game: the levels, and the styles if the game has any."""
    return BOT_COMPANY | STYLE_COMPANY if any(game.daring) else BOT_COMPANY


def allowed(name: str) -> str:
    """The name of a bot, if a form may ask for it. Raises BadInput for others."""
    if not name.strip():
        raise BadInput(nameless(ALLOWED))
    if name not in ALLOWED:
        raise BadInput(
            say(
                "There is no bot “{text}” here; there are {names}.",
                text=name[:40],
                names=", ".join(ALLOWED),
            )
        )
    return name
