"""The frame cache: viewers who may see and do the same get the same frame, made once."""

from collections.abc import Hashable
from weakref import WeakKeyDictionary

from diablerie.compiling.rules_compiler import RulesCompiler
from diablerie.table.authority import Authority
from diablerie.table.commands import sequels
from diablerie.table.commands.history import series_of
from diablerie.table.commands.seats import may_return
from diablerie.table.state.nonce_exchange import waited
from diablerie.table.state.table_state import FINISHED_TABLE, OPEN_TABLE, TableState
from diablerie.web.frames import frames
from diablerie.web.frames.frames import Frame
from diablerie.web.frames.memo_cache import MemoCache
from diablerie.web.frames.table_page import Page, PageContext, Recipient
from diablerie.web.frames.viewpoint import Viewpoint

LOG_PLIES_SHOWN = 30  # plies in the log beside the board; the whole log has its own page


class FrameCache:
    """The caches of one server. (A test runs several, whose tables may have the same ids.)"""

    def __init__(self) -> None:
        self.frames = MemoCache(512)
        self.parts = MemoCache()


_caches: WeakKeyDictionary[Authority, FrameCache] = WeakKeyDictionary()


def _cache_of(authority: Authority) -> FrameCache:
    return _caches.get(authority) or _caches.setdefault(authority, FrameCache())


def gather(
    authority: Authority, compiler: RulesCompiler | None, seen: Viewpoint, recipient: Recipient
) -> Page:
    """The page model of a viewpoint, with the latest LOG_PLIES_SHOWN plies of the log."""
    return _model(authority, compiler, seen, recipient, _context(authority, seen.live))


def cached_frame(
    authority: Authority, compiler: RulesCompiler | None, seen: Viewpoint, recipient: Recipient
) -> Frame:
    """The frame of a viewpoint, made once for all with an equal key."""
    context = _context(authority, seen.live)
    who = recipient if _involved(seen, recipient) else _anybody(seen, recipient)

    def make() -> Frame:
        return frames.make_frame(_model(authority, compiler, seen, who, context))

    return _cache_of(authority).frames.get(_key(compiler, seen, who, context), make)


def _context(authority: Authority, live: TableState) -> PageContext:
    hook = authority.subscriptions.hook_of(live.id)
    series = (
        series_of(authority, live.group) if live.group and live.status == FINISHED_TABLE else None
    )
    deadlines = authority.deadlines(live)
    rematch = sequels.rematch_of(authority, live)
    return PageContext(
        authority.clock(), authority.presence(live), deadlines, hook, series, rematch
    )


def _model(
    authority: Authority,
    compiler: RulesCompiler | None,
    seen: Viewpoint,
    recipient: Recipient,
    context: PageContext,
) -> Page:
    live = seen.live
    entries = (
        authority.log(live, seen.viewer, max(0, live.ply - LOG_PLIES_SHOWN)) if live.match else []
    )
    return Page(seen, recipient, context, entries, _cache_of(authority).parts, compiler)


def _key(
    compiler: RulesCompiler | None, seen: Viewpoint, recipient: Recipient, context: PageContext
) -> Hashable:
    """All that a frame depends on. For all who take no part in the table it is the same."""
    live = seen.live
    now = context.now
    compiled = (
        compiler.progress()[live.game.name] if compiler and live.status == OPEN_TABLE else None
    )
    return (
        recipient,
        live.id,
        live.version,  # of its plies, seats, chat, everything
        (seen.own, seen.viewer, seen.chosen, seen.cover, seen.draft),
        tuple((who.here, who.due is not None and now >= who.due) for who in context.presence),
        tuple(context.deadlines),
        context.hook,
        context.series,
        context.rematch,
        compiled,
        waited(live, now, [who.here for who in context.presence]),
    )


def _involved(seen: Viewpoint, recipient: Recipient) -> bool:
    """Whether the page depends on who the visitor is, not only on what anybody may see."""
    live = seen.live
    visitor = recipient.visitor
    if visitor is None:
        return False
    back = any(may_return(live.id, info, visitor) for info in live.seats)
    return bool(seen.own or back or visitor == live.host or recipient.muted)


def _anybody(seen: Viewpoint, recipient: Recipient) -> Recipient:
    """The recipient without its visitor, and without the name except where the page asks for one."""
    name = recipient.known_as if seen.live.status == OPEN_TABLE else ""
    return recipient._replace(visitor=None, known_as=name)
