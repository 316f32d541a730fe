"""A match: its truth is the event log, a header and then one line per decision or outcome.

    match = Match.new(GAME, seats=3, seed=7)
    match.play("bet 50")

The state is what replaying the log gives. Chance outcomes are drawn from the match's fair stream
and follow a decision at once, so a match always stands at a decision or is over.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.asking import Illegal, legal_actions, outcomes, redacted, refusal, sees
from diablerie.engine.fair import Fair
from diablerie.engine.game import Game
from diablerie.engine.options import settle
from diablerie.engine.record import Record, copy
from diablerie.engine.text import Line, say
from diablerie.engine.verbs import CHANCE, OVER, WATCHER


class Event(NamedTuple):
    """One line of the log: who (`CHANCE` for an outcome) and what, in the game's notation."""

    seat: int
    text: str


class Step(NamedTuple):
    """One event with the states around it; `action` is its number."""

    before: Record
    seat: int
    action: int
    after: Record


@dataclass
class Match:
    """A match being played. `new` starts one; `files.load` reads one back."""

    game: Game
    options: dict[str, Any]
    names: tuple[str, ...]
    fair: Fair
    state: Record
    events: list[Event] = field(default_factory=list)
    taken: int = 0  # so many events come from another match, whose key drew their chance

    @classmethod
    def new(
        cls,
        game: Game,
        *,
        seats: int | None = None,
        seed: int | None = None,
        fair: Fair | None = None,
        names: Sequence[str] = (),
        options: Mapping[str, Any] | None = None,
    ) -> "Match":
        """Start a match and draw what chance decides first.

        The chance comes from `fair`, else from `seed`, else from a fresh secret key. Raises
        BadOption for seats or options the game does not have.
        """
        match = cls.opening(
            game, seats=seats, fair=fair or _stream(seed), names=names, options=options
        )
        match._draw()
        return match

    @classmethod
    def opening(
        cls,
        game: Game,
        *,
        seats: int | None = None,
        fair: Fair,
        names: Sequence[str] = (),
        options: Mapping[str, Any] | None = None,
    ) -> "Match":
        """A match before its first event, even one of chance: what a log is replayed from."""
        count = game.seats[0] if seats is None else seats
        settled = settle(game.options, options or {})
        state = game.start(count, settled)
        shown = tuple(names[i] if i < len(names) else "" for i in range(count))
        return cls(game, settled, shown, fair, state)

    # -- whose move, and what may be done ---------------------------------------------------

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.names)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return verbs.actor(self.state) == OVER

    @property
    def actor(self) -> int | None:
        """The seat to decide (the lowest where several do), None when the game is over."""
        seat = verbs.actor(self.state)
        return None if seat == OVER else seat

    @property
    def pending(self) -> list[int]:
        """All seats that may decide now."""
        mask = verbs.pending(self.state)
        return [seat for seat in range(self.seats) if mask >> seat & 1]

    @property
    def node(self) -> str:
        """The name of the node, as the rule files have it."""
        return self.game.node(int(self.state.node)).name.lower()

    def actions(self, seat: int | None = None) -> list[int]:
        """The legal actions of a seat (default: the actor) as numbers, in the rules' order."""
        who = self._who(seat)
        if who is None:
            return []
        return legal_actions(self.game, self.state, who)

    def legal(self, seat: int | None = None) -> list[str]:
        """The legal actions of a seat (default: the actor) in notation, in the rules' order."""
        who = self._who(seat)
        if who is None:
            return []
        return [self.game.notation.format_action(self.state, who, a) for a in self.actions(who)]

    def returns(self) -> list[float]:
        """Every seat's utility, all 0 while the game runs."""
        out = np.zeros(max(self.seats, self.game.seats[-1]))
        if self.over:
            verbs.returns(self.state, out)
        return [float(x) for x in out[: self.seats]]

    def check(self, text: str, seat: int | None = None) -> int:
        """The number of the action that `text` names, if `seat` may do it now.

        Raises Illegal with the clause if not, NotationError if the text is no action.
        """
        who = self._who(seat)
        if who is None:
            raise Illegal(say("The game is over."))
        if who not in self.pending:
            raise Illegal(say("It is not this seat's turn to decide."))
        action = self.game.notation.parse_action(self.state, who, text)
        code = verbs.forbids(self.state, who, action)
        if code:
            raise refusal(self.game, code, text)
        return action

    # -- playing ----------------------------------------------------------------------------

    def play(self, text: str, seat: int | None = None) -> list[Event]:
        """Decide for a seat (default: the actor) and draw what chance decides then.

        Returns the new events. Raises Illegal or NotationError, changing nothing.
        """
        who = self._who(seat)
        action = self.check(text, who)
        assert who is not None
        count = len(self.events)
        self._record(who, action)
        self._draw()
        return self.events[count:]

    def apply(self, event: Event) -> None:
        """Append one event of a log, of chance too. Raises Illegal or NotationError."""
        notation = self.game.notation
        if verbs.actor(self.state) != CHANCE:
            if event.seat == CHANCE:
                raise Illegal(say("Chance decides nothing here."))
            self._record(event.seat, self.check(event.text, event.seat))
            return
        if event.seat != CHANCE:
            raise Illegal(say("Chance has to decide first."))
        outcome = notation.parse_outcome(self.state, event.text)
        if outcome not in outcomes(self.game, self.state)[0]:
            raise Illegal(say("“{text}” cannot happen here.", text=event.text))
        self._record(CHANCE, outcome)

    def drawn(self) -> Event:
        """What the fair stream brings at the chance node the match stands at."""
        possible, p = outcomes(self.game, self.state)
        outcome = possible[self.fair.pick(len(self.events), p)]
        return Event(CHANCE, self.game.notation.format_outcome(self.state, outcome))

    def undo(self) -> None:
        """Take the last decision back, with the outcomes that followed it."""
        last = max((i for i, e in enumerate(self.events) if e.seat != CHANCE), default=None)
        if last is None:
            raise IndexError("no decision to take back")
        before = self.at(last)
        self.state, self.events = before.state, before.events

    def copy(self) -> "Match":
        """An independent copy."""
        return replace(self, state=copy(self.state), events=list(self.events))

    def at(self, count: int) -> "Match":
        """The match as it was after its first `count` events."""
        past = self._blank()
        for event in self.events[:count]:
            past.apply(event)
        return past

    # -- looking ----------------------------------------------------------------------------

    def seen_by(self, viewer: int = WATCHER) -> Record:
        """The state with all blanked that `viewer` may not know."""
        return redacted(self.state, viewer)

    def view(self, viewer: int = WATCHER) -> dict[str, Any]:
        """What `viewer` sees, as plain data."""
        return self.game.ui.look(self.seen_by(viewer), viewer)

    def steps(self) -> Iterator[Step]:
        """All events so far with the states around them, replayed from the start."""
        past = self._blank()
        for event in self.events:
            before = copy(past.state)
            past.apply(event)
            yield Step(before, event.seat, self._number(before, event), copy(past.state))

    def log(self, viewer: int = WATCHER) -> list[Line]:
        """The whole log in sentences, as `viewer` may read it."""
        return [line for step in self.steps() for line in narrate(self.game, step, viewer)]

    def __str__(self) -> str:
        return self.game.ui.sketch(self.view())

    # -- the inside -------------------------------------------------------------------------

    def _blank(self) -> "Match":
        return Match.opening(
            self.game, seats=self.seats, fair=self.fair, names=self.names, options=self.options
        )

    def _who(self, seat: int | None) -> int | None:
        return self.actor if seat is None else seat

    def _number(self, before: Record, event: Event) -> int:
        if event.seat == CHANCE:
            return self.game.notation.parse_outcome(before, event.text)
        return self.game.notation.parse_action(before, event.seat, event.text)

    def _record(self, seat: int, action: int) -> None:
        notation = self.game.notation
        if seat == CHANCE:
            text = notation.format_outcome(self.state, action)
        else:
            text = notation.format_action(self.state, seat, action)
        verbs.apply(self.state, seat, action)
        self.events.append(Event(seat, text))

    def _draw(self) -> None:
        while verbs.actor(self.state) == CHANCE:
            self.apply(self.drawn())


def _stream(seed: int | None) -> Fair:
    return Fair.fresh() if seed is None else Fair.seeded(seed)


def narrate(game: Game, step: Step, viewer: int) -> list[Line]:
    """The sentences of one event for `viewer`, made from what `viewer` may know alone."""
    action = step.action if sees(step.before, step.seat, viewer) else None
    before, after = redacted(step.before, viewer), redacted(step.after, viewer)
    return game.ui.narrate(before, step.seat, action, after, viewer)


def told(game: Game, step: Step) -> list[Line]:
    """The sentences of one event of a finished match, told openly."""
    return game.ui.narrate(step.before, step.seat, step.action, step.after, WATCHER)
