"""The search for challenges as a study: matches between bots, whose decisions are examined."""

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec
from rich.console import RenderableType

import diablerie
from diablerie.daily.challenge import Challenge
from diablerie.engine.text import say
from diablerie.games import ALL, OURS
from diablerie.lab.html.page import SummaryTable, format_percent, terminal_report
from diablerie.lab.running.errors import BadConfig, BotFailure, JobStopped
from diablerie.lab.running.matches import Fixture, MatchRunner
from diablerie.lab.running.processes import Stop
from diablerie.lab.running.settings import StudyConfig, option_texts, seed_for
from diablerie.lab.running.study import Results, Study
from tools.daily.arranging import arranged
from tools.daily.judging import GROUP, Judge
from tools.daily.promises import APART, misplaced, mistake
from tools.daily.screening import Candidate, candidates

FORMAT = 1  # of the file
SEARCHES = 20_000  # at most, in the hope of one challenge each
# of a search, at most: matches, and decisions whose actions are judged
MATCHES = 12
JUDGED = 40
PLAYERS = ("sensible", "sensible:epsilon=0.1", "sensible:epsilon=0.25", "imp")
PLAYOUTS = 800


class DailyConfig(StudyConfig, frozen=True):
    """Which matches are played and examined. `game` is empty: all of `versions` are played."""

    daily: int  # the format of the file
    versions: dict[str, int]  # of the rules, by game
    turns: tuple[str, ...]  # the games in the order of their turns, which are then repeated
    players: tuple[str, ...]  # each seat gets one of them at random
    playouts: int  # after each action of a challenge
    seed: int


class FoundChallenge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the search of this number found, if anything: a line of the file."""

    job: int
    judged: int  # decisions whose actions were played out
    challenge: Challenge | None


class ChallengeSearch(NamedTuple):
    """A job: matches of this game, for so many players, until one gives a challenge."""

    number: int
    game: str
    seats: int


def daily_config(
    seed: int = 1, games: tuple[str, ...] = (), playouts: int = PLAYOUTS
) -> DailyConfig:
    """A checked config. games: by name, as they take turns, some perhaps several times.

    If empty, all that come with diablerie. Raises BadConfig, and BadInput for an unknown game.
    """
    if playouts < 2 * GROUP or playouts % GROUP:
        raise BadConfig(say("playouts are a multiple of {n}, and at least twice that", n=GROUP))
    # A search goes through several games, so what a study has one of stands empty.
    chosen = [diablerie.game_named(name) for name in games] or OURS
    return DailyConfig(
        diablerie=diablerie.__version__,
        game="",
        version=0,
        daily=FORMAT,
        versions={game.name: game.version for game in chosen},
        turns=tuple(game.name for game in chosen),
        players=PLAYERS,
        playouts=playouts,
        seed=seed,
    )


def warm_games(config: DailyConfig) -> None:
    """Compile what the matches need, by decisions that do not count."""
    for name in config.versions:
        job = ChallengeSearch(0, name, ALL[name].seats[0])
        judge = Judge(ALL[name], config.playouts)
        with suppress(BotFailure):
            for one, seed in islice(_candidates(config, job, lambda: False), 1):
                judge.challenge(one, seed)


def search_matches(config: DailyConfig, job: ChallengeSearch, stop: Stop) -> FoundChallenge:
    """Play matches and examine them. Raises BotFailure, or JobStopped once `stop()` is true."""
    judged = 0
    judge = Judge(ALL[job.game], config.playouts)
    for one, seed in islice(_candidates(config, job, stop), JUDGED):
        if stop():
            raise JobStopped
        judged += 1
        if found := judge.challenge(one, seed):
            return FoundChallenge(job.number, judged, found)
    return FoundChallenge(job.number, judged, None)


def _candidates(
    config: DailyConfig, job: ChallengeSearch, stop: Stop
) -> Iterator[tuple[Candidate, int]]:
    """The candidates of a few matches, each with a seed of its match."""
    game = ALL[job.game]
    for n in range(MATCHES):
        seed = seed_for(config.seed, "daily", job.game, job.number, n)
        lot = random.Random(seed)
        seats = tuple(lot.randrange(len(config.players)) for _ in range(job.seats))
        options = option_texts(game, job.seats, {})
        runner = MatchRunner(game, job.seats, options, config.players, seed % 2**63)
        match, _ = runner.play(Fixture(job.number, job.number, seats), stop)
        for one in candidates(match, seed):
            yield one, seed


class DailySummary(msgspec.Struct, frozen=True):
    """What was found: decisions judged, challenges among them, their themes, the days' order."""

    judged: int
    found: int
    themes: dict[str, int]
    days: tuple[Challenge, ...]


