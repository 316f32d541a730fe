"""The notation of COALS: `bet 120`, `pull`, `stop`; `first 2`, `coal 50`, `coal devil`."""

from diablerie.engine.notation import TableNotation, Texts
from diablerie.engine.text import say
from diablerie.engine.verbs import SEATS
from diablerie.games.coals.rules.state import DEVIL, PULL, UNIT, VALUES, Node

KIND_NAMES = (*map(str, VALUES[:DEVIL]), "devil")
ACTION_TEXTS = Texts(
    [*(f"bet {tens * UNIT}" for tens in range(PULL)), "pull", "stop"],
    say("“bet” and a multiple of 10 from 0 to 1590, “pull” or “stop”"),
)
NOTATION = TableNotation(
    ACTION_TEXTS,
    {
        Node.FIRST: Texts([f"first {seat}" for seat in range(SEATS)]),
        Node.COAL: Texts([f"coal {name}" for name in KIND_NAMES]),
    },
)
