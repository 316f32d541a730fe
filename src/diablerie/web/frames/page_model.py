"""`PageModel`: everything a table page shows one viewer, gathered for the templates."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from diablerie.engine.game import Amount, Game
from diablerie.engine.text import Line, say, says
from diablerie.table.bots.compile_rules import CompileProgress, RulesCompiler
from diablerie.table.commands.hints import Hint
from diablerie.table.commands.logbook import LogEntry
from diablerie.table.commands.subscriptions import Hook
from diablerie.table.errors import Refused
from diablerie.table.presence.attendance import Presence
from diablerie.table.state.nonce_exchange import GRACE, waited
from diablerie.table.state.seat_links import may_return
from diablerie.table.state.table_state import OPEN, OVER, RUNNING, LegalMove, TableSeat, TableState
from diablerie.table.state.take_back import may_take_back
from diablerie.table.state.transitions import may_resign
from diablerie.table.state.visitors import Visitor
from diablerie.web.frames.memo_cache import MemoCache
from diablerie.web.frames.patch import parts_of, pictured
from diablerie.web.frames.seat_panel import SeatPanel, house_rules, team_pairs
from diablerie.web.frames.viewpoint import Viewpoint
from diablerie.web.html.fairness import Fairness, fairness
from diablerie.web.html.speech import Speech, speech_for
from diablerie.web.people.mutes import Manners, manners

COMPILING = 1.0  # seconds after which it is shown how far the rules are
FEW = 3  # buttons that stand beside the picture in any case: a question with its answers


@dataclass(frozen=True)
class PageModel:
    """One table for one viewer, in one language."""

    viewpoint: Viewpoint
    presence: Sequence[Presence]
    entries: Sequence[LogEntry]
    tongue: str
    visitor: Visitor | None
    home: str  # the server's address, as the visitor knows it, without a slash at the end
    now: float
    memory: MemoCache  # of parts, the server's
    warm: RulesCompiler | None = None
    deadlines: Sequence[float | None] = ()
    muted: frozenset[str] = frozenset()  # marks of players, see manners.py
    hook: Hook | None = None
    calls: bool = False  # whether this server calls anybody
    known_as: str = ""  # what the visitor was called last
    refusal: Refused | None = None
    control: str = ""  # where the refusal is shown
    link: str = ""  # a personal link, shown once
    hints: Sequence[Hint] = ()  # what a devil would do, shown once

    def after(
        self, refusal: Refused | None, control: str, link: str = "", hints: Sequence[Hint] = ()
    ) -> "PageModel":
        """The model with the answer to what was just tried."""
        return replace(self, refusal=refusal, control=control, link=link, hints=hints)

    @property
    def live(self) -> TableState:
        """The table."""
        return self.viewpoint.live

    @property
    def game(self) -> Game:
        """The game played there."""
        return self.live.game

    @cached_property
    def speech(self) -> Speech:
        """How lines are told here."""
        bare, live = speech_for(self.tongue), self.live
        return speech_for(self.tongue, *(bare.plain(live.name(s.seat)) for s in live.seats))

    @property
    def until(self) -> float | None:
        """The moment at which the page will show something else, if there are no news."""
        if self.compiling is not None:
            return self.now + COMPILING
        moments = [at.due for at in self.presence if at.due and self.running and self.seated]
        moments += [self.live.waits + GRACE] * (self.seated and bool(self.fair.phase))
        return min((at for at in moments if at > self.now), default=None)

    @property
    def address(self) -> str:
        """The table's link, which is the invitation."""
        return f"{self.home}/t/{self.live.id}"

    @property
    def hosting(self) -> bool:
        """Whether the viewer opened this table."""
        return self.visitor is not None and self.visitor == self.live.host

    @property
    def seated(self) -> bool:
        """Whether the viewer has a seat."""
        return bool(self.viewpoint.own)

    @property
    def moved(self) -> list[int]:
        """The seats that have moved from here to another device, and may come back."""
        seats = self.live.seats
        return [
            s.seat
            for s in seats
            if may_return(self.live.id, s, self.visitor) and s.seat not in self.viewpoint.own
        ]

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.live.status == OVER

    @property
    def running(self) -> bool:
        """Whether the game is being played."""
        return self.live.status == RUNNING

    @property
    def compiling(self) -> CompileProgress | None:
        """How far the rules are, if the game waits for nothing else."""
        full = self.live.status == OPEN and not self.vacant and not self.fair.phase
        return self.warm.progress()[self.game.name] if full and self.warm else None

    @cached_property
    def fair(self) -> Fairness:
        """The shares that people have in the dice."""
        return fairness(self.live, self.visitor)

    @property
    def late(self) -> bool:
        """Whether the viewer may begin without those who do not answer."""
        return self.seated and bool(self.fair.phase) and waited(self.live, self.now)

    @property
    def vacant(self) -> int:
        """How many seats are open."""
        return self.live.free

    # -- the board and what is asked -----------------------------------------------------------

    @cached_property
    def board(self) -> str:
        """The picture, `Parted` where the game has cut it."""
        moves = [move.text for move in self.viewpoint.moves]
        return self.game.ui.draw(self.viewpoint.view, moves, self.speech.plain)

    @cached_property
    def offered(self) -> list[LegalMove]:
        """The moves that the picture offers as well as a list can, if they are many."""
        if len(self.viewpoint.moves) <= FEW:
            return []
        there = pictured(parts_of(self.board), (move.text for move in self.viewpoint.moves))
        found = [move for move in self.viewpoint.moves if move.text in there]
        return found if len(found) > FEW else []

    @property
    def listed(self) -> list[LegalMove]:
        """The other moves."""
        there = {move.text for move in self.offered}
        return [move for move in self.viewpoint.moves if move.text not in there]

    @property
    def asked(self) -> bool:
        """Whether the viewer is to decide."""
        return bool(self.viewpoint.position and self.viewpoint.position.asked and self.running)

    @property
    def advisable(self) -> bool:
        """Whether the viewer may ask what a devil would do."""
        return self.asked and self.live.hints

    @property
    def complete(self) -> bool:
        """Whether a draft is thought through and can be sent."""
        position = self.viewpoint.position
        return bool(self.viewpoint.draft and position and not position.unfinished)

    @property
    def prompt(self) -> Line:
        """What is going on and what is asked."""
        if self.fair.phase:
            return say("A moment: the browsers throw in their part of the dice.")
        if self.viewpoint.position is None and not self.vacant:
            return say("A moment: the rules are being compiled for the first time.")
        if self.viewpoint.position is None:
            return says("{n} seat is still open.", "{n} seats are still open.", self.vacant)
        if self.over and self.viewpoint.position.going_on:
            return say("The game is over: all others have resigned.")
        return self.viewpoint.position.prompt

    @property
    def waiting(self) -> Line:
        """For whom the viewer waits."""
        names = [self.live.name(seat) for seat in self.live.pending]
        if len(names) == 1:
            return say("Waiting for {name}.", name=names[0])
        return say("Waiting for {n} players.", n=len(names))

    @property
    def relieved(self) -> int | None:
        """The viewer's seat, if a bot plays for it now, until its player comes back."""
        seat, match = self.viewpoint.viewer, self.live.match
        if seat < 0 or not self.running or (match and seat in match.resigned):
            return None
        return seat if self.live.seats[seat].stand_in else None

    @property
    def returnable(self) -> bool:
        """Whether the viewer may take something back; not while a plan is thought of."""
        return not self.viewpoint.draft and may_take_back(self.live, self.viewpoint.viewer)

    @property
    def resignable(self) -> bool:
        """Whether the viewer's giving up would end the game."""
        return may_resign(self.live, self.viewpoint.viewer)

    @property
    def next_here(self) -> int | None:
        """Another person at this screen who is to decide, if the viewer is not."""
        waiting = [s for s in self.viewpoint.own if s in self.live.pending]
        return waiting[0] if waiting and not self.asked and not self.viewpoint.draft else None

    @property
    def amount(self) -> Amount | None:
        """The number to choose, if that is what is asked."""
        position = self.viewpoint.position
        if position is None or not self.asked:
            return None
        return self.game.ui.amount(position.record, position.viewer)

    @property
    def title(self) -> str:
        """The title of the window: it calls for the viewer who is to decide."""
        name = self.speech.plain(self.game.title)
        if self.viewpoint.cover is None and not self.asked:
            return name
        return self.speech.plain(say("Your turn: {game}", game=name))

    # -- around the board ------------------------------------------------------------------------

    @property
    def panels(self) -> list[SeatPanel]:
        """What is shown of each seat, in order."""
        return [self._panel(info) for info in self.live.seats]

    @property
    def pairs(self) -> list[list[int]]:
        """The seats of those who play as partners, pair by pair."""
        return team_pairs(self.game.teams(len(self.live.seats)))

    def _panel(self, info: TableSeat) -> SeatPanel:
        presence, seen = self.presence[info.seat], self.viewpoint
        late = presence.due is not None and self.now >= presence.due
        return SeatPanel(
            info=info,
            name=self.speech.name(info.seat),
            own=info.seat in seen.own,
            shared=seen.shared,
            deciding=self.running and info.seat in self.live.pending,
            winner=info.seat in self.winners,
            badges=self.game.ui.panel(seen.view, info.seat) if seen.position else [],
            presence=presence,
            spare=late and self.running and self.seated and not info.driver,
            due=self.deadlines[info.seat] if self.deadlines else None,
        )

    @cached_property
    def winners(self) -> list[int]:
        """Who has won, once it is over; nobody if all are equal."""
        if not self.over or self.live.match is None:
            return []
        return [seat for seat, gain in enumerate(self.live.match.returns()) if gain > 0]

    @property
    def told(self) -> list[tuple[str, Line]]:
        """The log's sentences, each with an id that stays."""
        return [
            (f"log-{entry.ply}-{k}", line)
            for entry in self.entries
            for k, line in enumerate(entry.lines)
        ]

    @cached_property
    def manners(self) -> Manners:
        """The latest of the chat, as this browser wants it."""
        return manners(self.live, self.visitor, self.muted)

    @property
    def house_rules(self) -> list[tuple[str, str]]:
        """The options in which this match differs from the usual: name and value."""
        return house_rules(self.live, self.speech)
