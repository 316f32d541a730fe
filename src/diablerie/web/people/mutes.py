"""Manners: whom a browser has muted, and which lines of a chat it may report.

Whom it has muted is kept in its cookie, as marks that mean nothing to anybody else: so a player
stays muted at every table, for this browser alone.
"""

import hashlib
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from diablerie.table.state.table_state import ChatLine, TableState
from diablerie.table.state.visitors import Visitor
from diablerie.web.people.preferences import BETWEEN, remember_preference

COOKIE = "muted"
MOST, MARK = 50, 12  # marks that are kept, the newest; characters of one
SHOWN = 60  # lines of the chat on a table's page
REPORTABLE = 20  # of those, the latest


@dataclass(frozen=True)
class Manners:
    """The chat of a table as one browser wants it. `talkers` are others' seats with a voice."""

    chat: tuple[ChatLine, ...]
    hidden: int
    talkers: tuple[int, ...]
    muted: frozenset[int]

    @property
    def reportable(self) -> tuple[ChatLine, ...]:
        """What others have said lately, the newest first."""
        return tuple(s for s in self.chat if s.seat in self.talkers)[::-1][:REPORTABLE]


def marks(request: Request) -> frozenset[str]:
    """Whom a browser has muted."""
    return frozenset(request.cookies.get(COOKIE, "").split(BETWEEN)[-MOST:]) - {""}


def manners(live: TableState, visitor: Visitor | None, kept: frozenset[str]) -> Manners:
    """The chat of a table for a browser that has muted these."""
    own = live.seats_of(visitor)
    others = [info for info in live.seats if info.owner and info.seat not in own]
    muted = frozenset(s.seat for s in others if _mark(visitor, s.owner) in kept)
    said = live.chat[-SHOWN:]
    shown = tuple(line for line in said if line.seat not in muted)
    voices = muted | {line.seat for line in said}
    talkers = tuple(info.seat for info in others if info.seat in voices)
    return Manners(shown, len(said) - len(shown), talkers, muted)


def remember_mute(
    response: Response, request: Request, live: TableState, visitor: Visitor, seat: int, hear: bool
) -> None:
    """Have the browser remember that it does not want to hear a player, or does again."""
    mark = _mark(visitor, live.seats[seat].owner)
    others = [
        one for one in request.cookies.get(COOKIE, "").split(BETWEEN) if one not in ("", mark)
    ]
    remember_preference(
        response, COOKIE, BETWEEN.join([*others, *([] if hear else [mark])][-MOST:])
    )


def _mark(visitor: Visitor | None, owner: Visitor | None) -> str:
    return hashlib.sha256(f"mute {visitor} {owner}".encode()).hexdigest()[:MARK]
