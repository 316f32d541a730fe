"""Personal links, by which a seat moves to another browser, and the way back.

`TableSeat.link` has two halves in hex: the hash of the link's secret, and the hash of the browser
that the seat moved away from first, which may take it back. A half of zeros: there is none.
"""

from diablerie.table.state.table_state import TableSeat
from diablerie.table.state.visitors import Visitor, hashed

LINK_DIGITS = 32  # 128 bits
NO_SECRET = "0" * LINK_DIGITS


def linked(info: TableSeat, secret: str) -> str:
    """The `link` of a seat after a link with this secret was made; older links stop working."""
    return hashed("link", secret)[:LINK_DIGITS] + _back(info)


def opens(info: TableSeat, secret: str) -> bool:
    """Whether this is the secret of the seat's link."""
    return (
        bool(info.link)
        and _link(info) != NO_SECRET
        and _link(info) == hashed("link", secret)[:LINK_DIGITS]
    )


def use_link(table: str, info: TableSeat) -> str | None:
    """The `link` of a seat after it moved away from its owner: the link works no more."""
    if _back(info) != NO_SECRET or info.owner is None:
        return NO_SECRET + _back(info)
    return NO_SECRET + _hash(table, info.seat, info.owner)


def may_return(table: str, info: TableSeat, visitor: Visitor | None) -> bool:
    """Whether a seat has moved away from this browser, which may take it back."""
    back = _back(info)
    return visitor is not None and back != NO_SECRET and back == _hash(table, info.seat, visitor)


def _link(info: TableSeat) -> str:
    return (info.link or NO_SECRET)[:LINK_DIGITS]


def _back(info: TableSeat) -> str:
    return (info.link or "")[LINK_DIGITS:] or NO_SECRET


def _hash(table: str, seat: int, visitor: Visitor) -> str:
    return hashed("back", f"{table} {seat} {visitor}")[:LINK_DIGITS]
