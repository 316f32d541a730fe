"""The analysis of a finished match: win chances after every ply, then verdicts, within a budget."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import sqrt

import msgspec

from diablerie.bots.analysis.findings import ENOUGH_SHARP_POINTS, Analysis, Verdict, rounded_chances
from diablerie.bots.analysis.playouts import PRECISE, PlayoutThreads, PositionResults
from diablerie.bots.analysis.timeline import Story, story
from diablerie.bots.analysis.verdicts import Judgement, search_verdicts, suspects
from diablerie.bots.rollouts import tempered
from diablerie.engine.foreign_json import read_json
from diablerie.engine.match import Match
from diablerie.engine.verbs import CHANCE

# Chosen by hand, for an answer within ten seconds on two cores.
ANALYSIS_SECONDS = 18.0  # of processor time for the whole analysis
CURVE_SHARE = 0.6  # the share of them for the chances; the rest is for verdicts
SPREAD_SHARE = 0.3  # the share after which only chances beside the largest changes get more games
CLOSER_GAMES = 16  # games from each position beside such a change, in each pass
ALMOST = 0.99  # of the whole is done, at most, while there may be more verdicts
LOOKED_SHARE = 0.75  # the share after which no more decisions are looked at
JUDGED_SHARE = 0.95  # the share after which none is judged
GAMES_BEFORE_CHANCE = 160  # games from the position between a decision and the chance that followed


@dataclass
class Budget:
    """Seconds for an analysis, by a clock such as `PlayoutThreads.worked`.

    games: if above 0, so many are played on from every position, and the clock does not count.
    share: of the games that make chances precise, where many wait; the seconds are less already.
    """

    clock: Callable[[], float]
    seconds: float = ANALYSIS_SECONDS
    games: int = 0
    share: float = 1.0
    began: float = field(init=False)

    def __post_init__(self) -> None:
        """Start the clock."""
        self.began = self.clock()

    @property
    def enough(self) -> float:
        """The standard error at which a position gets no more games."""
        return PRECISE / sqrt(self.share)

    @property
    def spent(self) -> float:
        """The share of the seconds that is over."""
        return 0.0 if self.games else (self.clock() - self.began) / self.seconds

    def has_time(self, share: float = 1.0) -> bool:
        """Whether less than this share is spent."""
        return self.spent < share


@dataclass(frozen=True)
class Raw:
    """An analysis as it is stored: shares of playouts won, without the game's temperature."""

    chances: tuple[tuple[float, ...], ...]  # by ply and seat
    played: tuple[int, ...]  # playouts, by ply
    movers: tuple[int, ...] = ()  # who decided, by ply, else CHANCE; in 0.3.0 they were missing
    verdicts: tuple[Verdict, ...] = ()

    def analysis(self, temperature: float) -> Analysis:
        """The analysis for people, with calibrated chances (see `rollouts.tempered`)."""
        chances = rounded_chances(tempered(self.chances, temperature))
        return Analysis(min(self.played), chances, self.movers, self.played, self.verdicts)


def dump_analysis(raw: Raw) -> str:
    """An analysis as JSON."""
    return msgspec.json.encode(raw).decode()


def load_analysis(text: str, plies: int) -> Raw:
    """The analysis of a match of so many plies, from JSON. Raises ValueError for other text."""
    raw = read_json(text, Raw)
    there = {len(raw.chances), len(raw.played), len(raw.movers) or plies}
    if there != {plies} or not plies:
        raise ValueError("an analysis of another match")
    return raw


def analysis_passes(
    match: Match, crew: PlayoutThreads, budget: Budget, people: Collection[int] = ()
) -> Iterator[tuple[float, Raw]]:
    """Analyse a finished match; yield after each pass the share that is done, and the result so far.

    people: the seats whose decisions are looked at twice as often as those of others. The last
    share is 1.0, with the verdicts. Raises AnalysisStopped.
    """
    timeline = story(match)
    curve = Curve(timeline, crew, budget.enough)
    for done in curve.passes(budget):
        yield done * CURVE_SHARE, curve.raw()
    raw = judged = curve.raw()
    for verdicts in Verdicts(timeline, raw, crew, budget, people).passes():
        judged = replace(raw, verdicts=tuple(verdicts))
        yield min(max(budget.spent, CURVE_SHARE), ALMOST), raw
    yield 1.0, judged


