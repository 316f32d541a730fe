"""The rows of `turns`: bots that are due, for the process that claims them first.

The transaction that makes a bot due inserts its row, and the one in which the bot has decided
deletes it: so no turn is lost, whichever process dies. A claim lasts LEASE_SECONDS and is renewed
while the bot thinks; if two processes think about the same decision, the match takes only one.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from diablerie.table.bots.driver import BOT_SECONDS, SPEED_TOGETHER, Turn, due
from diablerie.table.presence.fair_queue import HALF_LIFE
from diablerie.table.presence.hub import PAGE_LOOK_SECONDS
from diablerie.table.state.table_state import TableState
from diablerie.table.storage import schema
from diablerie.table.storage.database import CLOCK, Now
from diablerie.table.storage.store import Conflict, Statement, Store

LEASE_SECONDS = 6.0  # seconds after which another process may claim what a dead one has claimed
# seconds without a sign of life after which a process is taken for dead
DEAD_PROCESS_SECONDS = 10.0
THOUGHT = "thought"
NO_SYNC = sa.text("SET LOCAL synchronous_commit = off")  # a lost claim ends by itself

CLAIM_STATEMENT = sa.text(f"""
    WITH clock AS (SELECT {CLOCK} AS now),
    alive AS (SELECT id, threads FROM processes, clock WHERE beat > now - {DEAD_PROCESS_SECONDS}),
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
            WHERE l.match = t.match AND (l.pages > 0 OR l.at > now - {PAGE_LOOK_SECONDS})
        ))
        AND (c.client IS NULL OR
            (SELECT count(*) FROM turns r WHERE r.client = c.client AND r.lease > now)
            < greatest(1, (SELECT sum(threads) FROM alive) - 1))
        ORDER BY coalesce(b.level * power(2, (b.at - now) / {HALF_LIFE}), 0), t.due
        LIMIT 1
        FOR UPDATE OF t SKIP LOCKED
    )
    UPDATE turns SET lease = clock.now + {LEASE_SECONDS}, holder = :holder, client = chosen.client
    FROM chosen, clock WHERE turns.match = chosen.match
    RETURNING turns.match, chosen.client
""")

SOONEST_STATEMENT = sa.text(f"""
    SELECT min(greatest(due, lease)) - {CLOCK} FROM turns
    WHERE due > {CLOCK} OR lease > {CLOCK}
""")


class BotJobs:
    """Reads and writes the rows of `turns`."""

    def __init__(self, store: Store, tempo: float = BOT_SECONDS) -> None:
        self._store = store
        self._tempo = tempo
        self.shortest = tempo / SPEED_TOGETHER  # seconds from a change to a decision by a bot

    def writes(self, before: TableState | None, after: TableState) -> list[Statement]:
        """What a change of a table also writes: that a bot is due there now, or none is."""
        if before is not None and _who_is_due(before) == _who_is_due(after):
            return []
        t = schema.turns
        seat = due(after)
        if seat is None:
            nobody = before is None or due(before) is None
            return [] if nobody else [sa.delete(t).where(t.c.match == after.id)]
        tempo = self._tempo if len(after.pending) == 1 else self.shortest
        row = {
            "due": Now() + tempo,
            "lease": 0.0,
            "holder": "",
            "client": "",
            "alone": all(info.driver for info in after.seats),
        }
        fresh = insert(t).values(match=after.id, **row)
        return [fresh.on_conflict_do_update(index_elements=[t.c.match], set_=row)]

    def claim(self, holder: str) -> Turn | None:
        """Claim a turn that is due, of the client who has had least. Raises Unavailable."""
        with self._store.writing() as connection:
            connection.execute(NO_SYNC)
            row = connection.execute(CLAIM_STATEMENT, {"holder": holder}).first()
        return None if row is None else Turn(row.match, row.client, holder)

    def soonest(self) -> float | None:
        """Seconds until the next turn may be due; None if none will. Raises Unavailable."""
        (row,) = self._store.select(SOONEST_STATEMENT)
        return None if row[0] is None else float(row[0])

    def renew(self, holders: Sequence[str]) -> None:
        """Renew these claims for LEASE_SECONDS from now. Raises Unavailable."""
        t = schema.turns
        here = sa.and_(t.c.holder.in_(holders), t.c.lease > Now())
        with self._store.writing() as connection:
            connection.execute(NO_SYNC)
            connection.execute(sa.update(t).where(here).values(lease=Now() + LEASE_SECONDS))

    def put_back(self, claim: Turn, pause: float) -> None:
        """Give a claim back, due in `pause` seconds, unless it is another's now.

        Raises Unavailable.
        """
        again = {"due": Now() + pause, "lease": 0.0, "holder": ""}
        self._end(claim, sa.update(schema.turns).values(again))

    def settle(self, claim: Turn) -> None:
        """Delete the turn of a claim, for no bot is due there. Raises Unavailable."""
        self._end(claim, sa.delete(schema.turns))

    def _end(self, claim: Turn, how: sa.Update | sa.Delete) -> None:
        t = schema.turns.c
        with self._store.writing() as connection:
            connection.execute(how.where(t.match == claim.table, t.holder == claim.holder))

    def thought(self, client: str, seconds: float) -> None:
        """Note that a client's bot has thought for so long. Raises Unavailable."""
        if not client:
            return
        b = schema.rate_counts
        had = b.c.level * sa.func.power(2, (b.c.at - Now()) / HALF_LIFE)
        noted = insert(b).values(kind=THOUGHT, client=client, level=seconds, at=Now())
        noted = noted.on_conflict_do_update(
            index_elements=[b.c.kind, b.c.client], set_={"level": had + seconds, "at": Now()}
        )
        with self._store.writing() as connection:
            connection.execute(noted)

    def insert_missing(self, lives: Callable[[Sequence[str]], list[TableState]]) -> None:
        """Insert the rows of a database whose bots one process has played for alone until now.

        Raises Unavailable.
        """
        for live in lives(self.missing()):
            with suppress(Conflict):  # the table was changed meanwhile, which inserts its row
                self._store.commit(*self.writes(None, live))

    def missing(self) -> list[str]:
        """The ids of the running tables that have bots and no row. Raises Unavailable."""
        m = schema.matches.c
        s = schema.seats.c
        t = schema.turns.c
        driven = sa.select(s.match).where(sa.or_(s.bot != "", s.stand_in != ""))
        rows = sa.select(t.match)
        wanted = sa.select(m.id).where(m.status == "running", m.id.in_(driven))
        return [row.id for row in self._store.select(wanted.where(m.id.not_in(rows)))]


def _who_is_due(live: TableState) -> tuple[object, ...]:
    """What has to change before another bot is due, or none."""
    return live.status, live.ply, [info.driver for info in live.seats]
