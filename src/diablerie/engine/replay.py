"""Replay a match ply by ply: its log, any of its positions, and what a take-back would reveal."""

from typing import NamedTuple, Protocol

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.moments import Moment
from diablerie.engine.options import Settled
from diablerie.engine.plies import Event, Ply, PlyKind, line_of
from diablerie.engine.queries import redacted, sees
from diablerie.engine.record import Record, same
from diablerie.engine.text import Line
from diablerie.engine.verbs import CHANCE, EVERYTHING, WATCHER


class ReplayStep(NamedTuple):
    """One ply as a viewer sees it: its number (from 1), the position after it, its sentences.

    moments: what of it a page stages for the viewer.
    """

    number: int
    ply: Ply
    state: Record
    lines: tuple[Line, ...]
    moments: tuple[Moment, ...] = ()


class PlayedMatch(Protocol):
    """What a replay needs of a match."""

    game: Game
    options: Settled
    plies: list[Ply]

    @property
    def seats(self) -> int:
        """The number of seats."""

    @property
    def over(self) -> bool:
        """Whether the game is over."""


class Replay:
    """Plays the plies of a match again, one after the other, from the first."""

    def __init__(self, match: PlayedMatch) -> None:
        self.game = match.game
        self._options = match.options
        self._seats = match.seats
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
        staged: list[Moment] = []
        for event in ply.events:
            before = self.state.copy()
            action = number_of(self.game, self.state, event)
            verbs.apply(self.state, event.seat, action)
            known = known_event(before, event.seat, action, self.state, viewer)
            lines += self.game.ui.narrate(*known)
            if verbs.actor(self.state) == verbs.OVER:  # then nothing is secret any more
                known = known_event(before, event.seat, action, self.state, EVERYTHING)
            staged += self.game.moments(*known)
        self.plies.append(ply)
        if ply.kind is PlyKind.TAKE_BACK:
            self._plies = self.plies
            self.state = self.until(ply.to)
        if ply.notice:
            lines.append(ply.notice)
        return ReplayStep(
            len(self.plies), ply, redacted(self.state, viewer), tuple(lines), tuple(staged)
        )

    def _start(self) -> Record:
        return self.game.start(self._seats, self._options)


def number_of(game: Game, s: Record, event: Event) -> int:
    """The number of an event's action or outcome in the position before it."""
    if event.seat == CHANCE:
        return game.notation.parse_outcome(s, event.text)
    return game.notation.parse_action(s, event.seat, event.text)


class KnownEvent(NamedTuple):
    """What a viewer may know of one event: all that `ui.narrate` and `ui.moments` are given."""

    before: Record
    seat: int
    action: int | None
    after: Record
    viewer: int


def known_event(before: Record, seat: int, action: int, after: Record, viewer: int) -> KnownEvent:
    """One event, from the whole states before and after it, as `viewer` may know it."""
    seen = action if sees(before, seat, viewer) else None
    reader = WATCHER if viewer == EVERYTHING else viewer
    return KnownEvent(redacted(before, viewer), seat, seen, redacted(after, viewer), reader)


def narrate(
    game: Game, before: Record, seat: int, action: int, after: Record, viewer: int
) -> list[Line]:
    """The sentences of one event for `viewer`, made from what `viewer` may know alone."""
    return game.ui.narrate(*known_event(before, seat, action, after, viewer))


# -- the positions of a match as a tree --------------------------------------------------------


KEYFRAME_PLIES = 8  # positions on the way from the opening, of which one is kept whole


class PositionTree:
    """The positions of a match that is followed ply by ply, to return to any of them in few steps.

    A decision leads from a position to a new one, a take-back to an earlier one, and all other
    plies change nothing. Every eighth position on a way is stored whole, and a position is named
    by the number of plies after which it first arose.
    """

    def __init__(self, game: Game, start: Record) -> None:
        self._game = game
        self._plies: list[Ply] = []
        self._names = [0]  # of the position after so many plies
        self._before: dict[int, tuple[int, int]] = {0: (0, 0)}  # its parent, and how deep it lies
        self._stored = {0: start.copy()}

    def add(self, ply: Ply, state: Record) -> None:
        """Note the next ply, and the state that it has led to."""
        self._plies.append(ply)
        if ply.kind is not PlyKind.MOVE:
            to = ply.to if ply.kind is PlyKind.TAKE_BACK else len(self._plies) - 1
            self._names.append(self._names[to])
            return
        name = len(self._plies)
        parent = self._names[-1]
        depth = self._before[parent][1] + 1
        self._names.append(name)
        self._before[name] = parent, depth
        if depth % KEYFRAME_PLIES == 1:  # the opening is one of them
            self._stored[name] = state.copy()

    def after(self, ply: int) -> Record:
        """The state after the first `ply` plies."""
        at = self._names[ply]
        way = list[int]()
        while at not in self._stored:
            way.append(at)
            at = self._before[at][0]
        state = self._stored[at].copy()
        for name in reversed(way):
            for event in self._plies[name - 1].events:
                verbs.apply(state, event.seat, number_of(self._game, state, event))
        return state


# -- take-backs where others play, too ---------------------------------------------------------


def forbids_take_back(match: PlayedMatch, seat: int, to: int, past: Record | None = None) -> bool:
    """Whether `seat` may not return to the position after `to` plies, because others play, too.

    It may not if the match is over, if somebody else has decided since, or if anybody has learnt
    something since: an outcome that was drawn, or more than they could foresee. Who plays alone
    against bots may always return: the caller has to know that. past: the state after `to` plies,
    if the caller has it.
    """
    if match.over:
        return True
    state = Replay(match).until(to) if past is None else past.copy()
    for ply in match.plies[to:]:
        if ply.kind is PlyKind.HAND_OVER:
            continue
        if ply.kind is not PlyKind.MOVE or ply.seat != seat or len(ply.events) > 1:
            return True
        if _reveals(match.game, match.seats, state, ply):
            return True
    return False


def _reveals(game: Game, seats: int, state: Record, ply: Ply) -> bool:
    """Apply a decision; whether anybody learns more by it than they could foresee."""
    action = number_of(game, state, ply.events[0])
    viewers = (WATCHER, *range(seats))
    foreseen = [_foreseen(state, viewer, ply.seat, action) for viewer in viewers]
    verbs.apply(state, ply.seat, action)
    seen = (redacted(state, viewer) for viewer in viewers)
    return not all(map(same, seen, foreseen))


def _foreseen(state: Record, viewer: int, seat: int, action: int) -> Record:
    """What `viewer` expects to see after an action, from what it sees before."""
    expected = redacted(state, viewer)
    verbs.apply(expected, seat, action)
    return redacted(expected, viewer)