def searches(config: DailyConfig) -> Iterator[ChallengeSearch]:
    """The searches: games take turns, and in each game the numbers of players."""
    turns = config.turns
    had = Counter[str]()
    for number in range(SEARCHES):
        name = turns[number % len(turns)]
        seats = ALL[name].seats
        yield ChallengeSearch(number, name, seats[had[name] % len(seats)])
        had[name] += 1


def is_sound(_: DailyConfig, job: ChallengeSearch, row: FoundChallenge) -> bool:
    """Whether its challenge is of this game, and as it should be."""
    one = row.challenge
    return not one or (one.game == job.game and not (mistake(one) or misplaced(one)))


class DailySearch(Results[DailyConfig, FoundChallenge, DailySummary]):
    """The searches so far.

    days: how many challenges are wanted. without: games of which none is wanted, and whose searches
    nobody waits for.
    """

    def __init__(
        self,
        config: DailyConfig,
        file: str | Path | None = None,
        *,
        days: int,
        without: Collection[str] = (),
        jobs: Callable[[DailyConfig], Iterable[ChallengeSearch]] = searches,
    ) -> None:
        if days < APART:
            raise BadConfig(say("at least {n} days, so that themes can be apart", n=APART))
        self.wanted = days
        self._without = frozenset(without)
        self._next = 0
        self._found: list[Challenge] = []  # by the searches before `_next`, which are all done
        self._days: list[Challenge] = []
        study = Study[DailyConfig, FoundChallenge, DailySummary](
            FoundChallenge,
            jobs,
            warm_games,
            search_matches,
            is_sound,
            DailySearch.arranged,
            unit="search",
            enough=DailySearch.enough,
            status=lambda: f"{len(self._days)} of {self.wanted} days",
        )
        super().__init__(study, config, file)

    def enough(self) -> bool:
        """Whether the days can be filled with what the first searches gave, none of them missing.

        So the days do not depend on which search was done first.
        """
        while self._known(self._next) and len(self._days) < self.wanted:
            row = self.played.get(self._next)
            more = row and row.challenge
            self._next += 1
            if more and more.game not in self._without:
                self._found.append(more)
                self._days = arranged(self._found, self.wanted)
        return len(self._days) >= self.wanted

    def _known(self, number: int) -> bool:
        """Whether this search is done, or nobody waits for it."""
        job = self.jobs.get(number)
        return number in self.played or (job is not None and job.game in self._without)

    @property
    def missing(self) -> list[ChallengeSearch]:
        """The searches that are still to be done."""
        return [job for job in super().missing if job.game not in self._without]

    def arranged(self, _: float | None) -> DailySummary | None:
        """The days, as many as can be filled; None if no challenge is found yet."""
        self.enough()
        if not self._found:
            return None
        judged = sum(row.judged for row in self.rows if row.job < self._next)
        themes = dict(Counter(one.theme for one in self._found))
        return DailySummary(judged, len(self._found), themes, tuple(self._days))


# -- what was found --------------------------------------------------------------------------------


def daily_tables(summary: DailySummary) -> RenderableType:
    """The kinds of decisions in the list, and how often each level found the best action."""
    days = summary.days
    kinds = Counter(" ".join(one.theme.split()[:2]) for one in days)
    title = f"{len(days)} challenges, of {summary.found} among {summary.judged} decisions judged"
    note = f"{len({one.theme for one in days})} themes: game, kind of decision, round or phase"
    counts = [(kind, str(n)) for kind, n in sorted(kinds.items())]
    return terminal_report(
        title,
        [
            SummaryTable("decisions", ("game and kind", "days"), counts),
            SummaryTable("levels", ("level", "found the best action"), _levels(days)),
        ],
        note,
    )


def _levels(days: tuple[Challenge, ...]) -> list[tuple[str, str]]:
    found = Counter(one.level for day in days for one in day.levels if one.found)
    names = [one.level for one in days[0].levels] if days else []
    return [(name, format_percent(found[name] / len(days))) for name in names]
