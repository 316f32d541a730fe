"""Mutes: which players a browser has muted, and which lines of a chat it may report.

The browser's cookie holds a mark for each muted player, a hash that means nothing elsewhere. So a
player stays muted at every table, for this browser alone.
"""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from diablerie.table.state.table_state import ChatLine, TableState
from diablerie.table.state.visitors import Visitor, hashed
from diablerie.web.people.preferences import COOKIE_SEPARATOR, remember_preference

MUTES_COOKIE = "muted"
MOST_MUTES = 50  # marks that are kept, the newest
MUTE_MARK_LENGTH = 12  # characters of a mark
CHAT_LINES_SHOWN = 60  # lines of the chat on a table's page
REPORTABLE = 20  # of those, the latest


@dataclass(frozen=True)
class ChatView:
    """The chat of a table as one browser shows it."""

    chat: tuple[ChatLine, ...]  # without lines of muted players
    hidden: int  # so many lines of muted players
    talkers: tuple[int, ...]  # the seats of other people who have said something or are muted
    muted: frozenset[int]

    @property
    def reportable(self) -> tuple[ChatLine, ...]:
        """The latest lines of other people, the newest first."""
        return tuple(s for s in self.chat if s.seat in self.talkers)[::-1][:REPORTABLE]


def marks(request: Request) -> frozenset[str]:
    """The marks of the players that a browser has muted."""
    return frozenset(
        request.cookies.get(MUTES_COOKIE, "").split(COOKIE_SEPARATOR)[-MOST_MUTES:]
    ) - {""}


def chat_view(live: TableState, visitor: Visitor | None, marked: frozenset[str]) -> ChatView:
    """The chat of a table for a browser that has muted the players with these marks."""
    own = live.seats_of(visitor)
    others = [info for info in live.seats if info.owner and info.seat not in own]
    muted = frozenset(s.seat for s in others if marked and _mark(visitor, s.owner) in marked)
    latest = live.chat[-CHAT_LINES_SHOWN:]
    heard = tuple(line for line in latest if line.seat not in muted)
    voices = muted | {line.seat for line in latest}
    talkers = tuple(info.seat for info in others if info.seat in voices)
    return ChatView(heard, len(latest) - len(heard), talkers, muted)


def remember_mute(
    response: Response, request: Request, live: TableState, visitor: Visitor, seat: int, hear: bool
) -> None:
    """Set the cookie so that the browser mutes a player, or (`hear`) no longer does."""
    mark = _mark(visitor, live.seats[seat].owner)
    others = [
        one
        for one in request.cookies.get(MUTES_COOKIE, "").split(COOKIE_SEPARATOR)
        if one not in ("", mark)
    ]
    remember_preference(
        response,
        MUTES_COOKIE,
        COOKIE_SEPARATOR.join([*others, *([] if hear else [mark])][-MOST_MUTES:]),
    )


def _mark(visitor: Visitor | None, owner: Visitor | None) -> str:
    return hashed("mute", f"{visitor} {owner}")[:MUTE_MARK_LENGTH]
