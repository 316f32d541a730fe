"""The frame cache: viewers who may see and do the same get the same frame, made once.

Their `FrameKey` is equal, which holds all that a frame depends on. `Browser` is what it depends on
of the browser.
"""

import threading
from collections.abc import Hashable, Sequence
from typing import NamedTuple, cast
from weakref import WeakKeyDictionary

from diablerie.compiling.rules_compiler import RulesCompiler
from diablerie.table.authority import Authority
from diablerie.table.commands import lobby
from diablerie.table.commands.series import Series, series_of
from diablerie.table.commands.subscriptions import Hook
from diablerie.table.presence.attendance import Presence
from diablerie.table.state.nonce_exchange import waited
from diablerie.table.state.seat_links import may_return
from diablerie.table.state.table_state import OPEN, OVER, TableState
from diablerie.table.state.visitors import Visitor
from diablerie.web.frames import frames
from diablerie.web.frames.frames import Frame
from diablerie.web.frames.memo_cache import MemoCache
from diablerie.web.frames.page_model import PageModel
from diablerie.web.frames.viewpoint import Viewpoint
from diablerie.web.html.reach import Reach

TOLD = 30  # plies in the log beside the board; the whole log has its own page
LOCKS = 64


class Browser(NamedTuple):
    """All of a browser that the content of a page depends on."""

    visitor: Visitor | None
    tongue: str
    reach: Reach = Reach()  # the server's address for others, and who may open it to them
    muted: frozenset[str] = frozenset()  # marks of players, see mutes.py
    calls: bool = False  # whether this server sends notifications
    known_as: str = ""  # the name that the visitor used last
    words: bool = False  # whether the position is told in sentences, too


class Moment(NamedTuple):
    """What a page shows that changes without a change of the table."""

    now: float
    presence: Sequence[Presence]
    deadlines: Sequence[float | None]
    hook: Hook | None
    series: Series | None  # of the table's group, when the game is over
    rematch: str  # the table where these players go on, while it is there


class FrameKey(NamedTuple):
    """All that a frame depends on. For all who take no part in the table it is the same."""

    browser: Browser
    table: str
    version: int  # of the table: of its plies, seats, chat, everything
    seen: tuple[Hashable, ...]  # the viewpoint: own seats, viewer, chosen seat, cover, draft
    here: tuple[tuple[bool, bool], ...]  # by seat: who is here, and who is away for long
    due: tuple[float | None, ...]
    hook: Hook | None
    series: Series | None
    rematch: str
    waiting: tuple[
        Hashable, ...
    ]  # how far the rules are compiled, and how long the shares are waited for


class FrameCache:
    """The caches of one server. (A test runs several, whose tables may have the same ids.)"""

    def __init__(self) -> None:
        self.frames, self.parts = MemoCache(512), MemoCache()


_caches: WeakKeyDictionary[Authority, FrameCache] = WeakKeyDictionary()
_making = [threading.Lock() for _ in range(LOCKS)]


def _cache_of(authority: Authority) -> FrameCache:
    return _caches.get(authority) or _caches.setdefault(authority, FrameCache())


def gather(
    authority: Authority, compiler: RulesCompiler | None, seen: Viewpoint, browser: Browser
) -> PageModel:
    """The page model of a viewpoint, with the latest TOLD plies of the log."""
    return _model(authority, compiler, seen, browser, _moment(authority, seen.live))


def cached_frame(
    authority: Authority, compiler: RulesCompiler | None, seen: Viewpoint, browser: Browser
) -> Frame:
    """The frame of a viewpoint, made once for all with an equal key."""
    moment = _moment(authority, seen.live)
    who = browser if _involved(seen, browser) else _anybody(seen, browser)

    def make() -> Frame:
        return frames.make_frame(_model(authority, compiler, seen, who, moment))

    with _making[
        hash(seen.live.id) % LOCKS
    ]:  # a second thread waits, and finds the frame in the cache
        return cast(Frame, _cache_of(authority).frames.get(_key(compiler, seen, who, moment), make))


def _moment(authority: Authority, live: TableState) -> Moment:
    hook = authority.subscriptions.hook_of(live.id)
    series = series_of(authority, live.group) if live.group and live.status == OVER else None
    deadlines, rematch = authority.deadlines(live), lobby.rematch_of(authority, live)
    return Moment(authority.clock(), authority.presence(live), deadlines, hook, series, rematch)


def _model(
    authority: Authority,
    compiler: RulesCompiler | None,
    seen: Viewpoint,
    browser: Browser,
    moment: Moment,
) -> PageModel:
    live = seen.live
    entries = authority.log(live, seen.viewer, max(0, live.ply - TOLD)) if live.match else []
    memory, fields = _cache_of(authority).parts, moment._asdict() | browser._asdict()
    return PageModel(seen, entries=entries, compiler=compiler, memory=memory, **fields)


def _key(
    compiler: RulesCompiler | None, seen: Viewpoint, browser: Browser, moment: Moment
) -> FrameKey:
    live, now = seen.live, moment.now
    compiled = compiler.progress()[live.game.name] if compiler and live.status == OPEN else None
    return FrameKey(
        browser,
        live.id,
        live.version,
        (seen.own, seen.viewer, seen.chosen, seen.cover, seen.draft),
        tuple((who.here, who.due is not None and now >= who.due) for who in moment.presence),
        tuple(moment.deadlines),
        moment.hook,
        moment.series,
        moment.rematch,
        (compiled, waited(live, now, [who.here for who in moment.presence])),
    )


def _involved(seen: Viewpoint, browser: Browser) -> bool:
    """Whether the page depends on who the visitor is, not only on what anybody may see."""
    live, visitor = seen.live, browser.visitor
    if visitor is None:
        return False
    back = any(may_return(live.id, info, visitor) for info in live.seats)
    return bool(seen.own or back or visitor == live.host or browser.muted)


def _anybody(seen: Viewpoint, browser: Browser) -> Browser:
    """The browser without its visitor, and without the name except where the page asks for one."""
    name = browser.known_as if seen.live.status == OPEN else ""
    return browser._replace(visitor=None, known_as=name)
