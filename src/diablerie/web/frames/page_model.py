"""`PageModel`: everything a table page shows one viewer, gathered for the templates."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from diablerie.compiling.rules_compiler import CompileProgress, RulesCompiler
from diablerie.engine.game import Amount, Game
from diablerie.engine.text import Line, Section, say, says
from diablerie.games import ALL
from diablerie.table.commands.hints import Hint
from diablerie.table.commands.logbook import LogEntry
from diablerie.table.commands.series import Record, Series
from diablerie.table.commands.subscriptions import Hook
from diablerie.table.errors import Refused
from diablerie.table.presence.attendance import Presence
from diablerie.table.state.nonce_exchange import grace, waited
from diablerie.table.state.seat_links import may_return
from diablerie.table.state.table_state import OPEN, OVER, RUNNING, LegalMove, TableSeat, TableState
from diablerie.table.state.take_back import may_request, may_take_back, outstanding, returner
from diablerie.table.state.transitions import may_resign
from diablerie.table.state.visitors import Visitor
from diablerie.web.frames.memo_cache import MemoCache
from diablerie.web.frames.patch import parts_of, pictured
from diablerie.web.frames.seat_panel import SeatPanel, house_rules, team_pairs
from diablerie.web.frames.viewpoint import Viewpoint
from diablerie.web.html.fairness import Fairness, fairness
from diablerie.web.html.reach import Reach
from diablerie.web.html.speech import Speech, speech_for
from diablerie.web.people.mutes import ChatView, chat_view

COMPILING = 1.0  # seconds between two looks at how far the rules are compiled
FEW = 3  # so few moves always get buttons, even if the picture offers them


def ready_in(progress: CompileProgress | None) -> Line:
    """The sentence that says how long a game takes to be ready."""
    if progress is None or progress.seconds <= 1:
        return say("The game is ready in a moment.")
    return says(
        "The game is ready in about {n} second.",
        "The game is ready in about {n} seconds.",
        progress.seconds,
    )


def _speech(tongue: str, live: TableState) -> Speech:
    bare = speech_for(tongue)
    return speech_for(tongue, *(bare.plain(live.name(info.seat)) for info in live.seats))


class Choices:
    """What may be decided on a page with a board: by the picture, by buttons, or as a number."""

    @property
    def speech(self) -> Speech:
        """How sentences become text."""
        raise NotImplementedError

    @property
    def board(self) -> str:
        """The picture of the position: `Parted` if the game cuts it into parts."""
        raise NotImplementedError

    @property
    def moves(self) -> list[LegalMove]:
        """What the viewer may do now."""
        raise NotImplementedError

    @property
    def amount(self) -> Amount | None:
        """The number to choose, if that is what is asked."""
        raise NotImplementedError

    @cached_property
    def offered(self) -> list[LegalMove]:
        """The moves that can be chosen in the picture, if they are more than FEW."""
        if len(self.moves) <= FEW:
            return []
        texts = pictured(parts_of(self.board), (move.text for move in self.moves))
        moves = [move for move in self.moves if move.text in texts]
        return moves if len(moves) > FEW else []

    @cached_property
    def listed(self) -> list[LegalMove]:
        """The moves that are not `offered`: they get buttons."""
        there = {move.text for move in self.offered}
        return [move for move in self.moves if move.text not in there]


@dataclass(frozen=True)
class PageModel(Choices):
    """One table for one viewer, in one language."""

    viewpoint: Viewpoint
    presence: Sequence[Presence]
    entries: Sequence[LogEntry]
    tongue: str
    visitor: Visitor | None
    reach: Reach  # the server's address for others, and whether the visitor may open it to them
    now: float
    memory: MemoCache  # of parts, the server's
    compiler: RulesCompiler | None = None
    deadlines: Sequence[float | None] = ()
    muted: frozenset[str] = frozenset()  # marks of players, see mutes.py
    hook: Hook | None = None
    series: Series | None = None  # of the table's group, once the game is over
    rematch: str = ""  # the table where these players go on, while it is there
    calls: bool = False  # whether this server sends notifications
    known_as: str = ""  # the name that the visitor used last
    words: bool = False  # whether the position is told in sentences, too
    # The outcome of the form that this page answers:
    refusal: Refused | None = None
    control: str = ""  # where the refusal is shown
    link: str = ""  # a personal link, shown once
    hints: Sequence[Hint] = ()  # what a devil would do, shown once

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
        """How sentences become text at this table: the language and the players' names."""
        live = self.live
        if not self.running:
            return _speech(self.tongue, live)
        key = ("speech", self.tongue, live.id, live.revision)  # plies change no name
        return cast(Speech, self.memory.get(key, lambda: _speech(self.tongue, live)))

    @property
    def until(self) -> float | None:
        """The moment (Unix time) at which the page changes without any change of the table."""
        if self.compiling is not None:
            return self.now + COMPILING
        moments = [one.due for one in self.presence if one.due and self.running and self.seated]
        moments += [self.live.waits + self.grace] * (self.seated and bool(self.fair.phase))
        return min((at for at in moments if at > self.now), default=None)

    @property
    def address(self) -> str:
        """The address of the table, which is also its invitation link."""
        return f"{self.reach.home}/t/{self.live.id}"

    @property
    def hosting(self) -> bool:
        """Whether the viewer opened this table."""
        return self.visitor is not None and self.visitor == self.live.host

    @property
    def seated(self) -> bool:
        """Whether the viewer has a seat."""
        return bool(self.viewpoint.own)

    @cached_property
    def moved(self) -> list[int]:
        """The seats that the visitor has moved to another device and may take back."""
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
        """How far the rules are compiled, if that is all the match waits for; else None."""
        full = self.live.status == OPEN and not self.live.free and not self.fair.phase
        return self.compiler.progress()[self.game.name] if full and self.compiler else None

    @cached_property
    def fair(self) -> Fairness:
        """How the players share in the dice (commit and reveal)."""
        if not self.running:
            return fairness(self.live, self.visitor)
        key = ("fair", self.live.id, self.live.revision, self.visitor)  # plies change nothing of it
        return cast(Fairness, self.memory.get(key, lambda: fairness(self.live, self.visitor)))

    @property
    def grace(self) -> float:
        """For how many seconds the table waits for the browsers' parts of the dice."""
        return grace(self.live, [one.here for one in self.presence])

    @property
    def late(self) -> bool:
        """Whether the viewer may begin without players whose browsers do not answer."""
        here = [one.here for one in self.presence]
        return self.seated and bool(self.fair.phase) and waited(self.live, self.now, here)

    # -- the board and what is asked -----------------------------------------------------------

    @property
    def moves(self) -> list[LegalMove]:
        """What the viewer may do now."""
        return self.viewpoint.moves

    @cached_property
    def board(self) -> str:
        """The picture of the position: `Parted` if the game cuts it into parts."""
        moves = [move.text for move in self.moves]
        return self.game.ui.draw(self.viewpoint.view, moves, self.speech.plain)

    @property
    def description(self) -> Sequence[Section]:
        """The position in sentences; empty if the viewer does not want it, or sees no picture."""
        seen = self.viewpoint
        if not self.words or seen.cover is not None or seen.position is None:
            return ()
        return self.game.description(seen.view, len(self.live.seats))

    @cached_property
    def asked(self) -> bool:
        """Whether the viewer is to decide."""
        return bool(self.viewpoint.position and self.viewpoint.position.asked and self.running)

    @property
    def advisable(self) -> bool:
        """Whether the viewer may ask what a devil would do."""
        return self.asked and self.live.hints

    @property
    def complete(self) -> bool:
        """Whether the draft is a whole turn, which can be sent."""
        position = self.viewpoint.position
        return bool(self.viewpoint.draft and position and not position.unfinished)

    @cached_property
    def prompt(self) -> Line:
        """The sentence above the board: what the table waits for, or what is asked."""
        if self.fair.phase:
            return say("One moment: the browsers are adding their part of the dice.")
        if self.viewpoint.position is None and not self.live.free:
            return ready_in(self.compiling)
        if self.viewpoint.position is None:
            return says("{n} seat is still open.", "{n} seats are still open.", self.live.free)
        if self.over and self.viewpoint.position.going_on:
            return say("The game is over: all other players have resigned.")
        return self.viewpoint.position.prompt

    @property
    def offers(self) -> list[Game]:
        """The games that can be played at once, while the viewer waits for this one."""
        steps = self.compiler.progress() if self.compiler and self.compiling else {}
        return [ALL[name] for name, step in steps.items() if step.ready and name in ALL]

    @cached_property
    def waiting(self) -> Line:
        """The sentence that says whom the viewer waits for."""
        names = [self.live.name(seat) for seat in self.live.pending]
        if len(names) == 1:
            return say("Waiting for {name}.", name=names[0])
        return say("Waiting for {n} players.", n=len(names))

    @property
    def relieved(self) -> int | None:
        """The viewer's seat if a bot stands in for it, else None."""
        seat, match = self.viewpoint.viewer, self.live.match
        if seat < 0 or not self.running or (match and seat in match.resigned):
            return None
        return seat if self.live.seats[seat].stand_in else None

    @cached_property
    def returner(self) -> int:
        """The seat that may take back at once, though others play, too; -1 for none."""
        live = self.live
        key = ("returner", live.id, live.version)
        return cast(int, self.memory.get(key, lambda: returner(live)))

    @cached_property
    def returnable(self) -> bool:
        """Whether the viewer may take back a decision; not while there is a draft."""
        seat = self.viewpoint.viewer
        return not self.viewpoint.draft and may_take_back(self.live, seat, self.returner)

    @cached_property
    def requestable(self) -> bool:
        """Whether the viewer may ask the others for a take-back."""
        seat = self.viewpoint.viewer
        return not self.viewpoint.draft and may_request(self.live, seat, self.returner)

    @property
    def outstanding(self) -> list[int]:
        """The seats that are still asked whether they agree to a take-back."""
        request = self.live.request if self.running else None
        return outstanding(self.live, request) if request else []

    @cached_property
    def resignable(self) -> bool:
        """Whether the viewer may resign."""
        return may_resign(self.live, self.viewpoint.viewer)

    @property
    def next_here(self) -> int | None:
        """Another person at this screen who is to decide, if the viewer is not."""
        waiting = [s for s in self.viewpoint.own if s in self.live.pending]
        return waiting[0] if waiting and not self.asked and not self.viewpoint.draft else None

    @cached_property
    def amount(self) -> Amount | None:
        """The number to choose, if that is what is asked."""
        position = self.viewpoint.position
        if position is None or not self.asked:
            return None
        return self.game.amount(position.record, position.viewer)

    @property
    def records(self) -> list[Record]:
        """The group's records in this game."""
        found = self.series.records if self.series else ()
        return [record for record in found if record.game == self.game.name]

    @cached_property
    def title(self) -> str:
        """The title of the window; it says so when it is the viewer's turn."""
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
        """The seats that have won, once the game is over; empty if all returns are equal."""
        if not self.over or self.live.match is None:
            return []
        return [seat for seat, gain in enumerate(self.live.match.returns()) if gain > 0]

    @property
    def told(self) -> list[tuple[str, Line]]:
        """The log's sentences, each with an id that never changes."""
        return [
            (f"log-{entry.ply}-{k}", line)
            for entry in self.entries
            for k, line in enumerate(entry.lines)
        ]

    @cached_property
    def chat_view(self) -> ChatView:
        """The latest lines of the chat, without those of muted players."""
        return chat_view(self.live, self.visitor, self.muted)

    @property
    def house_rules(self) -> list[tuple[str, str]]:
        """The options in which this match differs from the usual: name and value."""
        return house_rules(self.live, self.speech)
