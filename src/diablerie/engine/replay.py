"""Replay a match ply by ply, with the sentences of its log. Nothing else plays plies again."""

from typing import Any, NamedTuple, Protocol

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.plies import Event, Ply, PlyKind, line_of
from diablerie.engine.queries import redacted, sees
from diablerie.engine.record import Record
from diablerie.engine.text import Line
from diablerie.engine.verbs import CHANCE, EVERYTHING, WATCHER


class ReplayStep(NamedTuple):
    """One ply as a viewer sees it: its number (from 1), the position after it, its sentences."""

    number: int
    ply: Ply
    state: Record
    lines: tuple[Line, ...]


class PlayedMatch(Protocol):
    """What a replay needs of a match."""

    game: Game
    options: dict[str, Any]
    plies: list[Ply]

    @property
    def seats(self) -> int:
        """The number of seats."""


class Replay:
    """The plies of a match played again, one after the other, from before the first."""

    def __init__(self, match: PlayedMatch) -> None:
        self.game, self._options, self._seats = match.game, match.options, match.seats
        self.plies: list[Ply] = []
        self._plies = match.plies
        self.state = self._start()

    def until(self, ply: int) -> Record:
        """The state after the first `ply` plies of the match."""
        state = self._start()
        for one in line_of(self._plies, ply):
            for event in one.events:
                verbs.apply(state, event.seat, number_of(self.game, state, event))
        return state

    def step(self, ply: Ply, viewer: int = WATCHER) -> ReplayStep:
        """Play the next ply; what `viewer` sees of it."""
        lines: list[Line] = []
        for event in ply.events:
            before, action = self.state.copy(), number_of(self.game, self.state, event)
            verbs.apply(self.state, event.seat, action)
            lines += narrate(self.game, before, event.seat, action, self.state, viewer)
        self.plies.append(ply)
        if ply.kind is PlyKind.TAKE_BACK:
            self._plies = self.plies
            self.state = self.until(ply.to)
        if ply.notice:
            lines.append(ply.notice)
        return ReplayStep(len(self.plies), ply, redacted(self.state, viewer), tuple(lines))

    def _start(self) -> Record:
        return self.game.start(self._seats, self._options)


def number_of(game: Game, s: Record, event: Event) -> int:
    """The number of an event's action or outcome in the position before it."""
    if event.seat == CHANCE:
        return game.notation.parse_outcome(s, event.text)
    return game.notation.parse_action(s, event.seat, event.text)


def narrate(
    game: Game, before: Record, seat: int, action: int, after: Record, viewer: int
) -> list[Line]:
    """The sentences of one event for `viewer`, made from what `viewer` may know alone."""
    told = action if sees(before, seat, viewer) else None
    eyes = WATCHER if viewer == EVERYTHING else viewer
    return game.ui.narrate(redacted(before, viewer), seat, told, redacted(after, viewer), eyes)
