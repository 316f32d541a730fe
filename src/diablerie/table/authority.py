"""The authority: every change of a table goes through here, from any thread."""

from collections.abc import Sequence
from dataclasses import replace

from diablerie.engine.text import say
from diablerie.engine.verbs import WATCHER
from diablerie.table.attendance import Presence
from diablerie.table.errors import BadInput, Forbidden, NotFound, WrongTime
from diablerie.table.export import export
from diablerie.table.hints import Hint, hints
from diablerie.table.live import OPEN, RUNNING, Live, Said
from diablerie.table.lobby import Lobby, bot_spec
from diablerie.table.logbook import Entry, Seen
from diablerie.table.playing import decide
from diablerie.table.visitors import Visitor, clean, fresh_secret, link_hash

CHAT = 300  # characters
KEPT_CHAT = 200  # lines
STAND_IN = "sensible"
ABANDONED = 30 * 24 * 3600.0


class Authority(Lobby):
    """Tables: open, join, play, talk, watch. Raises `errors.Refused` and then changes nothing.

    `client` is who asks, for the bounds of `limits` (an address); "" is not bounded.

        authority = Authority(Store(path))             # all games, the real clock
        authority.hub.subscribe(table, visitor, client)  # news, see hub.py
        Driver(authority).start()                      # bots, see driver.py
        Warm(authority).start()                        # compiles in a child process, see warm.py
    """

    # -- looking -------------------------------------------------------------------------------

    def viewer(self, live: Live, visitor: Visitor | None, seat: int | None = None) -> int:
        """The seat as which a browser looks: the one asked for, else one of its own, else WATCHER.

        Of several own seats it is the first that is to decide. Raises Forbidden for somebody
        else's seat.
        """
        own = live.seats_of(visitor)
        if seat is not None and seat != WATCHER:
            if seat not in own:
                raise Forbidden(say("This is not your seat."))
            return seat
        if seat == WATCHER or not own:
            return WATCHER
        return next((i for i in own if i in live.pending), own[0])

    def log(self, live: Live, viewer: int, since: int = 0) -> list[Entry]:
        """The log in sentences as `viewer` may read it: the plies above `since`."""
        return self.logbook.reader(live, viewer).log(live, since)

    def records(self, live: Live, viewer: int, since: int = 0) -> list[Seen]:
        """The redacted record after each ply above `since`; only the last few are kept."""
        return self.logbook.reader(live, viewer).records(live, since)

    def presence(self, live: Live) -> list[Presence]:
        """Who is here, by seat."""
        return self.attendance.of(live)

    def listing(self, limit: int = 50) -> list[Live]:
        """The public tables one may join or watch, newest first."""
        return self._lives(self.store.tables((OPEN, RUNNING), public=True, limit=limit))

    def mine(self, visitor: Visitor, limit: int = 20) -> list[Live]:
        """The tables, not over, at which this browser has a seat, newest first."""
        return self._lives(self.store.owned(visitor, limit))

    # -- playing -------------------------------------------------------------------------------

    def act(
        self,
        table: str,
        visitor: Visitor,
        seat: int,
        seq: int,
        actions: Sequence[str],
        client: str = "",
    ) -> Live:
        """Decide for an own seat: one action, or the consecutive ones of a plan or a walk.

        `seq` is `Live.seq` of the page the person saw. Answers when it is durable. Raises Stale
        (with the seq of now), Repeated, IllegalMove, BadInput, Forbidden, WrongTime.
        """
        self.limits.take("moves", client)

        def step(live: Live) -> Live:
            self._own(live, visitor, seat)
            if live.seats[seat].stand_in:
                raise Forbidden(say("A bot plays for you: take your seat back first."))
            return self._decided(live, seat, seq, actions)

        return self._change(table, step)

    def act_for(self, table: str, seat: int, seq: int, action: str) -> Live:
        """A bot decides for the seat it drives; see act."""

        def step(live: Live) -> Live:
            if not live.seats[seat].driver:
                raise Forbidden(say("This is not your seat."))
            return self._decided(live, seat, seq, [action])

        return self._change(table, step)

    def _decided(self, live: Live, seat: int, seq: int, actions: Sequence[str]) -> Live:
        if live.status == OPEN:
            raise WrongTime(say("The game has not begun."))
        return decide(live, seat, seq, actions, self.clock())

    def hints(
        self,
        live: Live,
        visitor: Visitor,
        seat: int,
        draft: Sequence[str] = (),
        client: str = "",
    ) -> list[Hint]:
        """What a devil would do on an own seat, best first; see counsel.hints. Takes its time."""
        self._own(live, visitor, seat)
        self.limits.take("hints", client)
        return hints(live, seat, draft)

    # -- seats that move -----------------------------------------------------------------------

    def link(self, table: str, visitor: Visitor, seat: int) -> str:
        """A fresh secret for an own seat's personal link; older ones stop working."""
        secret = fresh_secret()

        def step(live: Live) -> Live:
            self._own(live, visitor, seat)
            return self._reseat(live, replace(live.seats[seat], link=link_hash(secret)))

        self._change(table, step)
        return secret

    def claim(self, table: str, secret: str, visitor: Visitor) -> int:
        """Move the seat with this personal link to this browser; returns the seat."""
        seat = self.store.linked(table, link_hash(secret))
        if seat is None:
            raise NotFound(say("This link does not work (any more)."))

        def step(live: Live) -> Live:
            before = live.seats[seat]
            if before.owner == visitor:
                return live
            host = visitor if live.host == before.owner else live.host
            return self._reseat(replace(live, host=host), replace(before, owner=visitor))

        self._change(table, step)
        return seat

    def give_to_bot(self, table: str, visitor: Visitor, seat: int) -> Live:
        """A seated person lets a bot play for another who is away."""

        def step(live: Live) -> Live:
            if not live.seats_of(visitor) or live.status != RUNNING:
                raise Forbidden(say("Only the players of a running game may do that."))
            if seat not in range(len(live.seats)):
                raise NotFound(say("There is no such seat."))
            due = self.presence(live)[seat].due
            if due is None or due > self.clock():
                raise WrongTime(say("{who} is not away.", who=live.name(seat)))
            return self._reseat(live, replace(live.seats[seat], stand_in=bot_spec(STAND_IN)))

        return self._change(table, step)

    def take_back(self, table: str, visitor: Visitor, seat: int) -> Live:
        """The owner plays again himself."""

        def step(live: Live) -> Live:
            self._own(live, visitor, seat)
            return self._reseat(live, replace(live.seats[seat], stand_in=""))

        return self._change(table, step)

    # -- talking, and being there --------------------------------------------------------------

    def say(
        self, table: str, visitor: Visitor, text: str, client: str = "", seat: int | None = None
    ) -> Live:
        """A line of chat by a seated person (of one of his seats)."""
        self.limits.take("chat", client)
        shown = clean(text, CHAT)
        if not shown:
            raise BadInput(say("Say something first."))

        def step(live: Live) -> Live:
            own = live.seats_of(visitor)
            if not own or (seat is not None and seat not in own):
                raise Forbidden(say("Only the players talk here."))
            number = live.chat[-1].id + 1 if live.chat else 1
            line = Said(number, own[0] if seat is None else seat, shown, self.clock())
            return replace(live, chat=(*live.chat, line)[-KEPT_CHAT:])

        return self._change(table, step)

    def touch(self, table: str, visitor: Visitor) -> None:
        """Note that a browser was here (a page without a stream)."""
        self.attendance.touch(table, visitor)

    # -- files and housekeeping ----------------------------------------------------------------

    def export(self, live: Live, viewer: int) -> str:
        """The match file; of a running match only what `viewer` may know."""
        if live.match is None:
            raise WrongTime(say("The game has not begun."))
        return export(live, viewer, self.log(live, viewer))

    def sweep(self, older: float = ABANDONED) -> int:
        """Remove tables opened so many seconds ago and never begun; games that run are kept."""
        tables = self.store.abandoned(self.clock() - older)
        for table in tables:
            self._change(table, lambda live: None if live.status == OPEN else live)
        return len(tables)
