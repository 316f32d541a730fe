"""`Board`: what every page with a board shows of one position: the picture, choices, words, seats."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from markupsafe import Markup

from diablerie.engine.game import Amount, Game
from diablerie.table.state.table_state import LegalMove
from diablerie.web.frames.patch import parts_of, pictured
from diablerie.web.html.speech import Speech

ALWAYS_BUTTONS = 3  # so few moves always get buttons, even if the picture offers them


class SeatPanel(NamedTuple):
    """All that is shown of a seat beside the board, and the key of its part."""

    seat: int
    name: str
    badges: tuple[str, ...]
    pictured: bool  # the board shows who plays and the score
    mood: str = "grin"  # the face of the seat's devil
    what: str = ""  # stands after the name
    deciding: bool = False
    winner: bool = False
    away: bool = False  # somebody sits here who has no page open
    stand_in: bool = False
    driven: bool = False  # a bot decides for it now
    due: int = 0  # when its time to decide is over (Unix time); 0 for never
    until: str = ""  # the same in words; with scripts the page counts down instead
    table: str = ""  # the path of its commands
    tool: str = ""  # the command that the viewer has for it


@dataclass(frozen=True)
class Board:
    """One position of a game as a page shows it, in one language.

    view: what the game's `ui` has made of it, None before the game begins; moves: what may be
    decided; amount: the number to choose, if that is what is asked.
    """

    game: Game
    view: Any
    seats: int
    speech: Speech
    moves: Sequence[LegalMove] = ()
    amount: Amount | None = None

    @cached_property
    def picture(self) -> str:
        """The picture of the position: `Parted` if the game cuts it into parts."""
        moves = [move.text for move in self.moves]
        return self.game.ui.draw(self.view, moves, self.speech.plain)

    @property
    def html(self) -> Markup:
        """The picture, for a template."""
        return Markup(self.picture)

    # -- what may be decided: by the picture, by buttons, or as a number ---------------------------

    @cached_property
    def offered(self) -> list[LegalMove]:
        """The moves that can be chosen in the picture, if they are more than ALWAYS_BUTTONS."""
        if len(self.moves) <= ALWAYS_BUTTONS:
            return []
        texts = pictured(parts_of(self.picture), (move.text for move in self.moves))
        moves = [move for move in self.moves if move.text in texts]
        return moves if len(moves) > ALWAYS_BUTTONS else []

    @cached_property
    def listed(self) -> list[LegalMove]:
        """The moves that are not `offered`: they get buttons."""
        there = {move.text for move in self.offered}
        return [move for move in self.moves if move.text not in there]

    # -- in words, and beside the picture ----------------------------------------------------------

    def words(self) -> Iterator[str]:
        """The position in sentences, as parts: each heading and each sentence is one."""
        for section in self.game.description(self.view, self.seats):
            yield f"<h3>{self.speech.html(section.title)}</h3><ul>"
            yield from (f"<li>{self.speech.html(line)}</li>" for line in section.lines)
            yield "</ul>"

    def in_words(self) -> Markup:
        """The same as one text."""
        return Markup("".join(self.words()))

    def panel(self, seat: int, **more: Any) -> SeatPanel:
        """What is shown of a seat; `more` is what the position does not tell."""
        lines = [] if self.view is None else self.game.ui.panel(self.view, seat)
        badges = tuple(map(self.speech.plain, lines))
        return SeatPanel(seat, self.speech.who(seat), badges, self.game.players_shown, **more)
