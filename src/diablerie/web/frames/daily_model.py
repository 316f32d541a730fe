"""`DailyModel`: everything the page of a daily challenge shows, gathered for the templates."""

from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple

from babel.dates import format_date

from diablerie.bots.levels import LEVELS
from diablerie.daily.challenge import Challenge, JudgedAction
from diablerie.engine.game import Game
from diablerie.engine.text import Line, Section, say
from diablerie.table.state.table_state import LegalMove, PositionView
from diablerie.table.state.visitors import DEVIL_NAMES
from diablerie.web.frames.question import Choices
from diablerie.web.frames.regions import SeatPanel
from diablerie.web.html.speech import Speech, speech_for

TOP_SCORES = 3  # of the best actions are shown in the solution
TITLES = {level.name: level.title for level in LEVELS}


class ShownAction(NamedTuple):
    """An action in the solution: what its button said, of 100 games how many it wins, and why."""

    judged: JudgedAction
    label: Line
    percent: int
    why: Line | None


class ShownLevel(NamedTuple):
    """A level in the solution: its title, and whether it found the best action."""

    title: Line
    found: bool


@dataclass(frozen=True)
class DailyModel:
    """The challenge of a day in one language.

    answer: the action that the visitor chose, "" for none; solved: whether the solution is shown;
    home: the server's address.
    """

    day: date
    challenge: Challenge
    locale: str
    home: str
    answer: str = ""
    solved: bool = False
    top: int = TOP_SCORES

    @property
    def game(self) -> Game:
        """The game."""
        return self.challenge.rules

    @cached_property
    def speech(self) -> Speech:
        """How sentences become text: the visitor decides for one seat, devils have the others."""
        bare = speech_for(self.locale)
        seats = range(int(self.challenge.state.seats))
        own = self.challenge.seat
        named = (say("Robin (you)") if seat == own else DEVIL_NAMES[seat] for seat in seats)
        return speech_for(self.locale, *map(bare.plain, named))

    @cached_property
    def position(self) -> PositionView:
        """What the seat knows."""
        return PositionView(self.game, self.challenge.seat, self.challenge.state)

    # -- what is asked -----------------------------------------------------------------------------

    @cached_property
    def moves(self) -> list[LegalMove]:
        """What may be decided; nothing once the solution is shown."""
        return [] if self.solved else self.position.moves

    @cached_property
    def board(self) -> str:
        """The picture of the position."""
        moves = [move.text for move in self.moves]
        return self.game.ui.draw(self.position.view, moves, self.speech.plain)

    @cached_property
    def choices(self) -> Choices:
        """How one of them is chosen."""
        amount = self.game.amount(self.position.record, self.position.viewer)
        return Choices(self.speech, self.board, self.moves, amount)

    @property
    def description(self) -> list[Section]:
        """The position in sentences."""
        seats = int(self.challenge.state.seats)
        return list(self.game.description(self.position.view, seats))

    @property
    def seats(self) -> list[SeatPanel]:
        """What is shown of each seat beside the board, as at a table."""
        return [self._seat(seat) for seat in range(int(self.challenge.state.seats))]

    def _seat(self, seat: int) -> SeatPanel:
        own = seat == self.challenge.seat
        plain = self.speech.plain
        badges = tuple(plain(line) for line in self.game.ui.panel(self.position.view, seat))
        return SeatPanel(
            seat,
            self.speech.name(seat),
            what="" if own else plain(say("bot")),
            mood="think" if own else "sly",
            badges=badges,
            pictured=self.game.players_shown,
            deciding=own,
        )

    # -- what it is about --------------------------------------------------------------------------

    @property
    def date(self) -> str:
        """The day in words."""
        return day_in_words(self.day, self.locale)

    @property
    def theme(self) -> Line:
        """The kind of decision in a few words."""
        return theme_line(self.challenge)

    @property
    def heading(self) -> str:
        """The same with a capital letter; others, as of German nouns, stay."""
        text = self.speech.plain(self.theme)
        return text[:1].upper() + text[1:]

    @property
    def chapter(self) -> Line | None:
        """The round or phase."""
        return self.game.chapter(self.challenge.state)

    @property
    def path(self) -> str:
        """The path of the page, without an answer."""
        return f"/daily/{self.day.isoformat()}"

    # -- the solution ------------------------------------------------------------------------------

    @cached_property
    def chosen(self) -> ShownAction | None:
        """The visitor's action."""
        judged = self.challenge.judged(self.answer)
        return self._shown(judged) if judged else None

    @cached_property
    def best(self) -> ShownAction:
        """The best action."""
        return self._shown(self.challenge.best)

    @cached_property
    def ranked(self) -> list[ShownAction]:
        """The best few actions, and the visitor's."""
        judged = self.challenge.actions
        shown = [one for k, one in enumerate(judged) if k < TOP_SCORES or one.text == self.answer]
        return [self._shown(one) for one in shown]

    @property
    def found(self) -> bool:
        """Whether the visitor found the best action."""
        return self.answer == self.challenge.best.text

    @property
    def lost(self) -> int:
        """How many of 100 games the visitor's action loses, about: as the chances are shown."""
        return self.best.percent - self.chosen.percent if self.chosen else 0

    @property
    def levels(self) -> list[ShownLevel]:
        """Which levels found the best action."""
        named = self.challenge.levels
        titles = (TITLES.get(one.level, Line("{name}", {"name": one.level})) for one in named)
        return [ShownLevel(title, one.found) for title, one in zip(titles, named, strict=True)]

    @property
    def result(self) -> str:
        """What the answer was worth, in a few words that give nothing away."""
        if not self.answer:
            return self.speech.plain(say("looked at the answer"))
        if self.found:
            return self.speech.plain(say("found the best action"))
        return self.speech.plain(say("lost about {n}%", n=self.lost))

    @property
    def told(self) -> str:
        """Five lines to paste, which give nothing away."""
        finders = say(
            "{n} of {all} devils found it", n=self.challenge.finders, all=len(self.challenge.levels)
        )
        title = self.game.title
        plain = self.speech.plain
        lines = [
            f"diablerie daily {self.day.isoformat()}",
            f"{plain(title)} · {plain(self.theme)}",
            self.result,
            plain(finders),
            self.home + self.path,
        ]
        return "\n".join(lines)

    def _shown(self, judged: JudgedAction) -> ShownAction:
        s = self.challenge.state
        seat = self.challenge.seat
        action = self.game.notation.parse_action(s, seat, judged.text)
        label = self.game.ui.label(s, seat, action)
        why = self.game.reason(s, seat, action)
        return ShownAction(judged, label, percent_of(judged.chance), why)


def percent_of(chance: float) -> int:
    """A chance in percent, as it is told: neither nothing nor all is sure."""
    return min(max(round(100 * chance), 1), 99)


def theme_line(challenge: Challenge) -> Line:
    """The kind of decision in a few words: as its game says, else the name of the node."""
    kind = challenge.theme.split()[1]
    return challenge.rules.themes.get(int(challenge.state.node)) or Line("{kind}", {"kind": kind})


def day_in_words(day: date, locale: str) -> str:
    """A day as a language writes it."""
    return format_date(day, "long", locale=locale)
