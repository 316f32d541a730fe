"""The turns of bots where several processes share the tables: each is claimed from the database."""

import itertools
from collections.abc import Callable

from diablerie.runtime.background import Background, Failures
from diablerie.table.bots.driver import LONGEST_RETRY, Turn, due
from diablerie.table.cluster.bot_jobs import LEASE_SECONDS
from diablerie.table.cluster.cluster_node import NODE_SWEEP_SECONDS, ClusterNode
from diablerie.table.errors import NotFound, Unavailable, UnreadableTable
from diablerie.table.node import PRESENCE_NEWS, TABLE_NEWS
from diablerie.table.state.table_state import TableState
from diablerie.table.tables import Tables


class ClaimedTurns:
    """Claims turns for the `Driver` of this process, and renews the claims while bots think."""

    def __init__(self, tables: Tables, node: ClusterNode) -> None:
        self._tables = tables
        self._node = node
        self._jobs = node.jobs
        self._numbers = itertools.count(1)
        self._held: set[str] = set()
        # If leases are not renewed, whoever claims them instead comes to the same match.
        self._renewing = Background(
            "bots-renewing",
            self._renew,
            tables.clock,
            failures=Failures(backoff=LEASE_SECONDS / 3, expected=Unavailable),
        )

    def start(self, wake: Callable[[float], None]) -> None:
        """Begin to call `wake` when something has changed somewhere."""
        for kind in (TABLE_NEWS, PRESENCE_NEWS):
            self._node.listen(kind, lambda _: wake(self._jobs.shortest))
        self._renewing.start(LEASE_SECONDS / 3)

    def stop(self, timeout: float) -> None:
        """End; waits at most `timeout` seconds."""
        self._renewing.stop(timeout)

    def wanted(self, live: TableState) -> bool:
        """True: only turns where bots are to play can be claimed."""
        return True

    def take(self) -> Turn | None:
        """Claim the turn that comes next, if one is due. Raises Unavailable."""
        turn = self._jobs.claim(f"{self._node.me}:{next(self._numbers)}")
        if turn is None:
            return None
        self._tables.catch_up(turn.table)
        self._held.add(turn.holder)
        return turn._replace(ply=self._ply(turn))

    def pause(self) -> float:
        """Seconds until a turn may be due. Raises Unavailable."""
        seconds = self._jobs.soonest()
        return NODE_SWEEP_SECONDS if seconds is None else max(0.0, min(NODE_SWEEP_SECONDS, seconds))

    def finish(self, turn: Turn, seconds: float, again: float) -> None:
        """Note what a bot has thought; if it has not decided, end the claim or give it back.

        Raises Unavailable.
        """
        try:
            self._jobs.thought(turn.client, seconds)
            if again:
                self._jobs.put_back(turn, again)
            elif self._ply(turn) in (turn.ply, None):
                self._settle(turn)
        finally:
            self._held.discard(turn.holder)

    def _ply(self, turn: Turn) -> int | None:
        """How many plies a table has, None if it cannot be read."""
        live = next(iter(self._tables.lives([turn.table])), None)
        return None if live is None else live.ply

    def _settle(self, turn: Turn) -> None:
        """End a claim where nothing was decided, or give it back. (A decision ends its claim.)"""
        try:
            live = self._tables.live(turn.table)
        except UnreadableTable:
            self._jobs.put_back(turn, LONGEST_RETRY)
        except NotFound:
            return
        else:
            if due(live) is None:
                self._jobs.settle(turn)
            else:  # somebody else was first, and this is the next decision
                self._jobs.put_back(turn, 0.0)

    def _renew(self) -> float:
        if held := list(self._held):
            self._jobs.renew(held)
        return LEASE_SECONDS / 3
