"""Regions of a table's page, as parts; a part is rendered again only if what it shows has changed.

What a part shows is a small tuple (`SeatPanel`, `Tools`, …), which is also its key. Equal keys give
the same part from a cache, whoever looks.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain
from typing import NamedTuple
from zlib import crc32

from babel.dates import format_datetime

from diablerie.engine.options import Option
from diablerie.engine.text import Line, say
from diablerie.table.commands.logbook import LogEntry
from diablerie.table.commands.seats import may_return
from diablerie.table.commands.subscriptions import Hook
from diablerie.table.state.table_state import DECIDERS, OPEN_SEAT, PROGRAM, TableSeat, TableState
from diablerie.table.state.transitions import may_resign
from diablerie.table.state.turn_clock import in_words
from diablerie.web.frames.board import SeatPanel
from diablerie.web.frames.memo_cache import MEMOS_KEPT
from diablerie.web.frames.patch import parts_of
from diablerie.web.frames.question import question
from diablerie.web.frames.table_page import CUT_MARK, Page
from diablerie.web.html import option_fields, templates
from diablerie.web.html.speech import Speech
from diablerie.web.html.templates import TEMPLATE_MOODS
from diablerie.web.people.preferences import chat_view

Region = tuple[str, ...]
STAGED_PLIES = 12  # plies of which moments are sent: a page that missed more does not stage them


def board(page: Page) -> Region:
    """The picture, or what stands in its place."""
    if not page.drawn:
        return (page.render("board"),)
    return parts_of(page.board.picture)


# -- the log ---------------------------------------------------------------------------------------


def log(page: Page) -> Region:
    """The latest plies in sentences, a part each."""
    entries = [entry for entry in page.entries if entry.lines]
    locale = page.recipient.locale
    begun = bool(entries or page.recalled)
    key = ("log", locale, begun)
    before, *after = page.memory.get(key, lambda: page.render("log", begun=begun).split(CUT_MARK))
    known_as = ("log", locale, page.speech.names)
    lines = [entry.shown.get(known_as) or _lines_of(page, entry, known_as) for entry in entries]
    return (before, *_recalled(page), *chain.from_iterable(lines), *after)


def _recalled(page: Page) -> Region:
    line = page.recalled
    return (f'<li id="recalled">{page.speech.html(line)}</li>',) if line else ()


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
    parts = list[str]()
    for entry in page.entries if page.running else ():
        moods = [page.game.faces.get(one.scene, one.scene) for one in entry.moments]
        mood = next((mood for mood in reversed(moods) if mood in TEMPLATE_MOODS), "")
        if mood and entry.seat >= 0 and entry.ply > since:
            devil = live.seats[entry.seat].bot
            said = devil and page.speech.plain(remark(live.id, entry.ply, entry.seat, mood))
            parts.append(f"{entry.ply}\t{entry.seat}\t{mood}\t{said}\n")
    return tuple(parts)


def _lines_of(page: Page, entry: LogEntry, key: Hashable) -> Region:
    """The sentences of one ply, kept with the entry, which the logbook keeps."""

    def lines() -> Region:
        return tuple(
            f'<li id="log-{entry.ply}-{k}">{page.speech.html(line)}{page.clause_link(line)}</li>'
            for k, line in enumerate(entry.lines)
        )

    return entry.rendered(key, lines)


# -- the position in words -------------------------------------------------------------------------


def words(page: Page) -> Region:
    """The position in sentences, a part each, if the viewer wants it; else a button."""
    viewpoint = page.viewpoint
    wanted = page.recipient.words
    key = ("words", page.recipient.locale, wanted, viewpoint.url)
    before, after = page.memory.get(
        key, lambda: page.render("words", expanded=wanted, back=viewpoint.url).split(CUT_MARK)
    )
    if not wanted or viewpoint.cover is not None or viewpoint.position is None:
        return (before, after)
    return (before, *page.board.words(), after)


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
    viewpoint = page.viewpoint
    speech = page.speech

    def rendered() -> str:
        return page.render(name, model=model, house_rules=house_rules(live, speech))

    if page.answer.refusal or page.answer.link:
        return (rendered(),)
    locale = page.recipient.locale
    reach = page.recipient.reach
    whose = viewpoint.own, viewpoint.viewer, viewpoint.chosen
    key = (name, live.id, live.revision, live.status, locale, reach, speech.names, whose, model)
    return (page.memory.get(key, rendered),)


# -- the seats -------------------------------------------------------------------------------------


def seats_region(page: Page) -> tuple[str, ...]:
    """The players, a part each."""
    live = page.live
    refused = bool(page.answer.refusal and page.answer.control == "give")
    locale = page.recipient.locale
    moved = _moved(page)
    weaker = page.context.weaker
    pairs = team_pairs(live.game.teams(len(live.seats)))

    def shell() -> list[str]:
        return page.render("seats", moved=moved, pairs=pairs, weaker=weaker).split(CUT_MARK)

    key = ("seats", live.id, locale, moved, weaker, (pairs or moved) and page.speech.names)
    before, after = shell() if refused else page.memory.get(key, shell)
    return (before, *(_drawn(locale, panel) for panel in seat_panels(page)), after)


@lru_cache(MEMOS_KEPT)
def _drawn(locale: str, seat: SeatPanel) -> str:
    return templates.render_template(locale, "parts/seat.html", seat=seat).strip()


def _moved(page: Page) -> tuple[int, ...]:
    """The seats that the visitor has moved to another device and may take back."""
    live = page.live
    visitor = page.recipient.visitor
    own = page.viewpoint.own
    back = (info.seat for info in live.seats if may_return(live.id, info, visitor))
    return tuple(seat for seat in back if seat not in own)


def seat_panels(page: Page) -> list[SeatPanel]:
    """What is shown of each seat, in order."""
    return [_panel(page, info) for info in page.live.seats]


def _panel(page: Page, info: TableSeat) -> SeatPanel:
    viewpoint = page.viewpoint
    context = page.context
    presence = context.presence[info.seat]
    due = context.deadlines[info.seat]
    own = info.seat in viewpoint.own
    away = info.kind in DECIDERS and not (presence.here or own)
    # Who waits for somebody absent may let a bot play, but only after a while.
    late = presence.due is not None and context.now >= presence.due
    spare = late and page.running and page.seated and not info.driver
    deciding = page.running and info.seat in page.live.pending
    winner = info.seat in page.winners
    until = ""
    if due:
        at = datetime.fromtimestamp(due, UTC)
        until = format_datetime(at, "d MMM, HH:mm", locale=page.recipient.locale)
    return page.board.panel(
        info.seat,
        what=_what(page, info, own),
        mood=_mood(info, winner, deciding, away),
        deciding=deciding,
        winner=winner,
        away=away,
        stand_in=bool(info.stand_in) and page.running,
        driven=bool(info.driver),
        due=int(due or 0),
        until=until,
        table=f"/t/{page.live.id}",
        tool="give_to_bot" if spare else _tool(page, info, own),
    )


def _what(page: Page, info: TableSeat, own: bool) -> str:
    plain = page.speech.plain
    if own and page.viewpoint.shared:
        return plain(say("at this screen"))
    if own and info.name:
        return plain(say("you"))
    if info.kind == PROGRAM:
        return plain(say("a program"))
    return plain(say("bot")) if info.bot else ""


def _mood(info: TableSeat, winner: bool, deciding: bool, away: bool) -> str:
    if winner:
        return "triumph"
    if deciding:
        return "think"
    if away:
        return "sleep"
    return "sly" if info.driver else "grin"


def _tool(page: Page, info: TableSeat, own: bool) -> str:
    begun = bool(page.live.match)
    others = not own and info.kind != OPEN_SEAT
    if page.leading and page.sociable and not begun and others:
        return "free"
    if own and info.stand_in and page.running:
        return "relieve_bot"
    return "leave" if own and not begun and page.live.free else ""


def team_pairs(teams: Sequence[int]) -> list[list[int]]:
    """The seats of each team of two, from every seat's team."""
    sides: dict[int, list[int]] = {team: [] for team in sorted({*teams})}
    for seat, team in enumerate(teams):
        sides[team].append(seat)
    return [seats for seats in sides.values() if len(seats) == 2]


