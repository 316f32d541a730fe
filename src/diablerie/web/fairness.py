"""What a table's page shows of the shares in the dice, and what it asks a browser for."""

import threading
from typing import NamedTuple

from cachetools import LRUCache, cached

from diablerie.engine import files, proof
from diablerie.table import shares
from diablerie.table.export import recorded
from diablerie.table.live import OPEN, OVER, Live
from diablerie.table.shares import GRACE, Phase
from diablerie.table.visitors import Visitor

KEPT = 256  # seals of matches that are over


class Share(NamedTuple):
    """A seat's part: its nonce, and whether its player promised and showed it."""

    seat: int
    nonce: str
    by: str
    withheld: bool


class Fairness(NamedTuple):
    """Of one table, for one browser; `asked` are the seats it is to send something for."""

    phase: Phase
    asked: list[int]
    hashes: list[str]
    digest: str
    seal: str
    shares: list[Share]
    grace: float = GRACE


def fairness(live: Live, visitor: Visitor | None) -> Fairness:
    """How it stands."""
    hashes = [info.pledge for info in live.seats]
    digest = proof.digest(live.match) if live.match else ""
    return Fairness(
        shares.phase(live),
        shares.asked(live, visitor),
        hashes if live.match or shares.phase(live) is Phase.NONCES else [],
        digest,
        _seal(live) if digest and live.status == OVER else "",
        _shares(live) if digest and live.status != OPEN else [],
    )


def _shares(live: Live) -> list[Share]:
    assert live.match is not None
    stream = live.match.fair
    told = enumerate(zip(stream.nonces, stream.by, strict=True))
    return [Share(seat, nonce, by, seat in stream.withheld) for seat, (nonce, by) in told]


@cached(LRUCache(KEPT), key=lambda live: live.id, lock=threading.Lock())
def _seal(live: Live) -> str:
    return files.seal(recorded(live))
