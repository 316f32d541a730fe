"""`SeatPanel`: what is shown of a seat beside the board; and the house rules of a table."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from babel.dates import format_datetime

from diablerie.engine.options import Option
from diablerie.engine.text import Line, say
from diablerie.table.presence.attendance import Presence
from diablerie.table.state.table_state import PLAYERS, PROGRAM, TableSeat, TableState
from diablerie.table.state.turn_clock import in_words
from diablerie.web.html.speech import Speech


class SeatPanel(NamedTuple):
    """One line of the seats panel."""

    info: TableSeat
    name: str
    own: bool
    shared: bool  # several people sit at the viewer's screen
    deciding: bool
    winner: bool
    badges: list[Line]
    presence: Presence
    spare: bool  # may be given to a bot by the viewer
    due: float | None = None  # when its time to decide is over (Unix time)

    @property
    def away(self) -> bool:
        """Whether somebody sits here who has no page open."""
        return self.info.kind in PLAYERS and not (self.presence.here or self.own)

    def until(self, tongue: str) -> str:
        """When its time is over, in words; with scripts the page counts down instead."""
        moment = datetime.fromtimestamp(self.due or 0.0, UTC)
        return format_datetime(moment, "d MMM, HH:mm", locale=tongue)

    @property
    def notable(self) -> bool:
        """Whether there is more to say or do than the picture shows: away, stand-in, clock."""
        return self.away or self.spare or bool(self.info.stand_in) or self.due is not None

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


def team_pairs(teams: Sequence[int]) -> list[list[int]]:
    """The seats of each team of two, from every seat's team."""
    sides = [[seat for seat, one in enumerate(teams) if one == team] for team in sorted({*teams})]
    return [seats for seats in sides if len(seats) == 2]


def house_rules(live: TableState, speech: Speech) -> list[tuple[str, str]]:
    """The turn clock, and the options in which a match differs from the usual: name and value."""
    clock = [(say("Turn clock"), speech.plain(in_words(live.pace)))] if live.pace else []
    unusual = [
        (option.label, _shown(option, live, speech))
        for option in live.game.options
        if live.options[option.name] != option.default
    ]
    return [(speech.plain(label), value) for label, value in clock + unusual]


def _shown(option: Option, live: TableState, speech: Speech) -> str:
    text = option.format(live.options[option.name])
    return next((speech.plain(line) for word, line in option.values if word == text), text)
