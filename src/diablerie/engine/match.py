"""A match, which is the list of its plies.

    match = Match.new(GAME, seats=3, seed=7)
    match.play("bet 50")

The state is what playing the plies gives. Chance outcomes are drawn from the match's fair stream
and follow a decision at once, so a match always stands at a decision or is over.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from diablerie.engine import verbs
from diablerie.engine.fair import DiceStream
from diablerie.engine.game import Game
from diablerie.engine.options import OptionValues, Settled
from diablerie.engine.plies import (
    Event,
    Ply,
    PlyKind,
    all_others,
    before_last,
    conceded,
    count_draws,
    line_of,
    resignation_returns,
    resigned,
)
from diablerie.engine.queries import (
    Illegal,
    chance_outcomes,
    legal_actions,
    parse_legal_action,
    redacted,
    utilities,
)
from diablerie.engine.record import Record, from_bytes
from diablerie.engine.replay import Replay, ReplayStep
from diablerie.engine.text import Line, say
from diablerie.engine.verbs import CHANCE, EVERYTHING, OVER, WATCHER

POSITIONS_KEPT = 8  # positions that are kept; all others are found by replaying


@dataclass(slots=True)
class Match:
    """A match being played. `new` starts one; `files.load_match` reads one back.

    taken: the number of plies that come from another match, whose key drew their chance. It is set
    before they are appended.
    draws: how many outcomes came after those, taken back or not: the number of the next one. Nobody
    may learn it before the end, since it can be a secret whether something was drawn.
    """

    game: Game
    options: Settled
    names: tuple[str, ...]
    fair: DiceStream
    state: Record
    plies: list[Ply] = field(default_factory=list)
    draws: int = 0
    taken: int = 0
    resigned: frozenset[int] = frozenset()
    recent: tuple[tuple[int, Record], ...] = ()  # the last positions before a decision, by `ply`

    @classmethod
    def new(
        cls,
        game: Game,
        *,
        seats: int | None = None,
        seed: int | None = None,
        fair: DiceStream | None = None,
        names: Sequence[str] = (),
        options: OptionValues | None = None,
        at: float = 0.0,
    ) -> "Match":
        """Start a match and draw what chance decides first.

        The chance comes from `fair`, else from `seed`, else from a fresh secret key. Raises
        BadOption for seats or options the game does not have, TypeError for a seed that is no
        whole number.
        """
        stream = fair or (DiceStream.fresh() if seed is None else DiceStream.seeded(seed))
        match = cls.opening(game, seats=seats, fair=stream, names=names, options=options)
        # `opening` stops here, since what is taken over from another match begins by itself.
        match._begin(at)
        match._draw()
        return match

    @classmethod
    def opening(
        cls,
        game: Game,
        *,
        seats: int | None = None,
        fair: DiceStream,
        names: Sequence[str] = (),
        options: OptionValues | None = None,
    ) -> "Match":
        """A match before its first ply, which is what one is replayed from."""
        count = game.seats[0] if seats is None else seats
        settled = game.settled(count, options or {})
        given = tuple(names[i] if i < len(names) else "" for i in range(count))
        return cls(game, settled, given, fair, game.start(count, settled))

    # -- whose move, and what may be done ---------------------------------------------------

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.names)

    @property
    def ply(self) -> int:
        """The number of plies so far."""
        return len(self.plies)

    @property
    def events(self) -> list[Event]:
        """All decisions and outcomes in their order, those that were taken back too."""
        return [event for ply in self.plies for event in ply.events]

    @property
    def over(self) -> bool:
        """Whether the game is over, by the rules or since all but one side have resigned."""
        return verbs.actor(self.state) == OVER or self._conceded()

    @property
    def waits_for_chance(self) -> bool:
        """Whether chance is to decide: only while events are applied one by one."""
        return verbs.actor(self.state) == CHANCE

    @property
    def actor(self) -> int | None:
        """The seat to decide (the lowest where several do), None when the game is over."""
        seat = verbs.actor(self.state)
        return None if seat == OVER or self._conceded() else seat

    @property
    def pending(self) -> list[int]:
        """All seats that may decide now."""
        mask = 0 if self._conceded() else verbs.pending(self.state)
        return [seat for seat in range(self.seats) if mask >> seat & 1]

    @property
    def node(self) -> str:
        """The name of the node, as the rule files have it."""
        return self.game.node(self.state.node).name.lower()

    def actions(self, seat: int | None = None) -> list[int]:
        """The legal actions of a seat (default: the actor) as numbers, in the rules' order."""
        who = self.actor if seat is None else seat
        return [] if who is None else legal_actions(self.game, self.state, who)

    def legal(self, seat: int | None = None) -> list[str]:
        """The legal actions of a seat (default: the actor) in notation, in the rules' order."""
        who = self.actor if seat is None else seat
        if who is None:
            return []
        return [self.game.notation.format_action(self.state, who, a) for a in self.actions(who)]

    def returns(self) -> list[float]:
        """Every seat's utility, all 0 while the game runs.

        Where all but one side have resigned, that side shares +1 and the others share -1.
        """
        if verbs.actor(self.state) == OVER:
            return utilities(self.state, self.seats)
        teams = self.game.teams(self.seats)
        return resignation_returns(teams, self.resigned) if self._conceded() else [0.0] * self.seats

    def check(self, text: str, seat: int | None = None) -> int:
        """The number of the action that `text` names, if `seat` may do it now.

        Raises Illegal with the clause if not, NotationError if the text is no action.
        """
        who = self.actor if seat is None else seat
        if who is None or self._conceded():
            raise Illegal(say("The game is over."))
        return parse_legal_action(self.game, self.state, who, text)

    def play(self, text: str, seat: int | None = None, at: float = 0.0) -> Ply:
        """Decide for a seat (default: the actor) and draw what chance decides then.

        Returns the new ply, whose time is `at`. Raises Illegal or NotationError, changing nothing.
        """
        who = self.actor if seat is None else seat
        return self.carry_out(self.check(text, who), who, at)

    def carry_out(self, action: int, seat: int | None, at: float = 0.0) -> Ply:
        """As `play`, but by the number of an action that is known to be legal: unchecked."""
        self._decide(seat, action, at)
        self._draw()
        return self.plies[-1]

    def apply(self, event: Event) -> None:
        """Append one event, of chance too. Raises Illegal or NotationError."""
        if verbs.actor(self.state) != CHANCE:
            if event.seat == CHANCE:
                raise Illegal(say("There is nothing for chance to decide here."))
            self._decide(event.seat, self.check(event.text, event.seat))
            return
        if event.seat != CHANCE:
            raise Illegal(say("Chance has to decide first."))
        outcome = self.game.notation.parse_outcome(self.state, event.text)
        if outcome not in chance_outcomes(self.game, self.state)[0]:
            raise Illegal(say("“{text}” cannot happen here.", text=event.text))
        self._happen(outcome)

    def append(self, ply: Ply) -> None:
        """Append a whole ply, with the chance that it says. Raises Illegal or NotationError."""
        if ply.kind is not PlyKind.MOVE:
            self.note(ply.kind, ply.seat, to=ply.to, by=ply.by, at=ply.at)
            return
        if ply.seat == CHANCE and not self.plies:
            self._begin()
        for event in ply.events:
            self.apply(event)
        self.plies[-1] = self.plies[-1]._replace(at=ply.at)

    def drawn(self, n: int) -> Event:
        """What draw `n` of the fair stream brings at the chance node the match stands at."""
        possible, p = chance_outcomes(self.game, self.state)
        outcome = possible[self.fair.pick(n, p)]
        return Event(CHANCE, self.game.notation.format_outcome(self.state, outcome))

    # -- plies that are no decisions --------------------------------------------------------

    def take_back(
        self,
        to: int | None = None,
        seat: int | None = None,
        at: float = 0.0,
        agreed: bool = False,
    ) -> Ply:
        """Return to the position after `to` plies (default: before the last decision).

        What was played stays in the list, and chance draws anew. `seat` is who takes back
        (default: who decided last); `at` is Unix time in seconds; `agreed` notes that all others
        have agreed. Raises Illegal if there is nothing to take back.
        """
        goal = before_last(self.plies) if to is None else to
        if not 0 < goal < self.ply:
            raise Illegal(say("There is nothing to take back."))
        who = line_of(self.plies, self.ply)[-1].seat if seat is None else seat
        by = all_others(self.seats, who) if agreed else ""
        return self.note(PlyKind.TAKE_BACK, who, to=goal, by=by, at=at)

    def note(
        self,
        kind: PlyKind,
        seat: int,
        *,
        to: int = 0,
        by: str = "",
        at: float = 0.0,
        past: Record | None = None,
    ) -> Ply:
        """Append a ply that is no decision: see PlyKind for what `to` and `by` are.

        `past` is the state after `to` plies, where the caller has it already.

        A match is over when all but one side have resigned. Raises Illegal for a seat there is
        not, after the end (but for taking back), and for a wrong `to`.
        """
        takes_back = kind is PlyKind.TAKE_BACK
        if not 0 <= seat < self.seats:
            raise Illegal(say("There is no such seat."))
        if self.over and not takes_back:
            raise Illegal(say("The game is over."))
        if self.waits_for_chance:
            raise Illegal(say("Chance has to decide first."))
        if not self.plies:  # an opening in which chance has no part is no line of a file
            self._begin()
        # Other notes change no position: decisions made before them still fit after them.
        since = self.ply + 1 if takes_back else self.plies[-1].since
        ply = Ply(seat, (), since, at, kind, to, by)
        if takes_back:
            if not 0 < to < self.ply:
                raise Illegal(say("There is nothing to take back."))
            self.state = self.state_at(to) if past is None else past
        self.plies.append(ply)
        if kind is PlyKind.RESIGN:
            self.resigned |= {seat}
        return ply

    # -- copies, moments and views ----------------------------------------------------------

    def copy(self) -> "Match":
        """An independent copy."""
        return replace(self, state=self.state.copy(), plies=self.plies[:])

    __copy__ = copy

    def named(self, names: Sequence[str]) -> "Match":
        """A copy whose players are called so."""
        return replace(self.copy(), names=tuple(names))

    def resumed(self, plies: Sequence[Ply], state: bytes) -> "Match":
        """The match after other plies, and the state that they led to, without playing them.

        Raises ValueError if the bytes are no state of the game.
        """
        return replace(
            self,
            plies=list(plies),
            resigned=resigned(plies),
            recent=(),
            draws=count_draws(plies[self.taken :]),
            state=from_bytes(type(self.state), state),
        )

    def at(self, ply: int) -> "Match":
        """The match as it was after its first `ply` plies. Raises IndexError for other numbers."""
        if not 0 <= ply <= self.ply:
            raise IndexError(f"there are {self.ply} plies, not {ply}")
        return self.resumed(self.plies[:ply], self.state_at(ply).tobytes())

    def state_at(self, ply: int) -> Record:
        """A copy of the state after the first `ply` plies; see `at`."""
        known = dict(self.recent).get(ply)
        return Replay(self).until(ply) if known is None else known.copy()

    def steps(self, viewer: int = WATCHER, since: int = 0) -> Iterator[ReplayStep]:
        """Every ply above `since` as `viewer` sees it: its sentences, and the position after it.

        With EVERYTHING as viewer, all is open: for matches that are over.
        """
        replay = Replay(self)
        for number, ply in enumerate(self.plies, 1):
            step = replay.step(ply, viewer)
            if number > since:
                yield step

    def seen_by(self, viewer: int = WATCHER) -> Record:
        """The state with all blanked that `viewer` may not know."""
        return redacted(self.state, viewer)

    def view(self, viewer: int = WATCHER) -> Any:
        """What `viewer` sees, as the game's typed view."""
        return self.game.ui.look(self.seen_by(viewer), viewer)

    def log(self, viewer: int = WATCHER) -> list[Line]:
        """The whole log in sentences, as `viewer` may read it."""
        return [line for step in self.steps(viewer) for line in step.lines]

    def __str__(self) -> str:
        return self.game.ui.sketch(self.view())

    def _begin(self, at: float = 0.0) -> None:
        self.plies.append(Ply(CHANCE, since=1, at=at))  # chance has drawn nothing yet

    def _decide(self, seat: int | None, action: int, at: float = 0.0) -> None:
        assert seat is not None
        if not self.plies:
            self._begin()
        s = self.state
        self.recent = (*self.recent[1 - POSITIONS_KEPT :], (self.ply, s.copy()))
        text = self.game.notation.format_action(s, seat, action)
        node = s.node
        others = verbs.pending(s) & ~(1 << seat)
        verbs.apply(s, seat, action)
        meanwhile = others and verbs.pending(s) == others and s.node == node
        since = self.plies[-1].since if meanwhile else len(self.plies) + 1
        self.plies.append(Ply(seat, (Event(seat, text),), since, at))

    def _happen(self, outcome: int) -> None:
        if not self.plies:
            self._begin()
        event = Event(CHANCE, self.game.notation.format_outcome(self.state, outcome))
        verbs.apply(self.state, CHANCE, outcome)
        last = self.plies[-1]
        self.plies[-1] = last._replace(events=(*last.events, event))
        self.draws += self.ply > self.taken

    def _draw(self) -> None:
        while verbs.actor(self.state) == CHANCE:
            possible, p = chance_outcomes(self.game, self.state)
            self._happen(possible[self.fair.pick(self._number, p)])

    @property
    def _number(self) -> int:
        """The number of the next draw. In matches from before 0.4.0 notes move it, too."""
        return sum(ply.lines for ply in self.plies) if self.fair.by_lines else self.draws

    def _conceded(self) -> bool:
        return bool(self.resigned) and conceded(self.game.teams(self.seats), self.resigned)


# -- chapters ----------------------------------------------------------------------------------


class Chapter(NamedTuple):
    """The steps `first` to `last` (plies, from 1) of a match, which its game gives one title."""

    first: int
    last: int
    title: Line


def chapters(match: Match) -> list[Chapter]:
    """The chapters in their order, without gaps; none if the game names none (`Game.chapter`).

    A step belongs to the chapter of the position before it, the opening to that after it.
    """
    found: list[Chapter] = []
    states = [step.state for step in match.steps(EVERYTHING)]
    for step, before in enumerate([*states[:1], *states[:-1]], 1):
        title = match.game.chapter(before)
        if title is None:
            return []
        if found and found[-1].title == title:
            found[-1] = found[-1]._replace(last=step)
        else:
            found.append(Chapter(step, step, title))
    return found
