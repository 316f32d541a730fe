"""Before the start, and between matches: tables opened, seats taken and left, the start."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from diablerie.bots.spec import BadSpec, parse
from diablerie.engine.fair import Fair
from diablerie.engine.game import Game
from diablerie.engine.options import BadOption, settle
from diablerie.engine.text import say
from diablerie.table import rows
from diablerie.table.core import Change, Core
from diablerie.table.errors import BadInput, Forbidden, WrongTime
from diablerie.table.live import BOT, EMPTY, OPEN, OVER, PERSON, Live, SeatInfo
from diablerie.table.playing import begin
from diablerie.table.visitors import Visitor, clean, fresh_id, fresh_nonce

HERE = "me"  # in a plan: this browser's seat


class Lobby(Core):
    """See Authority."""

    def open_table(
        self,
        visitor: Visitor,
        game: str,
        plan: Sequence[str],
        *,
        options: Mapping[str, str] | None = None,
        names: Sequence[str] = (),
        public: bool = False,
        client: str = "",
    ) -> Live:
        """A new table. `plan` says for each seat: "me" (this browser; several share the screen),
        "open", or a bot's spec such as "sensible". It starts at once if no seat is open.
        """
        self.limits.take("tables", client)
        chosen = self._game(game, len(plan), options or {})
        seats = tuple(
            _planned(i, what, names[i] if i < len(names) else "", visitor)
            for i, what in enumerate(plan)
        )
        settled = settle(chosen.options, options or {})
        return self._open(self._fresh(chosen, settled, public, visitor, seats))

    def _game(self, name: str, seats: int, options: Mapping[str, str]) -> Game:
        if name not in self.games:
            raise BadInput(say("There is no game “{name}”.", name=name[:60]))
        try:
            self.games[name].start(seats, options)
        except BadOption as error:
            raise BadInput(error.line) from error
        return self.games[name]

    def _fresh(
        self,
        game: Game,
        options: Mapping[str, object],
        public: bool,
        host: Visitor,
        seats: tuple[SeatInfo, ...],
    ) -> tuple[Live, bytes]:
        fair, now = Fair.fresh(), self.clock()
        live = Live(
            fresh_id(), game, options, OPEN, public, host, fair.commitment, now, seats
        )
        return live, fair.key

    def _open(self, made: tuple[Live, bytes]) -> Live:
        live, key = made
        started = self._started(live, key)
        writes = rows.created(live, key)
        if started is not live:
            writes += rows.played(live, started)
        kept = self._commit(Change(started, writes))
        self._tell(kept)
        return kept

    def _started(self, live: Live, key: bytes | None = None) -> Live:
        """The table with its match begun, if all seats are taken and its rules are compiled."""
        if any(info.kind == EMPTY for info in live.seats) or not self.ready(live.game.name):
            return live
        return begin(live, key or self.store.key(live.id), self.clock())

    def _reseat(self, live: Live, *infos: SeatInfo) -> Change:
        """A change of seats, and the start if they were the last."""
        seats = list(live.seats)
        writes = [rows.seated(live.id, seats[info.seat], info) for info in infos]
        for info in infos:
            seats[info.seat] = info
        changed = replace(live, seats=tuple(seats))
        if live.status != OPEN:
            return Change(changed, writes)
        started = self._started(changed)
        if started is not changed:
            writes += rows.played(changed, started)
        return Change(started, writes)

    def start_waiting(self, game: str) -> None:
        """Start the full tables that waited for this game's rules to be compiled."""
        for table in self.store.tables((OPEN,), game=game):
            self._change(table, lambda live: self._reseat(live) if live.status == OPEN
                         else Change(live))  # fmt: skip

    def sit(
        self, table: str, visitor: Visitor, seat: int | None = None, name: str = "", nonce: str = ""
    ) -> Live:
        """Take an open seat (None: the first). The game starts when the last is taken."""

        def step(live: Live) -> Change:
            free = [info.seat for info in live.seats if info.kind == EMPTY]
            if not free or live.status != OPEN:
                raise WrongTime(say("All seats are taken."))
            chosen = free[0] if seat is None else seat
            if chosen not in free:
                raise WrongTime(say("This seat is taken."))
            return self._reseat(live, _person(chosen, name, visitor, nonce))

        return self._change(table, step)

    def leave(self, table: str, visitor: Visitor, seat: int) -> None:
        """Leave a seat before the start; a table that the last person leaves is removed."""

        def step(live: Live) -> Change:
            self._own(live, visitor, seat)
            if live.status != OPEN:
                raise WrongTime(say("The game has begun: it waits for you, or a bot plays on."))
            if all(s.kind != PERSON or s.seat == seat for s in live.seats):
                return Change(live, rows.removed(table))
            return self._reseat(live, SeatInfo(seat))

        if not any(info.kind == PERSON for info in self._change(table, step).seats if info.seat != seat):
            self.refresh(table)

    def fill(self, table: str, visitor: Visitor, bot: str = "sensible") -> Live:
        """The host fills the open seats with bots, which starts the game."""
        spec = bot_spec(bot)

        def step(live: Live) -> Change:
            if visitor != live.host:
                raise Forbidden(say("Only who opened the table may fill it."))
            if live.status != OPEN:
                raise WrongTime(say("The game has begun."))
            free = [info.seat for info in live.seats if info.kind == EMPTY]
            return self._reseat(live, *(_bot(i, spec) for i in free))

        return self._change(table, step)

    def rename(self, table: str, visitor: Visitor, seat: int, name: str) -> Live:
        """Call the player of an own seat otherwise."""

        def step(live: Live) -> Change:
            self._own(live, visitor, seat)
            return self._reseat(live, replace(live.seats[seat], name=clean(name)))

        return self._change(table, step)

    def rematch(self, table: str, visitor: Visitor) -> Live:
        """The same players again; asked twice, the same new table."""
        made: list[tuple[Live, bytes]] = []

        def step(live: Live) -> Change:
            if not live.seats_of(visitor):
                raise Forbidden(say("Only the players may ask for another game."))
            if live.status != OVER:
                raise WrongTime(say("This game is not over yet."))
            if live.rematch:
                return Change(live)
            seats = tuple(_again(info) for info in live.seats)
            fresh, key = self._fresh(live.game, live.options, live.public, live.host, seats)
            writes = [*rows.created(fresh, key), rows.continued(live, fresh.id)]
            started = self._started(fresh, key)
            if started is not fresh:
                writes += rows.played(fresh, started)
            return Change(replace(live, rematch=fresh.id), writes)

        next_table = self._change(table, step).rematch
        live = self.live(next_table)
        self._tell(live)
        return live


def bot_spec(text: str) -> str:
    """A bot's spec, checked. Raises BadInput."""
    try:
        parse(text)
    except BadSpec as error:
        raise BadInput(error.line) from error
    return text.strip()


def _planned(seat: int, what: str, name: str, visitor: Visitor) -> SeatInfo:
    if what == EMPTY:
        return SeatInfo(seat)
    return _person(seat, name, visitor) if what == HERE else _bot(seat, bot_spec(what), name)


def _person(seat: int, name: str, visitor: Visitor, nonce: str = "") -> SeatInfo:
    return SeatInfo(seat, PERSON, clean(name), visitor, nonce=clean(nonce, 64) or fresh_nonce())


def _bot(seat: int, spec: str, name: str = "") -> SeatInfo:
    return SeatInfo(seat, BOT, clean(name), None, spec, nonce=fresh_nonce())


def _again(info: SeatInfo) -> SeatInfo:
    return replace(info, stand_in="", nonce=fresh_nonce())
