"""The series of a group: how often each member has won, over all games, and the records.

Every finished match of a group's table counts for the members who played in it, and goes on
counting when its table is deleted. A match is counted in the transaction that ends it
(storage/rows.py).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from diablerie.engine.text import Line, say
from diablerie.table.storage import schema
from diablerie.table.storage.store_queries import Fetched
from diablerie.table.tables import Tables


class SeriesRecord(NamedTuple):
    """A record in one game: so many points were reached, or (`loss`) lost at one stroke."""

    game: str
    loss: bool
    n: int
    name: str

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
        Standing(one.name, one.colour, played[one.member], won[one.member])
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
            yield SeriesRecord(game, False, int(best.points), names[best.member])
        burnt = [row for row in played if row.lost]
        if burnt:
            worst = max(burnt, key=lambda row: row.lost)
            yield SeriesRecord(game, True, int(worst.lost), names[worst.member])
