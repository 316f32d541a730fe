"""History: the finished games of a browser with a summary of each game, and the series of a group.

Every finished match of a group's table counts for the members who played in it, and goes on
counting when its table is deleted. A match is counted in the transaction that ends it
(storage/rows.py).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import sqlalchemy as sa

from diablerie.bots.spec import bot_title
from diablerie.engine.text import Line, say
from diablerie.table.errors import NotFound, Unavailable, UnreadableTable
from diablerie.table.state.outcomes import outcomes
from diablerie.table.state.table_state import TableSeat, TableState
from diablerie.table.state.visitors import Visitor
from diablerie.table.storage import schema
from diablerie.table.storage.store import Conflict, Write
from diablerie.table.storage.store_queries import Fetched
from diablerie.table.tables import Tables

GAMES_LISTED = 1000  # games of a browser that are shown, the newest
RESULTS_COMPUTED = 20  # games whose results one request computes


class Seated(NamedTuple):
    """One seat of a finished game. `points` is None where the game counts none, or was given up."""

    info: TableSeat
    won: bool
    points: float | None


@dataclass(frozen=True)
class Finished:
    """A finished game of a browser that owns the seats `own`."""

    table: str
    game: str
    created: float
    tried: bool  # goes on from another match, of a table or of a file
    seats: Sequence[Seated]
    own: Sequence[int]

    @property
    def shared(self) -> bool:
        """Whether several people played at this browser."""
        return len(self.own) > 1

    @property
    def won(self) -> bool:
        """Whether an own seat is among the winners."""
        return any(self.seats[seat].won for seat in self.own)

    def others(self, seat: int) -> list[TableSeat]:
        """Who played with the person on this seat."""
        return [one.info for one in self.seats if one.info.seat != seat]


class Tally(NamedTuple):
    """A summary of one game: matches, wins, the best points, and the opponents.

    `who` is the player's name, if several people played at this browser; None: whoever it is.
    """

    game: str
    who: Line | None
    games: int
    wins: int
    best: float | None
    against: list[tuple[Line, int]]  # the most frequent first


def finished_games(tables: Tables, visitor: Visitor, limit: int = GAMES_LISTED) -> list[Finished]:
    """The finished games of a browser that are known here, newest first.

    Results are computed and stored when somebody first asks for them. Raises Unavailable.
    """
    rows = tables.store.finished(visitor, limit)
    if unknown := list(dict.fromkeys(row.match for row in rows if row.won is None))[
        :RESULTS_COMPUTED
    ]:
        for table in unknown:
            _settle(tables, table)
        rows = tables.store.finished(visitor, limit)
    known = [row for row in rows if row.won is not None and row.game in tables.games]
    return [_finished(visitor, list(seats)) for _, seats in groupby(known, lambda r: r.match)]


def _settle(tables: Tables, table: str) -> None:
    """Store the results of a match, unless it cannot be read."""
    with suppress(NotFound, UnreadableTable, Unavailable, Conflict):
        rows = results(tables.live(table))
        tables.store.commit(Write(sa.insert(schema.results), rows))


def results(live: TableState) -> list[dict[str, object]]:
    """How a finished match ended, as rows; points only where it was played to its end."""
    assert live.match is not None
    return [
        {"match": live.id, "seat": seat, "won": one.won, "points": one.points}
        for seat, one in enumerate(outcomes(live.match))
    ]


def _finished(visitor: Visitor, rows: Sequence[Fetched]) -> Finished:
    seats = [
        Seated(TableSeat(r.seat, r.kind, r.name, bot=r.bot), bool(r.won), r.points) for r in rows
    ]
    own = [row.seat for row in rows if row.owner == visitor]
    first = rows[0]
    return Finished(first.match, first.game, first.created, bool(first.taken), seats, own)


def tallies(games: Iterable[Finished]) -> list[Tally]:
    """A summary of finished games for each game and person, the most played first.

    Games that go on from another match do not count.
    """
    kinds: defaultdict[tuple[str, str | None], list[tuple[Finished, int]]] = defaultdict(list)
    for one in games:
        for seat in () if one.tried else one.own:
            who = one.seats[seat].info.name if one.shared else None
            kinds[one.game, who].append((one, seat))
    found = (_tally(game, who, played) for (game, who), played in kinds.items())
    return sorted(found, key=lambda tally: -tally.games)


def _tally(game: str, who: str | None, played: Sequence[tuple[Finished, int]]) -> Tally:
    own = [one.seats[seat] for one, seat in played]
    points = [seat.points for seat in own if seat.points is not None]
    met = Counter[tuple[str, str]]()
    for one, seat in played:
        met.update((info.bot, "" if info.bot else info.name) for info in one.others(seat))
    against = [(_called(*name), times) for name, times in met.most_common()]
    wins = sum(seat.won for seat in own)
    called = None if who is None else _called("", who)
    return Tally(game, called, len(played), wins, max(points, default=None), against)


def _called(bot: str, name: str) -> Line:
    if bot:
        return bot_title(bot)
    return Line("{name}", {"name": name}) if name else say("somebody without a name")


# -- series ------------------------------------------------------------------------------------


class SeriesRecord(NamedTuple):
    """A record in one game: so many points were reached, or (`loss`) lost at one stroke."""

    game: str
    loss: bool
    n: int
    name: str
    member: int = 0

    @property
    def line(self) -> Line:
        """The record in words."""
        if self.loss:
            return say("worst loss at one stroke: {n} ({name})", n=self.n, name=self.name)
        return say("most points: {n} ({name})", n=self.n, name=self.name)


class Standing(NamedTuple):
    """How a member stands: how many matches were played, and won."""

    name: str
    colour: int
    games: int
    wins: int
    member: int = 0


class Series(NamedTuple):
    """The series as it stands: the members who have played, the best first."""

    standings: tuple[Standing, ...]
    records: tuple[SeriesRecord, ...]
    matches: int
    erased: int  # of these matches, whose tables were deleted

    @property
    def line(self) -> Line | None:
        """The score in one sentence; None before anybody has played."""
        if not self.standings:
            return None
        first, *others = self.standings
        if len(others) != 1:
            listed = ", ".join(f"{one.name} {one.wins}" for one in self.standings)
            return say("The series: {standings}.", standings=listed)
        (second,) = others
        if first.wins == second.wins:
            return say(
                "{one} and {other} are at {wins}:{losses}.",
                one=first.name,
                other=second.name,
                wins=first.wins,
                losses=second.wins,
            )
        return say(
            "{name} leads {wins}:{losses}.", name=first.name, wins=first.wins, losses=second.wins
        )


def series_of(tables: Tables, group: str) -> Series:
    """The series of the group with this id. Raises Unavailable."""
    rows = tables.store.rows(schema.series, "group_id", group)
    people = tables.store.rows(schema.members, "group_id", group)
    played = Counter(row.member for row in rows)
    won = Counter(r.member for r in rows if r.won)
    standings = [
        Standing(one.name, one.colour, played[one.member], won[one.member], one.member)
        for one in people
        if played[one.member]
    ]
    standings.sort(key=lambda one: (-one.wins, one.games, one.name))
    names = {one.member: one.name for one in people}
    records = _records([row for row in rows if row.member in names], names)
    matches = {row.match for row in rows}
    return Series(tuple(standings), tuple(records), len(matches), _erased(tables, group))


def _erased(tables: Tables, group: str) -> int:
    """How many matches of a group's series are there no more."""
    r = schema.series.c
    m = schema.matches.c
    there = sa.select(m.id).where(m.id == r.match).exists()
    wanted = sa.select(sa.func.count(r.match.distinct())).where(r.group_id == group, ~there)
    return int(tables.store.select(wanted)[0][0])


def _records(rows: Sequence[Fetched], names: dict[int, str]) -> Iterable[SeriesRecord]:
    """The most points and the worst loss in each game, of those who hold them first."""
    games: defaultdict[str, list[Fetched]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.at):
        games[row.game].append(row)
    for game, played in sorted(games.items()):
        scored = [row for row in played if row.points is not None]
        if scored:
            best = max(scored, key=lambda row: row.points)
            yield SeriesRecord(game, False, int(best.points), names[best.member], best.member)
        burnt = [row for row in played if row.lost]
        if burnt:
            worst = max(burnt, key=lambda row: row.lost)
            yield SeriesRecord(game, True, int(worst.lost), names[worst.member], worst.member)
