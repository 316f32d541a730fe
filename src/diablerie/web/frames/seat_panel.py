"""The region of the seats: `SeatPanel` is what is shown of each; and the house rules of a table."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from babel.dates import format_datetime

from diablerie.engine.options import Option
from diablerie.engine.text import say
from diablerie.table.commands.seats import may_return
from diablerie.table.state.table_state import DECIDERS, OPEN_SEAT, PROGRAM, TableSeat, TableState
from diablerie.table.state.turn_clock import in_words
from diablerie.web.frames.memo_cache import MEMOS_KEPT
from diablerie.web.frames.table_page import PLACE_MARK, Page
from diablerie.web.html import templates
from diablerie.web.html.speech import Speech


class SeatPanel(NamedTuple):
    """All that is shown of a seat beside the board, and the key of its part."""

    seat: int
    name: str
    what: str  # stands after the name
    mood: str  # the face of the seat's devil
    badges: tuple[str, ...]
    pictured: bool  # the board shows who plays and the score
    deciding: bool
    winner: bool = False
    away: bool = False  # somebody sits here who has no page open
    stand_in: bool = False
    due: int = 0  # when its time to decide is over (Unix time); 0 for never
    until: str = ""  # the same in words; with scripts the page counts down instead
    table: str = ""  # the path of its commands
    tool: str = ""  # the command that the viewer has for it


def seats_region(page: Page) -> tuple[str, ...]:
    """The players, a part each."""
    live = page.live
    refused = bool(page.answer.refusal and page.answer.control == "give")
    locale = page.recipient.locale
    moved = _moved(page)
    pairs = team_pairs(live.game.teams(len(live.seats)))

    def shell() -> list[str]:
        return page.render("seats", moved=moved, pairs=pairs).split(PLACE_MARK)

    key = ("seats", live.id, locale, moved, (pairs or moved) and page.speech.names)
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
    seen = page.viewpoint
    context = page.context
    plain = page.speech.plain
    presence = context.presence[info.seat]
    due = context.deadlines[info.seat]
    own = info.seat in seen.own
    away = info.kind in DECIDERS and not (presence.here or own)
    late = presence.due is not None and context.now >= presence.due
    spare = late and page.running and page.seated and not info.driver
    deciding = page.running and info.seat in page.live.pending
    winner = info.seat in page.winners
    badges = page.game.ui.panel(seen.view, info.seat) if seen.position else []
    until = ""
    if due:
        at = datetime.fromtimestamp(due, UTC)
        until = format_datetime(at, "d MMM, HH:mm", locale=page.recipient.locale)
    return SeatPanel(
        info.seat,
        page.speech.who(info.seat),
        _what(page, info, own),
        _mood(info, winner, deciding, away),
        tuple(map(plain, badges)),
        page.game.players_shown,
        deciding=deciding,
        winner=winner,
        away=away,
        stand_in=bool(info.stand_in),
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
    if page.hosting and not begun and not own and info.kind != OPEN_SEAT:
        return "free"
    if own and info.stand_in:
        return "relieve_bot"
    return "leave" if own and not begun and page.live.free else ""


def team_pairs(teams: Sequence[int]) -> list[list[int]]:
    """The seats of each team of two, from every seat's team."""
    sides = [[seat for seat, side in enumerate(teams) if side == team] for team in sorted({*teams})]
    return [seats for seats in sides if len(seats) == 2]


def house_rules(live: TableState, speech: Speech) -> list[tuple[str, str]]:
    """The turn clock, and the options in which a match differs from the usual: name and value."""
    clock = [(say("Turn clock"), speech.plain(in_words(live.pace)))] if live.pace else []
    unusual = [
        (option.label, _shown(option, live, speech))
        for option in live.game.options
        if live.options[option.name] != option.default
    ]
    return [(speech.plain(label), value) for label, value in clock + unusual]


def _shown(option: Option, live: TableState, speech: Speech) -> str:
    text = option.format(live.options[option.name])
    return next((speech.plain(line) for word, line in option.values if word == text), text)
