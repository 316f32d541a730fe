"""Sentences as a page shows them: in the viewer's language, with names in the players' colours."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from diablerie.engine.naming import PieceName
from diablerie.engine.text import ENGLISH, Line, SeatRef, Translations, render_line
from diablerie.table.state.table_state import TableState
from diablerie.web.people import language

# While a sentence is translated and escaped, a seat or a piece is a mark of private use characters,
# which no name or chat contains (`visitors.clean` removes them).
MARK_OPENING = "\ue000"
MARK_CLOSING = "\ue001"
PIECE_OPENING = "\ue002"
SPEECH_MARK = re.compile(f"{MARK_OPENING}(\\d+){MARK_CLOSING}")
PIECE_MARK = re.compile(f"{PIECE_OPENING}([\\w-]+) (\\w+){MARK_CLOSING}")


@dataclass(frozen=True)
class Speech:
    """How sentences (`Line`) become text: a language, and the players' names in seat order."""

    texts: Translations = ENGLISH
    names: Sequence[str] = ()
    me: int = -1  # the seat of a reader without a name

    def name(self, seat: int) -> str:
        """The name shown for a seat."""
        given = self.names[seat] if 0 <= seat < len(self.names) else ""
        return given or self.texts.gettext("Player {n}").format(n=seat + 1)

    def who(self, seat: int) -> str:
        """The name where it stands alone: the reader is “You”."""
        return self.texts.gettext("You") if seat == self.me else self.name(seat)

    def at(self, live: TableState, own: Sequence[int] = ()) -> "Speech":
        """The same with the names of a table's players, for a reader whose seats are `own`."""
        return Speech(self.texts, self.names_at(live), nameless_reader(live, own))

    def names_at(self, live: TableState) -> tuple[str, ...]:
        """The names of a table's players."""
        return tuple(self.plain(live.name(info.seat)) for info in live.seats)

    def plain(self, line: Line) -> str:
        """The sentence as text."""
        who = line.values.get("who")
        if line.text == "{who}" and isinstance(who, SeatRef):
            return self.who(who)
        return render_line(line, self.texts, self.name)

    def html(self, line: Line) -> Markup:
        """The sentence as HTML, with players' names set in their colours, and pieces to be found."""
        text = escape(render_line(_marked(line), self.texts, lambda seat: _mark(int(seat))))
        if PIECE_OPENING in text:
            text = Markup(PIECE_MARK.sub(_named, text))
        if MARK_OPENING not in text:
            return text
        return Markup(SPEECH_MARK.sub(lambda m: self.html_name(int(m[1])), text))

    def html_name(self, seat: int) -> Markup:
        """The name of a seat's player, in the seat's colour."""
        return _coloured(seat, self.name(seat))


def _mark(seat: int) -> str:
    return f"{MARK_OPENING}{seat}{MARK_CLOSING}"


def _marked(line: Line) -> Line:
    """The sentence with a mark for each piece that it names, itself or by a sentence within it."""
    values = {name: _marked_value(value) for name, value in line.values.items()}
    return line._replace(values=values)


def _marked_value(value: Any) -> Any:
    if isinstance(value, Line):
        return _marked(value)
    if isinstance(value, PieceName):
        return f"{PIECE_OPENING}{value.piece} {value.word}{MARK_CLOSING}"
    return value


def _named(found: re.Match[str]) -> str:
    """What names.js finds, so that the piece shows its number."""
    return f'<span data-names="{found[1]}">{found[2]}</span>'


def nameless_reader(live: TableState, own: Sequence[int]) -> int:
    """The seat of a reader with these seats, if it is one and has no name; else -1."""
    return own[0] if len(own) == 1 and not live.seats[own[0]].name else -1


@lru_cache(1024)
def _coloured(seat: int, name: str) -> Markup:
    return Markup('<b class="who seat-{}">{}</b>').format(seat, name)


@lru_cache(1024)
def speech_for(locale: str, *names: str, me: int = -1) -> Speech:
    """The `Speech` of a language, these names and the seat of a reader without one.

    Equal arguments give the same object. Drawings are cached by it.
    """
    return Speech(language.texts(locale), names, me)
