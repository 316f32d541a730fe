"""Gathering what a table's page shows: to whom, and from what it is made.

`Browser` is all that matters of who asks. `cached_frame` makes a frame once for all that may see and do
the same: they have an equal `FrameKey`, which names everything that a frame depends on.
"""

import threading
from collections.abc import Hashable, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from diablerie.table.authority import Authority
from diablerie.table.bots.compile_rules import RulesCompiler
from diablerie.table.commands.subscriptions import Hook
from diablerie.table.presence.attendance import Presence
from diablerie.table.state.nonce_exchange import waited
from diablerie.table.state.seat_links import may_return
from diablerie.table.state.table_state import OPEN, TableState
from diablerie.table.state.visitors import Visitor
from diablerie.web.frames import frames
from diablerie.web.frames.frames import Frame
from diablerie.web.frames.memo_cache import MemoCache
from diablerie.web.frames.page_model import PageModel
from diablerie.web.frames.viewpoint import Viewpoint

TOLD = 30  # plies in the log beside the board; the whole log has its own page
LOCKS = 64


class Browser(NamedTuple):
    """Who asks, as far as pages depend on it."""

    visitor: Visitor | None
    tongue: str
    home: str  # the server's address, as the visitor knows it, without a slash at the end
    muted: frozenset[str] = frozenset()  # marks of players, see manners.py
    calls: bool = False  # whether this server calls anybody
    known_as: str = ""  # what the visitor was called last


class Moment(NamedTuple):
    """What changes at a table without a change of it."""

    now: float
    presence: Sequence[Presence]
    deadlines: Sequence[float | None]
    hook: Hook | None


class FrameKey(NamedTuple):
    """All that a frame depends on. Who takes no part in a table is nobody in particular."""

    browser: Browser
    table: str
    version: int  # of the table: of its plies, seats, chat, everything
    seen: tuple[Hashable, ...]  # as whom it is looked at
    here: tuple[tuple[bool, bool], ...]  # by seat: who is here, and who is away for long
    due: tuple[float | None, ...]
    hook: Hook | None
    waiting: tuple[Hashable, ...]  # for the rules, for people


class FrameCache:
    """What one server remembers: tables of other servers may have the same names."""

    def __init__(self) -> None:
        self.frames, self.parts = MemoCache(512), MemoCache()


_kept: WeakKeyDictionary[Authority, FrameCache] = WeakKeyDictionary()
_making = [threading.Lock() for _ in range(LOCKS)]


def _kept_by(authority: Authority) -> FrameCache:
    return _kept.get(authority) or _kept.setdefault(authority, FrameCache())


def gather(
    authority: Authority, warm: RulesCompiler | None, seen: Viewpoint, browser: Browser
) -> PageModel:
    """The model of a viewpoint, with the latest of the log."""
    return _model(authority, warm, seen, browser, _moment(authority, seen.live))


def cached_frame(
    authority: Authority, warm: RulesCompiler | None, seen: Viewpoint, browser: Browser
) -> Frame:
    """The frame of a viewpoint, made once for equal eyes."""
    moment = _moment(authority, seen.live)
    who = browser if _involved(seen, browser) else _anybody(seen, browser)

    def made() -> Frame:
        return frames.make_frame(_model(authority, warm, seen, who, moment))

    with _making[hash(seen.live.id) % LOCKS]:  # whoever comes second finds what the first has made
        found: Frame = _kept_by(authority).frames.get(_eyes(warm, seen, who, moment), made)
    return found


def _moment(authority: Authority, live: TableState) -> Moment:
    hook = authority.subscriptions.hook_of(live.id)
    return Moment(authority.clock(), authority.presence(live), authority.deadlines(live), hook)


def _model(
    authority: Authority,
    warm: RulesCompiler | None,
    seen: Viewpoint,
    browser: Browser,
    moment: Moment,
) -> PageModel:
    live = seen.live
    entries = authority.log(live, seen.viewer, max(0, live.ply - TOLD)) if live.match else []
    about = moment._asdict() | browser._asdict()
    memory = _kept_by(authority).parts
    return PageModel(seen, entries=entries, warm=warm, memory=memory, **about)


def _eyes(
    warm: RulesCompiler | None, seen: Viewpoint, browser: Browser, moment: Moment
) -> FrameKey:
    live, now = seen.live, moment.now
    compiled = warm.progress()[live.game.name] if warm and live.status == OPEN else None
    return FrameKey(
        browser,
        live.id,
        live.version,
        (seen.own, seen.viewer, seen.chosen, seen.cover, seen.draft),
        tuple((who.here, who.due is not None and now >= who.due) for who in moment.presence),
        tuple(moment.deadlines),
        moment.hook,
        (compiled, waited(live, now)),
    )


def _involved(seen: Viewpoint, browser: Browser) -> bool:
    """Whether it matters who of all people a browser belongs to."""
    live, visitor = seen.live, browser.visitor
    if visitor is None:
        return False
    back = any(may_return(live.id, info, visitor) for info in live.seats)
    return bool(seen.own or back or visitor == live.host or browser.muted)


def _anybody(seen: Viewpoint, browser: Browser) -> Browser:
    """A browser of which nothing is known but what its page must know."""
    name = browser.known_as if seen.live.status == OPEN else ""
    return browser._replace(visitor=None, known_as=name)
