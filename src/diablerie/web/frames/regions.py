"""Regions of a table's page, as parts; a part is rendered again only if what it shows has changed.

The key of a part is a small tuple (`SeatRegion`, `SidebarKey`, …) of all that it shows. Equal keys
give the same part from a cache, whoever looks.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple, cast

from diablerie.engine.text import Line, Section
from diablerie.table.commands.logbook import LogEntry
from diablerie.web.frames.memo_cache import KEPT
from diablerie.web.frames.page_model import PageModel
from diablerie.web.frames.patch import parts_of
from diablerie.web.frames.question import CUT, question
from diablerie.web.frames.seat_panel import SeatPanel
from diablerie.web.html import templates
from diablerie.web.html.reach import Reach
from diablerie.web.html.speech import Speech

Region = tuple[str, ...]
WAYS = 8  # languages and names in which the sentences of a ply are kept
STAGED = 12  # plies of which moments are sent: a page that missed more does not stage them


def board(model: PageModel) -> Region:
    """The picture, or what stands in its place."""
    if model.viewpoint.cover is not None or model.viewpoint.position is None:
        return (_render(model, "board"),)
    return parts_of(model.board)


# -- the log ---------------------------------------------------------------------------------------


def log(model: PageModel) -> Region:
    """The latest plies in sentences, a part each."""
    entries = [entry for entry in model.entries if entry.lines]
    key = ("log", model.tongue, bool(entries))
    before, *after = _shell(model, "log", key)
    known_as = (model.tongue, model.speech.names)
    told = [entry.shown.get(known_as) or _lines_of(model, entry, known_as) for entry in entries]
    return (before, *chain.from_iterable(told), *after)


def moments(model: PageModel) -> Region:
    """What of the latest plies is staged, a part each: `57 pull 2 50;`. See static/stage.js."""
    since = model.live.ply - STAGED
    return tuple(
        f"{entry.ply} {moment};"
        for entry in model.entries
        if entry.ply > since
        for moment in entry.moments
    )


def _lines_of(model: PageModel, entry: LogEntry, key: Hashable) -> Region:
    """The sentences of one ply, kept with the entry, which the logbook keeps."""
    lines = tuple(
        f'<li id="log-{entry.ply}-{k}">{model.speech.html(line)}{_passed_clause(model, line)}</li>'
        for k, line in enumerate(entry.lines)
    )
    if len(entry.shown) >= WAYS:
        entry.shown.clear()
    entry.shown[key] = lines
    return lines


def _passed_clause(model: PageModel, line: Line) -> str:
    """The link to a line's clause, which the keyboard passes over; "" without one."""
    if not line.clause:
        return ""
    game, key = model.game, ("passed", model.tongue, model.game.name, line.clause)
    bare = Line("", {}, "", line.clause)  # the link is the same for all lines of a clause
    return cast(
        str,
        model.memory.get(
            key, lambda: templates.macro(model.tongue, "clause")(bare, game, False, True)
        ),
    )


# -- the position in words -------------------------------------------------------------------------


def words(model: PageModel) -> Region:
    """The position in sentences, a part each, if the viewer wants it; else a button."""
    key = ("words", model.tongue, model.words, model.viewpoint.url)
    before, after = _shell(model, "words", key)
    return (before, *words_of(model.description, model.speech), after)


def words_of(sections: Sequence[Section], speech: Speech) -> Iterator[str]:
    """The parts of a description: each heading and each sentence is one."""
    for section in sections:
        yield f"<h3>{speech.html(section.title)}</h3><ul>"
        yield from (f"<li>{speech.html(line)}</li>" for line in section.lines)
        yield "</ul>"


# -- the seats -------------------------------------------------------------------------------------


class SeatRegion(NamedTuple):
    """All that is shown of a seat beside the board, and the key of its part."""

    table: str
    seat: int
    name: str
    what: str
    mood: str
    badges: tuple[str, ...]
    pictured: bool  # the board shows who plays and the score
    told: bool  # and nothing else is to be said of the seat
    deciding: bool
    winner: bool
    away: bool
    stand_in: bool
    due: int
    until: str
    tool: str


