"""What is kept of a seat's personal link: the hash of its secret, and who may have the seat back.

Both stand in `SeatInfo.link`, half of it each, in hex; a half of zeros says that there is none.
A seat that has moved may be taken back by the browser it moved away from first.
"""

import hashlib

from diablerie.table.state.table_state import TableSeat
from diablerie.table.state.visitors import Visitor, link_hash

HALF = 32  # 128 bits
NONE = "0" * HALF


def linked(info: TableSeat, secret: str) -> str:
    """What is kept once a seat has a link with this secret; the older one is forgotten."""
    return link_hash(secret)[:HALF] + _back(info)


def opens(info: TableSeat, secret: str) -> bool:
    """Whether a secret is that of the seat's link."""
    return bool(info.link) and _link(info) != NONE and _link(info) == link_hash(secret)[:HALF]


def use_link(table: str, info: TableSeat) -> str | None:
    """What is kept once a seat has moved away from its owner: the link has worked."""
    if _back(info) != NONE or info.owner is None:
        return NONE + _back(info)
    return NONE + _hash(table, info.seat, info.owner)


def may_return(table: str, info: TableSeat, visitor: Visitor | None) -> bool:
    """Whether a seat has moved away from this browser, which may take it back."""
    return visitor is not None and _back(info) == _hash(table, info.seat, visitor)


def _link(info: TableSeat) -> str:
    return (info.link or NONE)[:HALF]


def _back(info: TableSeat) -> str:
    return (info.link or "")[HALF:] or NONE


def _hash(table: str, seat: int, visitor: Visitor) -> str:
    return hashlib.sha256(f"back {table} {seat} {visitor}".encode()).hexdigest()[:HALF]
