"""A whole analysis: coarse first and finer by and by, then the verdicts, within a budget."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import msgspec

from diablerie.bots.analysis.findings import Analysis, Verdict, rounded_chances
from diablerie.bots.analysis.playouts import PRECISE, PositionResults
from diablerie.bots.analysis.thread_pool import PlayoutThreads
from diablerie.bots.analysis.timeline import Story, story
from diablerie.bots.analysis.verdicts import Judgement, search_verdicts, suspects
from diablerie.bots.calibration import tempered
from diablerie.engine.match import Match
from diablerie.engine.verbs import CHANCE

SECONDS = 18.0  # of processor time for all of it: nine on two cores
CURVE = 0.6  # the share of them for everyone's chances, the rest is for judging
LOOKED, JUDGED = 0.75, 0.95  # when no more decisions are looked at, or judged
BETWEEN = 200  # games from the position between a decision and the chance that followed
MISTAKES = 4  # told of, at most


@dataclass
class Budget:
    """Seconds for an analysis, by a clock such as `Crew.worked`.

    With `games`, so many are played on from every position, and there is no clock at all.
    """

    clock: Callable[[], float]
    seconds: float = SECONDS
    games: int = 0
    began: float = field(init=False)

    def __post_init__(self) -> None:
        """The time runs from now on."""
        self.began = self.clock()

    @property
    def spent(self) -> float:
        """The share of it that is over."""
        return 0.0 if self.games else (self.clock() - self.began) / self.seconds

    def room(self, share: float = 1.0) -> bool:
        """Whether less than this share is spent."""
        return self.spent < share


@dataclass(frozen=True)
class Raw:
    """What was found, as it is kept: shares of games as they were, before any temperature."""

    chances: tuple[tuple[float, ...], ...]  # by ply and seat
    played: tuple[int, ...]  # games, by ply
    verdicts: tuple[Verdict, ...] = ()

    def analysis(self, temperature: float) -> Analysis:
        """What people are told."""
        told = rounded_chances(tempered(self.chances, temperature))
        return Analysis(min(self.played), told, self.played, self.verdicts)


def dump_analysis(found: Raw) -> str:
    """What was found as text."""
    return msgspec.json.encode(found).decode()


def load_analysis(text: str, plies: int) -> Raw:
    """What was found about a match of so many plies. Raises ValueError for other text."""
    try:
        found = msgspec.json.decode(text, type=Raw)
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from error
    if not 0 < len(found.chances) == len(found.played) == plies:
        raise ValueError("an analysis of another match")
    return found


Publish = Callable[[float, Raw], None]  # how much of the work is done (0 to 1), and what was found


def analysed(match: Match, crew: PlayoutThreads, budget: Budget, publish: Publish) -> Raw:
    """Analyse a finished match, telling after each pass what is known. Raises crew.Stopped."""
    told = story(match)
    curve = Curve(told, crew)
    for done in curve.passes(budget):
        publish(done * CURVE, curve.raw())
    found = curve.raw()
    return Raw(found.chances, found.played, tuple(Verdicts(told, found, crew, budget).all()))


class Curve:
    """Everyone's chances after every ply of a match; equal positions are played on once."""

    def __init__(self, told: Story, crew: PlayoutThreads) -> None:
        self._ended = told.ended
        plies = len(told.states) - (told.ended is not None)
        places = sorted(set(told.same[:plies]))
        number = {first: place for place, first in enumerate(places)}
        self._of = [number[first] for first in told.same[:plies]]
        self.positions = PositionResults(told.game, [told.states[first] for first in places], crew)

    def passes(self, budget: Budget) -> Iterator[float]:
        """Play pass after pass; after each, how much of the work is done (0 to 1)."""
        positions, pace = self.positions, 0.0
        for places, games in positions.plan(budget.games):
            before, needed = budget.spent, len(places) * games
            if positions.passes and before + needed * pace > CURVE:
                break
            positions.play(places, games)
            pace = (budget.spent - before) / needed
            yield self._done(budget)

    def _done(self, budget: Budget) -> float:
        if budget.games:
            return float(self.positions.games.min() / budget.games)
        worst = max(float(self.positions.errors.max()), PRECISE)
        return max(min(budget.spent / CURVE, 1.0), (PRECISE / worst) ** 2)

    def raw(self) -> Raw:
        """What is known by now."""
        shares, games = rounded_chances(self.positions.shares), self.positions.games
        chances = [shares[place] for place in self._of]
        played = [int(games[place]) for place in self._of]
        if self._ended is not None:
            chances.append(self._ended)
            played.append(max(played))
        return Raw(tuple(chances), tuple(played))


class Verdicts:
    """What is to be said of the decisions of a match whose curve is known."""

    def __init__(self, told: Story, found: Raw, crew: PlayoutThreads, budget: Budget) -> None:
        self._story, self._crew, self._budget = told, crew, budget
        self._game = told.game
        self._known = found.analysis(told.game.temperature)
        self._decisions = {one.place: one for one in told.decisions}

    def all(self) -> Iterator[Verdict]:
        """The verdicts on turning points, and on what else was a mistake, in their order."""
        lucks, judgements = self._lucks(), self._judgements()
        against = [(index, one) for index, one in judgements.items() if one]
        against.sort(key=lambda one: -one[1].cost)
        worst = dict(against[:MISTAKES])
        turning = {turn.step - 1 for turn in self._known.turns}
        for index in sorted(worst.keys() | ((judgements.keys() | lucks.keys()) & turning)):
            yield self._verdict(index, worst.get(index), index in judgements, lucks.get(index))

    def _verdict(
        self, index: int, against: Judgement | None, asked: bool, luck: float | None
    ) -> Verdict:
        one = self._decisions.get(index)
        if one is None or against is None:
            return Verdict(index + 1, one.seat if one else CHANCE, asked, luck=luck)
        better = self._game.notation.format_action(one.seen, one.seat, against.action)
        return Verdict(index + 1, one.seat, asked, better, round(against.cost, 3), luck)

    def _judgements(self) -> dict[int, Judgement | None]:
        """What the strongest search says of turning points, and of what seems to have cost most."""
        turning = [turn.step - 1 for turn in self._known.turns if turn.step - 1 in self._decisions]
        room, decisions = self._budget.room, self._story.decisions
        found = suspects(self._game, decisions, self._crew, lambda: room(LOOKED))
        asked = dict.fromkeys([*turning, *(one.place for one in found)])
        chosen = [self._decisions[index] for index in asked]
        return search_verdicts(self._game, chosen, self._crew, lambda: room(JUDGED))

    def _lucks(self) -> dict[int, float]:
        """By how much chance alone changed the chance of a turning point's seat, by ply."""
        turns = {turn.step - 1: turn for turn in self._known.turns}
        fated = {i: turn.change for i, turn in turns.items() if i in self._story.fated}
        some = [one for i, one in self._decisions.items() if i in turns and one.after is not None]
        states = [one.after for one in some if one.after is not None]
        if not states:
            return fated
        between = PositionResults(self._game, states, self._crew, seed=1)
        between.play(range(len(states)), BETWEEN)
        told = tempered(between.shares, self._game.temperature)
        after = {
            one.place: turns[one.place].after - told[k, turns[one.place].seat]
            for k, one in enumerate(some)
        }
        return fated | {index: round(float(luck), 3) for index, luck in after.items()}
