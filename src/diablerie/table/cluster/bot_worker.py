"""A process that lets bots play: it claims what is due, at any table, and decides."""

import itertools
import logging
import threading
import time

from diablerie.table.authority import Authority
from diablerie.table.bots.bot_player import LONGEST, BotPlayer, due
from diablerie.table.cluster.bot_jobs import LEASE, Claim
from diablerie.table.cluster.cluster_node import SWEEP, ClusterNode
from diablerie.table.cluster.presence_store import KIND
from diablerie.table.errors import NotFound, Preparing, Unavailable, UnreadableTable
from diablerie.table.node import TABLE

log = logging.getLogger(__name__)
SOON = 2.0  # seconds until a table is looked at again whose rules are being compiled


class BotWorker:
    """Lets bots play in `cluster_node.threads` threads, from `start` to `stop`."""

    def __init__(self, authority: Authority, node: ClusterNode, seed: int | None = None) -> None:
        self._authority, self._node, self._turns = authority, node, node.turns
        self._thinker = BotPlayer(authority, seed=seed)
        self._numbers = itertools.count(1)
        self._held: set[str] = set()
        self._news = threading.Condition()
        self._next = 0.0  # when to look again, by the monotonic clock
        self._heard = 0  # how many news
        self._stopping = threading.Event()
        self._ill = False
        self._threads = [
            threading.Thread(target=self._work, name=f"bots-{i}", daemon=True)
            for i in range(node.threads)
        ]

    def start(self) -> None:
        """Begin."""
        for kind in (TABLE, KIND):
            self._node.news.listen(kind, self._told)
        for thread in self._threads:
            thread.start()
        threading.Thread(target=self._renewing, name="bots-renewing", daemon=True).start()

    def stop(self, timeout: float = 3.0) -> None:
        """End; a bot that is thinking is not waited for longer than `timeout`."""
        self._stopping.set()
        with self._news:
            self._news.notify_all()
        for thread in self._threads:
            thread.join(timeout)

    def _told(self, _: str) -> None:
        """Something has changed somewhere: a bot may be due as soon as its tempo allows."""
        with self._news:
            self._heard += 1
            self._next = min(self._next, time.monotonic() + self._turns.shortest)
            self._news.notify()

    def _work(self) -> None:
        while not self._stopping.is_set():
            try:
                heard = self._heard
                claim = self._turns.claim(f"{self._node.me}:{next(self._numbers)}")
                if claim is not None:
                    self._think(claim)
                else:
                    self._rest(self._turns.soonest(), heard)
                self._ill = False
            except Exception as error:
                if not self._ill:
                    known = isinstance(error, Unavailable)
                    log.error("bots: %s", error, exc_info=not known)
                self._ill = True
                self._stopping.wait(SWEEP / 2)

    def _rest(self, seconds: float | None, heard: int) -> None:
        """Until something may be due; news since so many were `heard` shorten that."""
        with self._news:
            longest = SWEEP if self._heard == heard else self._turns.shortest
            wait = longest if seconds is None else max(0.0, min(longest, seconds))
            self._next = time.monotonic() + wait
            while not self._stopping.is_set() and (left := self._next - time.monotonic()) > 0:
                self._news.wait(left)

    def _think(self, claim: Claim) -> None:
        """One decision, if one is still due there; else the claim is settled or given back."""
        self._held.add(claim.holder)
        began = time.monotonic()
        try:
            self._authority.catch_up(claim.table)
            ply = self._ply(claim)
            again = self._thinker.play_due_turn(claim.table)
            self._turns.thought(claim.client, time.monotonic() - began)
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

    def _renewing(self) -> None:
        while not self._stopping.wait(LEASE / 3):
            try:
                if held := list(self._held):
                    self._turns.renew(held)
            except Unavailable:
                continue  # whoever claims them instead comes to the same match
