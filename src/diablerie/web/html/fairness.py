"""Fair dice on a table's page: the players' nonces, and what the browser is to send."""

from typing import NamedTuple

from cachetools import LRUCache, cached

from diablerie.engine import files, proof
from diablerie.table.commands.logbook import recorded
from diablerie.table.state import nonce_exchange
from diablerie.table.state.nonce_exchange import Phase
from diablerie.table.state.table_state import FINISHED_TABLE, OPEN_TABLE, TableState
from diablerie.table.state.visitors import Visitor

SEALS_KEPT = 256  # cached seals of finished matches


class NonceShare(NamedTuple):
    """A seat's nonce, who made it, whether its player withheld it after promising it, or was late."""

    seat: int
    nonce: str
    by: str
    withheld: bool
    late: bool


class Fairness(NamedTuple):
    """The state of the dice at one table; `asked` are the seats for which this browser is to send."""

    phase: Phase
    asked: list[int]
    hashes: list[str]
    digest: str
    seal: str
    shares: list[NonceShare]
    missing: bool  # whether the match began without a nonce of this browser


def fairness(live: TableState, visitor: Visitor | None) -> Fairness:
    """The state of the dice at a table, for a visitor."""
    hashes = [*map(nonce_exchange.promised_hash, live.seats)]
    digest = proof.match_digest(live.match) if live.match else ""
    shares = _shares(live) if digest and live.status != OPEN_TABLE else []
    own = [] if live.taken else live.seats_of(visitor)
    return Fairness(
        nonce_exchange.phase(live),
        nonce_exchange.asked(live, visitor),
        hashes if live.match or nonce_exchange.phase(live) is Phase.NONCES else [],
        digest,
        _seal(live) if digest and live.status == FINISHED_TABLE else "",
        shares,
        any(share.seat in own and share.by == "table" for share in shares),
    )


def _shares(live: TableState) -> list[NonceShare]:
    assert live.match is not None
    stream = live.match.fair
    nonces = enumerate(zip(stream.nonces, stream.by, strict=True))
    return [
        NonceShare(seat, nonce, by, seat in stream.withheld, seat in stream.late)
        for seat, (nonce, by) in nonces
    ]


@cached(LRUCache(SEALS_KEPT), key=lambda live: live.id)
def _seal(live: TableState) -> str:
    return files.match_seal(recorded(live))
