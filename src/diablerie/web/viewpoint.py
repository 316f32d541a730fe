"""Sight: as whom a browser looks at a table, and with what in mind.

A browser with several seats shows the one that is to decide. Where that would show one person
another's secrets, it first asks for the device to be passed on (`cover`) and meanwhile shows what
anybody may see.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from diablerie.engine import verbs
from diablerie.engine.asking import redacted
from diablerie.engine.record import same
from diablerie.engine.text import Line, say
from diablerie.engine.verbs import EVERYONE, WATCHER
from diablerie.table.authority import Authority
from diablerie.table.errors import BadInput, Forbidden, IllegalMove, Refused
from diablerie.table.live import RUNNING, Live, Move, Position
from diablerie.table.visitors import Visitor

STEPS, STEP = 16, 40  # of a draft: how many, and how long each


@dataclass(frozen=True)
class Sight:
    """One table, seen by one browser. `chosen` is the seat its address asks for (`?as=`)."""

    live: Live
    own: tuple[int, ...]
    viewer: int
    chosen: int | None = None
    cover: int | None = None
    draft: tuple[str, ...] = ()
    refusal: Refused | None = None  # of the draft, or of what was just tried

    def refused(self, error: Refused) -> "Sight":
        """The same sight after something was tried in vain."""
        return replace(self, refusal=error)

    def drafted(self, draft: Sequence[str]) -> "Sight":
        """The same sight with decisions in mind."""
        return replace(self, draft=tuple(draft))

    @cached_property
    def position(self) -> Position | None:
        """What the viewer sees, once the game has begun."""
        return self.live.position(self.viewer, self.draft) if self.live.match else None

    @cached_property
    def view(self) -> dict[str, Any]:
        """The position as plain data, empty before the start."""
        return self.position.view if self.position else {}

    @cached_property
    def moves(self) -> list[Move]:
        """What the viewer may do now."""
        return self.position.moves if self.position else []

    @property
    def shared(self) -> bool:
        """Whether several people share this screen."""
        return len(self.own) > 1

    @property
    def query(self) -> str:
        """The part of the address after `?` that brings this sight back, or nothing."""
        seat = {} if self.chosen is None else {"as": str(self.chosen)}
        draft = {"draft": ";".join(self.draft)} if self.draft else {}
        return urlencode(seat | draft)

    @property
    def url(self) -> str:
        """The address of the page with this sight."""
        return f"/t/{self.live.id}" + (f"?{self.query}" if self.query else "")


def look(
    authority: Authority,
    table: str,
    visitor: Visitor | None,
    seat: int | None = None,
    draft: Sequence[str] = (),
) -> Sight:
    """What a browser sees of a table. Raises NotFound, or Forbidden for somebody else's seat.

    A draft that cannot be played (any more) is dropped, and the sight says why.
    """
    sight = choose(authority.live(table), visitor, seat)
    if not draft or sight.live.status != RUNNING:
        return sight
    try:
        sight.live.position(sight.viewer, draft)
    except (IllegalMove, BadInput) as error:
        return sight.refused(error)
    return sight.drafted(draft)


def choose(live: Live, visitor: Visitor | None, seat: int | None) -> Sight:
    """As whom a browser looks. Raises Forbidden for somebody else's seat."""
    own = tuple(live.seats_of(visitor))
    if seat is not None and seat not in own:
        raise Forbidden(say("That seat is not yours to look from."))
    if len(own) < 2:
        return Sight(live, own, own[0] if own else WATCHER)
    if seat is not None:
        return Sight(live, own, seat, seat)
    waiting = [s for s in own if s in live.pending]
    if not secrets_at_stake(live, own):
        return Sight(live, own, waiting[0] if waiting else own[0])
    return Sight(live, own, WATCHER, cover=waiting[0] if waiting else None)


def secrets_at_stake(live: Live, own: Sequence[int]) -> bool:
    """Whether people who share a screen know, or are to decide, what the others may not see."""
    if live.match is None or live.status != RUNNING:
        return False
    state = live.match.state
    first, *others = (redacted(state, seat) for seat in own)
    if not all(same(first, other) for other in others):
        return True
    return verbs.witness(state) != EVERYONE and any(s in live.pending for s in own)


def steps(text: str) -> tuple[str, ...]:
    """The decisions of a draft or of a spot on the board: `a; b; c`. Raises BadInput."""
    found = tuple(step.strip() for step in text.split(";") if step.strip())
    if len(found) > STEPS or any(len(step) > STEP for step in found):
        raise BadInput(say("That is more than can be decided at once."))
    return found


def waiting_for(sight: Sight) -> Line:
    """The sentence of somebody who waits."""
    names = [sight.live.name(seat) for seat in sight.live.pending]
    if len(names) == 1:
        return say("Waiting for {name}.", name=names[0])
    return say("Waiting for {n} players.", n=len(names))