def seats(model: PageModel) -> Region:
    """The players, a part each."""
    live, refused = model.live, bool(model.refusal and model.control == "give")
    key = ("seats", live.id, model.tongue, model.speech.names, tuple(model.moved), live.game.name)
    before, after = _shell(model, "seats", None if refused else key)
    return (before, *(_drawn(model.tongue, seat_of(model, panel)) for panel in model.panels), after)


@lru_cache(KEPT)
def _drawn(tongue: str, seat: SeatRegion) -> str:
    return templates.render_template(tongue, "parts/seat.html", seat=seat).strip()


def seat_of(model: PageModel, panel: SeatPanel) -> SeatRegion:
    """What is shown of a seat."""
    pictured = model.game.players_shown
    alone = bool(model.viewpoint.position) and not panel.own and not panel.notable
    return SeatRegion(
        table=f"/t/{model.live.id}",
        seat=panel.info.seat,
        name=panel.name,
        what=panel.what(model.speech),
        mood=panel.mood,
        badges=tuple(model.speech.plain(line) for line in panel.badges),
        pictured=pictured,
        told=pictured and alone,
        deciding=panel.deciding,
        winner=panel.winner,
        away=panel.away,
        stand_in=bool(panel.info.stand_in),
        due=int(panel.due or 0),
        until=panel.until(model.tongue) if panel.due else "",
        tool=_tool(model, panel),
    )


def _tool(model: PageModel, panel: SeatPanel) -> str:
    """The command that the viewer has for a seat, "" for none."""
    if panel.spare:
        return "give"
    if model.hosting and not model.live.match and not panel.own and panel.info.kind != "open":
        return "free"
    if panel.own and panel.info.stand_in:
        return "take"
    return "leave" if panel.own and not model.live.match and model.live.free else ""


# -- what changes seldom ---------------------------------------------------------------------------


class SidebarKey(NamedTuple):
    """All that the chat and the tools show; `revision` counts changes of seats, names, options."""

    name: str
    table: str
    revision: int
    status: str
    tongue: str
    reach: Reach
    names: Sequence[str]
    own: tuple[int, ...]
    viewer: int
    chosen: int | None
    more: tuple[Hashable, ...]


def chat(model: PageModel) -> Region:
    """The chat."""
    return _seldom(model, "chat", model.chat_view, model.control == "report")


def tools(model: PageModel) -> Region:
    """The tools and facts of the table: links, names, options, fairness."""
    hook, fair = model.hook, model.fair
    mine = bool(hook and hook.owner == model.visitor)
    known = (hook, mine, model.calls, model.hosting, model.resignable, model.link, model.control)
    return _seldom(model, "tools", *known, fair.digest, fair.seal, tuple(fair.hashes))


def _seldom(model: PageModel, name: str, *more: Hashable) -> Region:
    """A region from the cache by `SidebarKey`; with a refusal it is rendered anew."""
    if model.refusal:
        return (_render(model, name),)
    live, seen = model.live, model.viewpoint
    key = SidebarKey(
        name,
        live.id,
        live.revision,
        live.status,
        model.tongue,
        model.reach,
        model.speech.names,
        seen.own,
        seen.viewer,
        seen.chosen,
        more,
    )
    return (model.memory.get(key, lambda: _render(model, name)),)


# -- templates -------------------------------------------------------------------------------------

MAKERS: Mapping[str, Callable[[PageModel], Region]] = {
    "board": board,
    "ask": question,
    "seats": seats,
    "log": log,
    "words": words,
    "moments": moments,
    "chat": chat,
    "tools": tools,
}


def _shell(model: PageModel, name: str, key: Hashable | None) -> list[str]:
    """A region's template, cut where its parts are put in; cached unless `key` is None."""
    if key is None:
        return _render(model, name).split(CUT)
    return cast(list[str], model.memory.get(key, lambda: _render(model, name).split(CUT)))


def _render(model: PageModel, name: str, **more: Any) -> str:
    speech = model.speech
    return templates.render_template(
        model.tongue, f"parts/{name}.html", model=model, speech=speech, cut=CUT, **more
    )
