"""Regions of a table's page, as parts; a part is rendered again only if what it shows has changed.

What a part shows is a small tuple (`SeatPanel`, `Tools`, …), which is also its key. Equal keys give
the same part from a cache, whoever looks.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from diablerie.engine.text import Section
from diablerie.table.commands.logbook import LogEntry
from diablerie.table.commands.subscriptions import Hook
from diablerie.table.state.transitions import may_resign
from diablerie.web.frames.patch import parts_of
from diablerie.web.frames.question import question
from diablerie.web.frames.seat_panel import house_rules, seats_region
from diablerie.web.frames.table_page import PLACE_MARK, Page
from diablerie.web.html.speech import Speech
from diablerie.web.html.tempers import remark
from diablerie.web.html.templates import TEMPLATE_MOODS
from diablerie.web.people.mutes import chat_view

Region = tuple[str, ...]
RENDERINGS_KEPT = 8  # languages and names in which the sentences of a ply are kept
STAGED_PLIES = 12  # plies of which moments are sent: a page that missed more does not stage them


def board(page: Page) -> Region:
    """The picture, or what stands in its place."""
    if page.viewpoint.cover is not None or page.viewpoint.position is None:
        return (page.render("board"),)
    return parts_of(page.board)


# -- the log ---------------------------------------------------------------------------------------


def log(page: Page) -> Region:
    """The latest plies in sentences, a part each."""
    entries = [entry for entry in page.entries if entry.lines]
    locale = page.recipient.locale
    key = ("log", locale, bool(entries))
    told = bool(entries)
    before, *after = page.memory.get(key, lambda: page.render("log", told=told).split(PLACE_MARK))
    known_as = (locale, page.speech.names)
    lines = [entry.shown.get(known_as) or _lines_of(page, entry, known_as) for entry in entries]
    return (before, *chain.from_iterable(lines), *after)


def moments(page: Page) -> Region:
    """What of the latest plies is staged, a part each: `57 pull 2 50;`. See static/stage.js."""
    since = page.live.ply - STAGED_PLIES
    return tuple(
        f"{entry.ply} {moment};"
        for entry in page.entries
        if entry.ply > since
        for moment in entry.moments
    )


def faces(page: Page) -> Region:
    """Whose face tells of the latest plies, a part each, and what a devil says: see static/faces.js."""
    live = page.live
    since = page.live.ply - STAGED_PLIES
    told = list[str]()
    for entry in page.entries if page.running else ():
        moods = [page.game.faces.get(one.scene, one.scene) for one in entry.moments]
        mood = next((mood for mood in reversed(moods) if mood in TEMPLATE_MOODS), "")
        if mood and entry.seat >= 0 and entry.ply > since:
            devil = live.seats[entry.seat].bot
            said = devil and page.speech.plain(remark(live.id, entry.ply, entry.seat, mood))
            told.append(f"{entry.ply}\t{entry.seat}\t{mood}\t{said}\n")
    return tuple(told)


def _lines_of(page: Page, entry: LogEntry, key: Hashable) -> Region:
    """The sentences of one ply, kept with the entry, which the logbook keeps."""
    lines = tuple(
        f'<li id="log-{entry.ply}-{k}">{page.speech.html(line)}{page.clause_link(line)}</li>'
        for k, line in enumerate(entry.lines)
    )
    if len(entry.shown) >= RENDERINGS_KEPT:
        entry.shown.clear()
    entry.shown[key] = lines
    return lines


# -- the position in words -------------------------------------------------------------------------


def words(page: Page) -> Region:
    """The position in sentences, a part each, if the viewer wants it; else a button."""
    seen = page.viewpoint
    wanted = page.recipient.words
    key = ("words", page.recipient.locale, wanted, seen.url)
    before, after = page.memory.get(
        key, lambda: page.render("words", told=wanted, back=seen.url).split(PLACE_MARK)
    )
    if not wanted or seen.cover is not None or seen.position is None:
        return (before, after)
    sections = page.game.description(seen.view, len(page.live.seats))
    return (before, *words_of(sections, page.speech), after)


def words_of(sections: Sequence[Section], speech: Speech) -> Iterator[str]:
    """The parts of a description: each heading and each sentence is one."""
    for section in sections:
        yield f"<h3>{speech.html(section.title)}</h3><ul>"
        yield from (f"<li>{speech.html(line)}</li>" for line in section.lines)
        yield "</ul>"


# -- what changes seldom ---------------------------------------------------------------------------


class Tools(NamedTuple):
    """What the tools of a table show that does not follow from its revision."""

    hook: Hook | None
    mine: bool  # the viewer gave the hook's address
    calls: bool  # this server sends notifications
    hosting: bool
    resignable: bool  # the viewer may resign
    digest: str
    seal: str
    hashes: tuple[str, ...]


def chat(page: Page) -> Region:
    """The chat."""
    return _seldom(page, "chat", chat_view(page.live, page.recipient.visitor, page.recipient.muted))


def tools(page: Page) -> Region:
    """The tools and facts of the table: links, names, options, fairness."""
    hook = page.context.hook
    fair = page.fair
    recipient = page.recipient
    mine = bool(hook and hook.owner == recipient.visitor)
    resignable = may_resign(page.live, page.viewpoint.viewer)
    facts = fair.digest, fair.seal, tuple(fair.hashes)
    model = Tools(hook, mine, recipient.calls, page.hosting, resignable, *facts)
    return _seldom(page, "tools", model)


def _seldom(page: Page, name: str, model: Hashable) -> Region:
    """A region from the cache; if the page answers a form it is rendered anew.

    Changes of seats, names and options show in the table's revision.
    """
    live = page.live
    seen = page.viewpoint
    speech = page.speech

    def rendered() -> str:
        return page.render(name, model=model, house_rules=house_rules(live, speech))

    if page.answer.refusal or page.answer.link:
        return (rendered(),)
    locale = page.recipient.locale
    reach = page.recipient.reach
    whose = seen.own, seen.viewer, seen.chosen
    key = (name, live.id, live.revision, live.status, locale, reach, speech.names, whose, model)
    return (page.memory.get(key, rendered),)


MAKERS: Mapping[str, Callable[[Page], Region]] = {
    "board": board,
    "ask": question,
    "seats": seats_region,
    "log": log,
    "words": words,
    "moments": moments,
    "faces": faces,
    "chat": chat,
    "tools": tools,
}