def house_rules(live: TableState, speech: Speech) -> list[tuple[str, str]]:
    """The turn clock, and the options in which a match differs from the usual: name and value."""
    clock = [(say("Turn clock"), speech.plain(in_words(live.pace)))] if live.pace else []
    unusual = [
        (option.label, _option_shown(option, live, speech))
        for option in live.game.options
        if live.options[option.name] != option.default
    ]
    return [(speech.plain(label), value) for label, value in clock + unusual]


def _option_shown(option: Option, live: TableState, speech: Speech) -> str:
    text = option.format(live.options[option.name])
    if labels := option_fields.parts(live.game).get(option.name):
        counted = zip(text.split(","), labels, strict=True)
        return ", ".join(f"{number} × {speech.plain(label)}" for number, label in counted)
    return next((speech.plain(line) for word, line in option.values if word == text), text)


# -- what devils remark ----------------------------------------------------------------------------
# A temper shows in words alone: it never changes how a devil plays.

GLAD = ("triumph", "sly")  # moods; in all others something terrible has happened
# Of each devil from the second seat on, what he says when he is glad and when he is not.
TEMPERS: Sequence[tuple[Sequence[Line], Sequence[Line]]] = (
    (  # Soot expects the worst
        (
            say("There must be a mistake. In my favour, for once."),
            say("I would smile, but it might rain."),
            say("Luck. It will pass. Everything does."),
        ),
        (
            say("I knew it. I always know it."),
            say("As expected. I have brought a handkerchief."),
            say("Even my shadow has gone home."),
        ),
    ),
    (  # Flint boasts
        (
            say("No applause, please. Well, a little."),
            say("I can do that asleep. I was asleep."),
            say("They will name a furnace after me."),
        ),
        (
            say("That was on purpose. It is a very deep plan."),
            say("My grandmother jogged my elbow."),
            say("I only wanted you all to have some hope."),
        ),
    ),
    (  # Ember takes everything to heart
        (
            say("Did you see that? DID YOU SEE THAT?"),
            say("Hold me, somebody, or I shall go up in flames!"),
            say("I must write home at once!"),
        ),
        (
            say("Farewell, cruel world!"),
            say("My heart! My horns! My supper!"),
            say("I shall never play again. Whose turn is it?"),
        ),
    ),
    (  # Pitch is polite, and keeps an account
        (
            say("How kind of you to leave that for me."),
            say("Things stick to my fingers. I cannot help it."),
            say("I have entered it in the book, under Presents."),
        ),
        (
            say("I shall remember this. Fondly, of course."),
            say("A loan. You will find the interest moderate."),
            say("Charming. Do sleep with one eye open."),
        ),
    ),
)


def remark(table: str, ply: int, seat: int, mood: str) -> Line:
    """What the devil of a seat says at a ply, the same whoever looks and whenever."""
    glad, hurt = TEMPERS[(seat - 1) % len(TEMPERS)]
    lines = glad if mood in GLAD else hurt
    return lines[crc32(f"{table} {ply}".encode()) % len(lines)]


# -- all of them ---------------------------------------------------------------------------------

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
