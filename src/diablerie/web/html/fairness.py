"""Fair dice on a table's page: the players' nonces, and what the browser is to send."""

import threading
from typing import NamedTuple

from cachetools import LRUCache, cached

from diablerie.engine import files, proof
from diablerie.table.commands.export import recorded
from diablerie.table.state import nonce_exchange
from diablerie.table.state.nonce_exchange import GRACE, Phase
from diablerie.table.state.table_state import OPEN, OVER, TableState
from diablerie.table.state.visitors import Visitor

KEPT = 256  # cached seals of finished matches


class NonceShare(NamedTuple):
    """A seat's nonce, who made it, and whether its player withheld it after promising it."""

    seat: int
    nonce: str
    by: str
    withheld: bool


class Fairness(NamedTuple):
    """The state of the dice at one table; `asked` are the seats for which this browser is to send."""

    phase: Phase
    asked: list[int]
    hashes: list[str]
    digest: str
    seal: str
    shares: list[NonceShare]
    grace: float = GRACE


def fairness(live: TableState, visitor: Visitor | None) -> Fairness:
    """The state of the dice at a table, for a visitor."""
    hashes = [info.pledge for info in live.seats]
    digest = proof.match_digest(live.match) if live.match else ""
    return Fairness(
        nonce_exchange.phase(live),
        nonce_exchange.asked(live, visitor),
        hashes if live.match or nonce_exchange.phase(live) is Phase.NONCES else [],
        digest,
        _seal(live) if digest and live.status == OVER else "",
        _shares(live) if digest and live.status != OPEN else [],
    )


def _shares(live: TableState) -> list[NonceShare]:
    assert live.match is not None
    stream = live.match.fair
    nonces = enumerate(zip(stream.nonces, stream.by, strict=True))
    return [NonceShare(seat, nonce, by, seat in stream.withheld) for seat, (nonce, by) in nonces]


@cached(LRUCache(KEPT), key=lambda live: live.id, lock=threading.Lock())
def _seal(live: TableState) -> str:
    return files.match_seal(recorded(live))
