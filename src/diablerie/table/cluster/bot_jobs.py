"""Bots that are due, for whoever claims them first.

A row of `turns` is written in the transaction that makes a bot due, and goes with the one in which
it has decided: so none is forgotten, whichever process dies. Who claims it has it for LEASE seconds
and renews that while it thinks; of two who think at the same decision the match takes only one.
"""

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from diablerie.table.bots.bot_player import due
from diablerie.table.bots.driver import TEMPO, TOGETHER
from diablerie.table.bots.fair_queue import FORGOTTEN
from diablerie.table.cluster.shared_limits import CLOCK, NOW
from diablerie.table.presence.hub import GLANCE
from diablerie.table.state.table_state import TableState
from diablerie.table.storage import schema
from diablerie.table.storage.store import Store, Write

LEASE = 6.0  # seconds after which what a process has claimed that is gone is claimed by another
DEAD = 10.0  # seconds without a sign of life after which a process is taken for dead
THOUGHT = "thought"
SOON = sa.text("SET LOCAL synchronous_commit = off")  # what is lost runs out by itself

CLAIM = sa.text(f"""
    WITH clock AS (SELECT {CLOCK} AS now),
    alive AS (SELECT id, threads FROM processes, clock WHERE beat > now - {DEAD}),
    chosen AS (
        SELECT t.match, coalesce(c.client, '') AS client
        FROM clock, turns t
        LEFT JOIN LATERAL (
            SELECT l.client FROM looks l WHERE l.match = t.match AND l.client <> ''
            ORDER BY l.at DESC LIMIT 1
        ) c ON true
        LEFT JOIN budgets b ON b.kind = '{THOUGHT}' AND b.client = c.client
        WHERE t.due <= now AND t.lease <= now
        AND (NOT t.alone OR EXISTS (
            SELECT 1 FROM looks l JOIN alive a ON a.id = l.process
            WHERE l.match = t.match AND (l.pages > 0 OR l.at > now - {GLANCE})
        ))
        AND (c.client IS NULL OR
            (SELECT count(*) FROM turns r WHERE r.client = c.client AND r.lease > now)
            < greatest(1, (SELECT sum(threads) FROM alive) - 1))
        ORDER BY coalesce(b.level * power(2, (b.at - now) / {FORGOTTEN}), 0), t.due
        LIMIT 1
        FOR UPDATE OF t SKIP LOCKED
    )
    UPDATE turns SET lease = clock.now + {LEASE}, holder = :holder, client = chosen.client
    FROM chosen, clock WHERE turns.match = chosen.match
    RETURNING turns.match, chosen.client
""")

SOONEST = sa.text(f"""
    SELECT min(greatest(due, lease)) - {CLOCK} FROM turns
    WHERE due > {CLOCK} OR lease > {CLOCK}
""")


class Claim(NamedTuple):
    """A table where this process lets a bot decide, and on whose account it thinks."""

    table: str
    client: str
    holder: str


class BotJobs:
    """The rows of bots that are due."""

    def __init__(self, store: Store, tempo: float = TEMPO) -> None:
        self._store, self._tempo = store, tempo
        self.shortest = tempo / TOGETHER  # seconds from a change to a decision by a bot

    def writes(self, before: TableState | None, after: TableState) -> list[Write]:
        """What a change makes of the row of its table."""
        if before is not None and _signs(before) == _signs(after):
            return []
        t = schema.turns
        seat = due(after)
        if seat is None:
            nobody = before is None or due(before) is None
            return [] if nobody else [Write(sa.delete(t).where(t.c.match == after.id))]
        tempo = self._tempo if len(after.pending) == 1 else self.shortest
        row = {
            "due": NOW + tempo,
            "lease": 0.0,
            "holder": "",
            "client": "",
            "alone": all(info.driver for info in after.seats),
        }
        fresh = insert(t).values(match=after.id, **row)
        return [Write(fresh.on_conflict_do_update(index_elements=[t.c.match], set_=row))]

    def claim(self, holder: str) -> Claim | None:
        """Claim one that is due, of the client who has had least. Raises Unavailable."""
        with self._store.writing() as connection:
            connection.execute(SOON)
            row = connection.execute(CLAIM, {"holder": holder}).first()
        return None if row is None else Claim(row.match, row.client, holder)

    def soonest(self) -> float | None:
        """The seconds until the next may be due, None if none will be. Raises Unavailable."""
        (row,) = self._store.select(SOONEST)
        return None if row[0] is None else float(row[0])

    def renew(self, holders: Sequence[str]) -> None:
        """Have these claims for longer. Raises Unavailable."""
        t = schema.turns
        here = sa.and_(t.c.holder.in_(holders), t.c.lease > NOW)
        with self._store.writing() as connection:
            connection.execute(SOON)
            connection.execute(sa.update(t).where(here).values(lease=NOW + LEASE))

    def put_back(self, claim: Claim, pause: float) -> None:
        """Give a claim back, due in so many seconds, unless the table has moved on."""
        t = schema.turns
        here = sa.and_(t.c.match == claim.table, t.c.holder == claim.holder)
        with self._store.writing() as connection:
            again = {"due": NOW + pause, "lease": 0.0, "holder": ""}
            connection.execute(sa.update(t).where(here).values(again))

    def settle(self, claim: Claim) -> None:
        """There is nothing (more) to do for a claim."""
        t = schema.turns
        here = sa.and_(t.c.match == claim.table, t.c.holder == claim.holder)
        with self._store.writing() as connection:
            connection.execute(sa.delete(t).where(here))

    def thought(self, client: str, seconds: float) -> None:
        """Note that a client's bot has thought for so long."""
        if not client:
            return
        b = schema.budgets
        had = b.c.level * sa.func.power(2, (b.c.at - NOW) / FORGOTTEN)
        noted = insert(b).values(kind=THOUGHT, client=client, level=seconds, at=NOW)
        noted = noted.on_conflict_do_update(
            index_elements=[b.c.kind, b.c.client], set_={"level": had + seconds, "at": NOW}
        )
        with self._store.writing() as connection:
            connection.execute(noted)

    def forgotten(self) -> list[str]:
        """Running tables with bots and without a row: of a database that had no rows before."""
        m, s, t = schema.matches.c, schema.seats.c, schema.turns.c
        driven = sa.select(s.match).where(sa.or_(s.bot != "", s.stand_in != ""))
        rows = sa.select(t.match)
        wanted = sa.select(m.id).where(m.status == "running", m.id.in_(driven))
        return [row.id for row in self._store.select(wanted.where(m.id.not_in(rows)))]


def _signs(live: TableState) -> tuple[object, ...]:
    """What decides whether, and for whom, a bot is due."""
    return live.status, live.ply, [info.driver for info in live.seats]