class Curve:
    """Every seat's chances after every ply of a match; equal positions are played on once."""

    def __init__(self, timeline: Story, crew: PlayoutThreads, enough: float = PRECISE) -> None:
        self._ended = timeline.ended
        self._movers = timeline.movers
        plies = len(timeline.states) - (timeline.ended is not None)
        places = sorted(set(timeline.same[:plies]))
        number = {first: place for place, first in enumerate(places)}
        self._of = [number[first] for first in timeline.same[:plies]]
        states = [timeline.states[first] for first in places]
        self.positions = PositionResults(timeline.game, states, crew, enough=enough)
        self._temperature = timeline.game.temperature
        self._cost = 0.0  # of a game, as a share of the budget

    def passes(self, budget: Budget) -> Iterator[float]:
        """Play pass after pass; yield after each the share of the work that is done.

        A pass that would go beyond the budget, at the cost of the one before, is not begun. Where
        few turning points are clear by then, the rest of the time is for the largest changes.
        """
        for places, games in self.positions.plan(budget.games):
            share = SPREAD_SHARE if self._closer() else CURVE_SHARE
            if not self._fits(len(places) * games, budget, share):
                break
            yield self._play(places, games, budget)
        if budget.games:
            return
        while (places := self._closer()) and self._fits(
            len(places) * CLOSER_GAMES, budget, CURVE_SHARE
        ):
            yield self._play(places, CLOSER_GAMES, budget)

    def _fits(self, games: int, budget: Budget, share: float) -> bool:
        return not self.positions.passes or budget.spent + games * self._cost <= share

    def _play(self, places: list[int], games: int, budget: Budget) -> float:
        before = budget.spent
        self.positions.play(places, games)
        self._cost = (budget.spent - before) / (len(places) * games)
        return self._done(budget)

    def _closer(self) -> list[int]:
        """The positions on both sides of changes that may be noise, but are likely to be large.

        After few games the largest differences between two positions are noise. A change of the
        chance lasts, so the games of the positions around tell more of it.
        """
        doubtful = self.positions.errors > self.positions.enough / 2
        before, after = self.positions.smoothed
        likely = {}
        for turn in self.raw().analysis(self._temperature).unclear:
            here = self._of[turn.step - 2]
            there = self._of[turn.step - 1]
            if here != there and (doubtful[here] or doubtful[there]):
                likely[here, there] = abs(after[there, turn.seat] - before[here, turn.seat])
        largest = sorted(likely, key=lambda pair: -likely[pair])[:ENOUGH_SHARP_POINTS]
        return sorted({place for pair in largest for place in pair if doubtful[place]})

    def _done(self, budget: Budget) -> float:
        if budget.games:
            return float(self.positions.games.min() / budget.games)
        enough = self.positions.enough
        worst = max(float(self.positions.errors.max()), enough)
        return max(min(budget.spent / CURVE_SHARE, 1.0), (enough / worst) ** 2)

    def raw(self) -> Raw:
        """The analysis so far, without verdicts."""
        shares = rounded_chances(self.positions.shares)
        games = self.positions.games
        chances = [shares[place] for place in self._of]
        played = [int(games[place]) for place in self._of]
        if self._ended is not None:
            chances.append(self._ended)
            played.append(max(played))
        return Raw(tuple(chances), tuple(played), self._movers)


class Verdicts:
    """Makes the verdicts on decisions of a match whose chances are known."""

    def __init__(
        self,
        timeline: Story,
        raw: Raw,
        crew: PlayoutThreads,
        budget: Budget,
        people: Collection[int] = (),
    ) -> None:
        self._story = timeline
        self._crew = crew
        self._budget = budget
        self._people = people
        self._game = timeline.game
        self._known = raw.analysis(timeline.game.temperature)
        self._decisions = {one.ply: one for one in timeline.decisions}

    def passes(self) -> Iterator[list[Verdict]]:
        """The verdicts so far on turning points and on other mistakes, in the order of plies."""
        yield []
        lucks = self._lucks()
        judgements = dict[int, Judgement | None]()
        for more in self._judgements():
            judgements |= more
            yield list(self._verdicts(lucks, judgements))

    def _verdicts(
        self, lucks: Mapping[int, float], judgements: Mapping[int, Judgement | None]
    ) -> Iterator[Verdict]:
        mistakes = {index for index, one in judgements.items() if one}
        turning = {turn.step - 1 for turn in self._known.turns}
        for index in sorted(mistakes | ((judgements.keys() | lucks.keys()) & turning)):
            asked = index in judgements
            yield self._verdict(index, judgements.get(index), asked, lucks.get(index))

    def _verdict(
        self, index: int, against: Judgement | None, asked: bool, luck: float | None
    ) -> Verdict:
        one = self._decisions.get(index)
        if one is None or against is None:
            return Verdict(index + 1, one.seat if one else CHANCE, asked, luck=luck)
        better = self._game.notation.format_action(one.seen, one.seat, against.action)
        cost = round(against.cost, 3)
        return Verdict(index + 1, one.seat, asked, better, cost, luck, against.helped)

    def _judgements(self) -> Iterator[dict[int, Judgement | None]]:
        """The strongest search's judgements of turning points and of the costliest decisions."""
        turning = [turn.step - 1 for turn in self._known.turns if turn.step - 1 in self._decisions]
        has_time = self._budget.has_time
        decisions = self._story.decisions
        costly = list[int]()
        rounds = suspects(
            self._game, decisions, self._crew, lambda: has_time(LOOKED_SHARE), self._people
        )
        for left in rounds:
            costly = [one.ply for one in left]
            yield {}
        asked = dict.fromkeys([*turning, *costly])
        chosen = [self._decisions[index] for index in asked]
        yield from search_verdicts(self._game, chosen, self._crew, lambda: has_time(JUDGED_SHARE))

    def _lucks(self) -> dict[int, float]:
        """For turning points, by ply: by how much the dice alone changed the seat's win chance.

        Playouts from the position after the decision and before the dice tell the two apart.
        """
        turns = {turn.step - 1: turn for turn in self._known.turns}
        fated = {i: turn.change for i, turn in turns.items() if i in self._story.fated}
        some = [one for i, one in self._decisions.items() if i in turns and one.after is not None]
        states = [one.after for one in some if one.after is not None]
        if not states:
            return fated
        between = PositionResults(self._game, states, self._crew, seed=1)
        between.play(range(len(states)), GAMES_BEFORE_CHANCE)
        chances = tempered(between.shares, self._game.temperature)
        after = {
            one.ply: turns[one.ply].after - chances[k, turns[one.ply].seat]
            for k, one in enumerate(some)
        }
        return fated | {index: round(float(luck), 3) for index, luck in after.items()}
