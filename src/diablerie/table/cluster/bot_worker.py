"""A process that lets bots play: it claims what is due, at any table, and decides."""

import itertools

from diablerie.runtime.background import Background
from diablerie.table.authority import Authority
from diablerie.table.bots.bot_player import LONGEST, BotPlayer, due
from diablerie.table.cluster.bot_jobs import LEASE, Claim
from diablerie.table.cluster.cluster_node import SWEEP, ClusterNode
from diablerie.table.cluster.presence_store import KIND
from diablerie.table.errors import NotFound, Preparing, Unavailable, UnreadableTable
from diablerie.table.node import TABLE

SOON = 2.0  # seconds until a table is looked at again whose rules are being compiled


class BotWorker:
    """Lets bots play in `cluster_node.threads` threads, from `start` to `stop`."""

    def __init__(self, authority: Authority, node: ClusterNode, seed: int | None = None) -> None:
        self._authority, self._node, self._turns = authority, node, node.turns
        self._thinker = BotPlayer(authority, seed=seed)
        self._numbers = itertools.count(1)
        self._held: set[str] = set()
        self._clock = authority.clock
        self._playing = Background(
            "bots",
            self._play,
            self._clock,
            threads=node.threads,
            backoff=SWEEP / 2,
            expected=Unavailable,
        )
        # If leases are not renewed, whoever claims them instead comes to the same match.
        self._renewing = Background(
            "bots-renewing",
            self._renew,
            self._clock,
            backoff=LEASE / 3,
            expected=Unavailable,
        )

    def start(self) -> None:
        """Begin."""
        for kind in (TABLE, KIND):
            self._node.news.listen(kind, self._told)
        self._playing.start()
        self._renewing.start(LEASE / 3)

    def stop(self, timeout: float = 3.0) -> None:
        """End; a bot that is thinking is not waited for longer than `timeout`."""
        self._renewing.stop(0.0)
        self._playing.stop(timeout)

    def _told(self, _: str) -> None:
        """Something has changed somewhere: a bot may be due as soon as its tempo allows."""
        self._playing.wake(self._turns.shortest)

    def _play(self) -> float:
        """Let one bot decide; the seconds until another may be due."""
        claim = self._turns.claim(f"{self._node.me}:{next(self._numbers)}")
        if claim is not None:
            self._think(claim)
            return 0.0
        seconds = self._turns.soonest()
        return SWEEP if seconds is None else max(0.0, min(SWEEP, seconds))

    def _think(self, claim: Claim) -> None:
        """One decision, if one is still due there; else the claim is settled or given back."""
        self._held.add(claim.holder)
        began = self._clock.monotonic()
        try:
            self._authority.catch_up(claim.table)
            ply = self._ply(claim)
            again = self._thinker.play_due_turn(claim.table)
            self._turns.thought(claim.client, self._clock.monotonic() - began)
            if again:
                self._turns.put_back(claim, again)
            elif self._ply(claim) in (ply, None):
                self._settle(claim)
        finally:
            self._held.discard(claim.holder)

    def _ply(self, claim: Claim) -> int | None:
        """How far the match is, if that can be told."""
        live = next(iter(self._authority.lives([claim.table])), None)
        return None if live is None else live.ply

    def _settle(self, claim: Claim) -> None:
        """What is decided takes the claim with it; here nothing was, and it goes or stays."""
        try:
            live = self._authority.live(claim.table)
        except Preparing:
            self._turns.put_back(claim, SOON)
        except UnreadableTable:
            self._turns.put_back(claim, LONGEST)
        except NotFound:
            return
        else:
            if due(live) is None:
                self._turns.settle(claim)
            else:  # somebody else was first, and this is the next decision
                self._turns.put_back(claim, 0.0)

    def _renew(self) -> float:
        if held := list(self._held):
            self._turns.renew(held)
        return LEASE / 3
