"""`SeatPanel`: what is shown of a seat beside the board; and the house rules of a table."""

from collections.abc import Sequence
from typing import NamedTuple

from diablerie.engine.options import Option
from diablerie.engine.text import Line, say
from diablerie.table.attendance import Presence
from diablerie.table.live import PLAYERS, PROGRAM, Live, SeatInfo
from diablerie.web.speech import Speech


class SeatPanel(NamedTuple):
    """One line of the seats panel."""

    info: SeatInfo
    name: str
    own: bool
    shared: bool  # several people sit at the viewer's screen
    deciding: bool
    winner: bool
    badges: list[Line]
    presence: Presence
    spare: bool  # may be given to a bot by the viewer

    @property
    def away(self) -> bool:
        """Whether somebody sits here who has no page open."""
        return self.info.kind in PLAYERS and not (self.presence.here or self.own)

    def what(self, speech: Speech) -> str:
        """What stands after the name."""
        if self.own:
            return speech.plain(say("at this screen") if self.shared else say("you"))
        if self.info.kind == PROGRAM:
            return speech.plain(say("a program"))
        return speech.plain(say("bot")) if self.info.bot else ""

    @property
    def mood(self) -> str:
        """The face of the seat's devil."""
        if self.winner:
            return "triumph"
        if self.deciding:
            return "think"
        if self.away:
            return "sleep"
        return "sly" if self.info.driver else "grin"


def pairs(teams: Sequence[int]) -> list[list[int]]:
    """The seats of each team of two, from every seat's team."""
    found = [[seat for seat, one in enumerate(teams) if one == team] for team in sorted({*teams})]
    return [seats for seats in found if len(seats) == 2]


def house_rules(live: Live, speech: Speech) -> list[tuple[str, str]]:
    """The options in which a match differs from the usual: name and value."""
    return [
        (speech.plain(option.label), _shown(option, live, speech))
        for option in live.game.options
        if live.options[option.name] != option.default
    ]


def _shown(option: Option, live: Live, speech: Speech) -> str:
    text = option.format(live.options[option.name])
    return next((speech.plain(line) for word, line in option.values if word == text), text)
