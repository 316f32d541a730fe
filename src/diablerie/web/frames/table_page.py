"""`Page`: what the regions of a table's page have in common, for one viewer in one language.

What one region shows besides is a small model, made by a function that takes the page.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from diablerie.compiling.rules_compiler import CompileProgress, RulesCompiler
from diablerie.engine.game import Game
from diablerie.engine.text import Line, say
from diablerie.table.commands.decisions import Hint
from diablerie.table.commands.history import Series
from diablerie.table.commands.logbook import LogEntry
from diablerie.table.commands.subscriptions import Hook
from diablerie.table.errors import Refused
from diablerie.table.presence.hub import Presence
from diablerie.table.state.nonce_exchange import grace
from diablerie.table.state.table_state import BOT, FINISHED_TABLE, OPEN_TABLE, RUNNING, TableState
from diablerie.table.state.visitors import Visitor
from diablerie.web.frames.memo_cache import MemoCache
from diablerie.web.frames.viewpoint import Viewpoint
from diablerie.web.html import endings, templates
from diablerie.web.html.fairness import Fairness, fairness
from diablerie.web.html.reach import Reach
from diablerie.web.html.speech import Speech, speech_for

PLACE_MARK = "\0"  # marks the place in a template where parts are put in that are made apart
COMPILING_LOOK_SECONDS = 1.0  # seconds between two looks at how far the rules are compiled
# Of the seats, as tokens.css has them; the last is black by day and white by night.
SEAT_COLOURS = (
    say("yellow"),
    say("violet"),
    say("blue"),
    say("green"),
    say("red"),
    say("the ring"),
)


class Recipient(NamedTuple):
    """All of a browser that the content of a page depends on."""

    visitor: Visitor | None
    locale: str
    reach: Reach = Reach()  # the server's address for others, and who may open it to them
    muted: frozenset[str] = frozenset()  # marks of players, see mutes.py
    calls: bool = False  # whether this server sends notifications
    known_as: str = ""  # the name that the visitor used last
    asked_at: str = ""  # the table at which this browser is asked for a name
    words: bool = False  # whether the position is told in sentences, too


class PageContext(NamedTuple):
    """What a page shows that changes without a change of the table."""

    now: float
    presence: Sequence[Presence]
    deadlines: Sequence[float | None]
    hook: Hook | None
    series: Series | None  # of the table's group, when the game is over
    rematch: str  # the table where these players go on, while it is there


class FormAnswer(NamedTuple):
    """The outcome of the form that a page answers."""

    refusal: Refused | None = None
    control: str = ""  # where the refusal is shown
    link: str = ""  # a personal link, shown once
    hints: Sequence[Hint] = ()  # what a devil would do, shown once


NO_FORM = FormAnswer()


@dataclass(frozen=True)
class Page:
    """One table for one viewer."""

    viewpoint: Viewpoint
    recipient: Recipient
    context: PageContext
    entries: Sequence[LogEntry]  # the latest of the log
    memory: MemoCache  # of parts, the server's
    compiler: RulesCompiler | None = None
    answer: FormAnswer = NO_FORM

    @property
    def live(self) -> TableState:
        """The table."""
        return self.viewpoint.live

    @property
    def game(self) -> Game:
        """The game played there."""
        return self.live.game

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.live.status == FINISHED_TABLE

    @property
    def running(self) -> bool:
        """Whether the game is being played."""
        return self.live.status == RUNNING

    @property
    def seated(self) -> bool:
        """Whether the viewer has a seat."""
        return bool(self.viewpoint.own)

    @property
    def sociable(self) -> bool:
        """Whether somebody else plays, or may sit down."""
        own = self.viewpoint.own
        return any(info.kind != BOT and info.seat not in own for info in self.live.seats)

    @property
    def nameless(self) -> int | None:
        """The viewer's seat, if its player is to be asked for a name while the game runs."""
        seat = self.viewpoint.viewer
        seen = self.viewpoint
        asking = self.running and seat >= 0
        asking &= seen.shared or self.recipient.asked_at == self.live.id
        return seat if asking and not self.live.seats[seat].name else None

    @property
    def hosting(self) -> bool:
        """Whether the viewer opened this table."""
        return self.recipient.visitor == self.live.host

    @cached_property
    def asked(self) -> bool:
        """Whether the viewer is to decide."""
        return bool(self.viewpoint.position and self.viewpoint.position.asked and self.running)

    @property
    def deciding(self) -> bool:
        """Whether the viewer is to decide, or to send a whole plan or call it off."""
        position = self.viewpoint.position
        return self.asked or bool(self.running and position and position.plan)

    @property
    def address(self) -> str:
        """The address of the table, which is also its invitation link."""
        return f"{self.recipient.reach.home}/t/{self.live.id}"

    @cached_property
    def title(self) -> str:
        """The title of the window; it says so when it is the viewer's turn."""
        name = self.speech.plain(self.game.title)
        if self.viewpoint.cover is None and not self.deciding:
            return name
        return self.speech.plain(say("Your turn: {game}", game=name))

    @cached_property
    def board(self) -> str:
        """The picture of the position: `Parted` if the game cuts it into parts."""
        moves = [move.text for move in self.viewpoint.moves]
        return self.game.ui.draw(self.viewpoint.view, moves, self.speech.plain)

    @cached_property
    def winners(self) -> list[int]:
        """The seats that have won, once the game is over; empty if all returns are equal."""
        return endings.winners(self.live.match) if self.over and self.live.match else []

    @cached_property
    def ending(self) -> endings.Ending:
        """What is told of the end, once the game is over."""
        match = self.live.match
        own = self.viewpoint.own
        assert match
        key = ("turn", self.live.id, self.live.ply)
        (turning,) = self.memory.get(key, lambda: (endings.turning_step(match),))
        return endings.ending(match, self.speech, own, turning)

    # -- before the start --------------------------------------------------------------------------

    @property
    def compiling(self) -> CompileProgress | None:
        """How far the rules are compiled, if that is all the match waits for; else None."""
        full = self.live.status == OPEN_TABLE and not self.live.free and not self.fair.phase
        return self.compiler.progress()[self.game.name] if full and self.compiler else None

    @cached_property
    def fair(self) -> Fairness:
        """How the players share in the dice (commit and reveal)."""
        live = self.live
        visitor = self.recipient.visitor
        if not self.running:
            return fairness(live, visitor)
        key = ("fair", live.id, live.revision, visitor)  # plies change nothing of it
        return self.memory.get(key, lambda: fairness(live, visitor))

    @property
    def grace(self) -> float:
        """For how many seconds the table waits for the browsers' parts of the dice."""
        return grace(self.live, [there.here for there in self.context.presence])

    @property
    def until(self) -> float | None:
        """The moment (Unix time) at which the page changes without any change of the table."""
        now = self.context.now
        presence = self.context.presence
        if self.compiling is not None:
            return now + COMPILING_LOOK_SECONDS
        moments = [who.due for who in presence if who.due and self.running and self.seated]
        moments += [self.live.waits + self.grace] * (self.seated and bool(self.fair.phase))
        return min((at for at in moments if at > now), default=None)

    # -- text --------------------------------------------------------------------------------------

    @property
    def colour(self) -> Line:
        """The viewer's colour: that of the seat, unless the view tells another (`own`)."""
        return SEAT_COLOURS[getattr(self.viewpoint.view, "own", 0) or self.viewpoint.viewer]

    @cached_property
    def speech(self) -> Speech:
        """How sentences become text at this table: the language and the players' names.

        A viewer without a name is called by colour, since sentences are in the third person.
        """
        locale = self.recipient.locale
        known = speech_for(locale).at(self.live, self.viewpoint.own)
        names = [*known.names]
        if known.me >= 0:
            names[known.me] = known.plain(self.colour).capitalize()
        return speech_for(locale, *names, me=known.me)

    def render(self, template: str, **context: object) -> str:
        """A template below `parts`, about this page."""
        return templates.render_template(
            self.recipient.locale,
            f"parts/{template}.html",
            page=self,
            speech=self.speech,
            cut=PLACE_MARK,
            **context,
        )

    def clause_link(self, line: Line) -> str:
        """The link to the clause of a line of the log."""
        locale = self.recipient.locale
        game = self.game
        bare = Line("", {}, "", line.clause)  # the link is the same for all lines of a clause

        def link() -> str:
            return str(templates.macro(locale, "clause")(bare, game, True))

        return self.memory.get(("clause", locale, game.name, line.clause), link)
