"""The notation of COALS: `bet 120`, `pull`, `stop`; `first 2`, `coal 50`, `coal devil`."""

from diablerie.engine.notation import NotationError, TableNotation, Texts
from diablerie.engine.record import Record
from diablerie.engine.text import say
from diablerie.engine.verbs import SEATS
from diablerie.games.coals.rules.state import DEVIL, PULL, UNIT, VALUES, Node

KIND_NAMES = (*map(str, VALUES[:DEVIL]), "devil")
ACTION_TEXTS = Texts(
    [*(f"bet {tens * UNIT}" for tens in range(PULL)), "pull", "stop"],
    say("“bet” and a multiple of 10 from 0 to 1590, “pull” or “stop”"),
)
STAKE = say("a stake: “bet” and a multiple of 10 from 0 to all that you have", "C7")


class CoalsNotation(TableNotation):
    """Stakes that nobody can ever have are refused by the clause on stakes."""

    def parse_action(self, s: Record, seat: int, text: str) -> int:
        """The action that a text names. Raises NotationError."""
        if text.startswith("bet ") and text not in ACTION_TEXTS.texts:
            raise NotationError(text, STAKE)
        return super().parse_action(s, seat, text)


NOTATION = CoalsNotation(
    ACTION_TEXTS,
    {
        Node.FIRST: Texts([f"first {seat}" for seat in range(SEATS)]),
        Node.COAL: Texts([f"coal {name}" for name in KIND_NAMES]),
    },
)
