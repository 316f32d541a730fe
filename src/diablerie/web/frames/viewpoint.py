"""Viewpoints: through the eyes of which seat a browser sees a table, and with which draft.

A browser with several seats shows the one that is to decide. If that would show one person another's
secrets, the page shows what anybody may see and asks to pass the device on (`cover`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from diablerie.engine import verbs
from diablerie.engine.queries import redacted
from diablerie.engine.record import same
from diablerie.engine.text import Line, say
from diablerie.engine.verbs import EVERYONE, WATCHER
from diablerie.table.authority import Authority
from diablerie.table.errors import BadInput, Forbidden, IllegalMove, Refused
from diablerie.table.state.table_state import (
    FINISHED_TABLE,
    RUNNING,
    LegalMove,
    PositionView,
    TableState,
)
from diablerie.table.state.visitors import Visitor


@dataclass(frozen=True)
class Viewpoint:
    """One table as one browser sees it.

    own: the browser's seats. viewer: the seat whose eyes it sees through, or WATCHER. chosen: the seat
    that the address asks for (`?as=`). cover: the seat to pass the device to. draft: decisions that
    are shown but not yet played.
    """

    live: TableState
    own: tuple[int, ...]
    viewer: int
    chosen: int | None = None
    cover: int | None = None
    draft: tuple[str, ...] = ()
    refusal: Refused | None = None  # of the draft, or of what was just tried

    def drafted(self, draft: Sequence[str]) -> "Viewpoint":
        """The same viewpoint with these decisions shown, but not played."""
        return replace(self, draft=tuple(draft))

    @cached_property
    def position(self) -> PositionView | None:
        """What the viewer sees, once the game has begun."""
        return self.live.position(self.viewer, self.draft) if self.live.match else None

    @cached_property
    def view(self) -> Any:
        """The view that the game's `ui` makes of the position; {} before the start.

        When the game is over nothing is secret any more, here as in the replay.
        """
        if self.live.match is not None and self.live.status == FINISHED_TABLE:
            return self.live.game.ui.look(self.live.match.state, self.viewer)
        return self.position.view if self.position else {}

    @cached_property
    def moves(self) -> list[LegalMove]:
        """What the viewer may do now."""
        running = self.live.status == RUNNING  # else it may be over by resignation
        return self.position.moves if self.position and running else []

    @cached_property
    def planned(self) -> list[Line]:
        """The draft in words: the label of each of its decisions."""
        return [self._step(i, step) for i, step in enumerate(self.draft)]

    def _step(self, number: int, step: str) -> Line:
        moves = self.live.position(self.viewer, self.draft[:number]).moves
        labels = (move.line for move in moves if move.text == step)
        return next(labels, Line("{step}", {"step": step}))

    @property
    def shared(self) -> bool:
        """Whether several people share this screen."""
        return len(self.own) > 1

    @property
    def query(self) -> str:
        """The query of the address that shows this viewpoint again, "" for none."""
        seat = {} if self.chosen is None else {"as": str(self.chosen)}
        draft = {"draft": ";".join(self.draft)} if self.draft else {}
        return urlencode(seat | draft)

    @property
    def url(self) -> str:
        """The address of the page with this viewpoint."""
        return f"/t/{self.live.id}" + (f"?{self.query}" if self.query else "")


def view_table(
    authority: Authority,
    table: str,
    visitor: Visitor | None,
    seat: int | None = None,
    draft: Sequence[str] = (),
) -> Viewpoint:
    """The viewpoint of a visitor. Raises NotFound, and Forbidden for somebody else's seat.

    A draft that cannot be played (any more) is dropped, and `refusal` says why.
    """
    seen = choose_viewpoint(authority.live(table), visitor, seat)
    if not draft or seen.live.status != RUNNING:
        return seen
    try:
        seen.live.position(seen.viewer, draft)
    except (IllegalMove, BadInput) as error:
        return replace(seen, refusal=error)
    return seen.drafted(draft)


def choose_viewpoint(live: TableState, visitor: Visitor | None, seat: int | None) -> Viewpoint:
    """The viewpoint of a visitor, without a draft. Raises Forbidden for somebody else's seat."""
    own = tuple(live.seats_of(visitor))
    if seat is not None and seat not in own:
        raise Forbidden(say("You may not watch from that seat."))
    if len(own) < 2:
        return Viewpoint(live, own, own[0] if own else WATCHER)
    if seat is not None:
        return Viewpoint(live, own, seat, seat)
    waiting = [s for s in own if s in live.pending]
    if not secrets_at_stake(live, own):
        return Viewpoint(live, own, waiting[0] if waiting else own[0])
    return Viewpoint(live, own, WATCHER, cover=waiting[0] if waiting else None)


def secrets_at_stake(live: TableState, own: Sequence[int]) -> bool:
    """Whether one of the people who share a screen knows or decides what another may not see."""
    if live.match is None or live.status != RUNNING:
        return False
    state = live.match.state
    first, *others = (redacted(state, seat) for seat in own)
    if not all(same(first, other) for other in others):
        return True
    return verbs.witness(state) != EVERYONE and any(s in live.pending for s in own)
