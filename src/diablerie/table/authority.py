"""The authority: every change of a table goes through its parts, from any thread."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from diablerie.engine.game import Game
from diablerie.engine.text import say
from diablerie.games import ALL
from diablerie.table.commands.chat import Chat
from diablerie.table.commands.devices import Devices
from diablerie.table.commands.erase import Erase
from diablerie.table.commands.export import export, raw
from diablerie.table.commands.history import History
from diablerie.table.commands.hosting import Hosting
from diablerie.table.commands.lobby import Lobby
from diablerie.table.commands.logbook import Logbook, LogEntry, Seen
from diablerie.table.commands.play import Play
from diablerie.table.commands.reports import Reports
from diablerie.table.commands.seats import Seats
from diablerie.table.commands.subscriptions import Subscriptions
from diablerie.table.commands.tokens import Tokens
from diablerie.table.errors import Forbidden, NotFound, UnreadableTable, WrongTime
from diablerie.table.node import Node
from diablerie.table.presence.attendance import AWAY, Presence
from diablerie.table.state.table_state import OPEN, RUNNING, TableState
from diablerie.table.state.visitors import Visitor
from diablerie.table.storage.store import Store
from diablerie.table.tables import Tables

ABANDONED = 60 * 24 * 3600  # seconds without a change until an open table is removed


class Authority:
    """Tables: open, join, play, talk, watch. Raises `errors.Refused` and then changes nothing.

    `client` is who asks, for the bounds of `limits` (an address); "" is not bounded.

        authority = Authority(Store(path))               # all games, the real clock
        live = authority.lobby.open_table(…)             # and sit, leave, fill, rematch, explore
        authority.play.act(…)                            # decisions, hints
        authority.seats.link(…)                          # seats that move
        authority.erase.table(…)                         # tables and names, for good
        authority.tokens.make(…)                         # programs that play
        authority.hub.subscribe(table, visitor, client)  # news, see hub.py
        Driver(authority).start()                        # bots, see driver.py
        Deadlines(authority.tables).start()              # turn clocks, see deadlines.py
        Waiting(authority.tables).start()                # full tables begin, see waiting.py
        Warm(authority).start()                          # compiles in a child, see warm.py
    """

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game] = ALL,
        *,
        clock: Callable[[], float] | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        ready: Callable[[str], bool] = lambda _: True,
        away_after: float = AWAY,
        node: Node | None = None,
    ) -> None:
        """`ready` says whether a game's rules are compiled: before that its matches wait.

        `node` is what this process shares with others on the same database.
        """
        self.tables = Tables(
            store,
            games,
            clock=clock,
            monotonic=monotonic,
            ready=ready,
            away_after=away_after,
            node=node,
        )
        self.lobby = Lobby(self.tables)
        self.play = Play(self.tables)
        self.seats = Seats(self.tables)
        self.chat = Chat(self.tables)
        self.reports = Reports(self.tables)
        self.callbacks = Subscriptions(self.tables)
        self.erase = Erase(self.tables)
        self.tokens = Tokens(self.tables)
        self.logbook = Logbook()
        self.hosting = Hosting(self.tables)
        self.devices, self.history = Devices(self.tables), History(self.tables)
        self.store, self.clock, self.games = store, self.tables.clock, games
        self.hub, self.attendance = self.tables.hub, self.tables.attendance
        self.live = self.tables.live

    def log(self, live: TableState, viewer: int, since: int = 0) -> list[LogEntry]:
        """The log in sentences as `viewer` may read it: the plies above `since`."""
        with self.tables.reading(live):
            return self.logbook.reader(live, viewer).log(live, since)

    def records(self, live: TableState, viewer: int, since: int = 0) -> list[Seen]:
        """The redacted record after each ply above `since`; only the last few are kept."""
        with self.tables.reading(live):
            return self.logbook.reader(live, viewer).records(live, since)

    def presence(self, live: TableState) -> list[Presence]:
        """Who is here, by seat."""
        return self.attendance.of(live)

    def games_of(
        self, visitor: Visitor, status: Sequence[str], limit: int = 20, before: str = ""
    ) -> list[TableState]:
        """The tables of these states at which a visitor sits, newest first, after `before`."""
        return self.tables.lives(self.store.games_of(visitor, status, limit, before))

    def listing(
        self, limit: int = 50, game: str = "", status: Sequence[str] = (OPEN, RUNNING)
    ) -> list[TableState]:
        """The public tables one may join or watch, of all games or one, newest first."""
        tables = self.store.tables(status, public=True, game=game, limit=limit)
        return self.tables.lives(tables)

    def mine(self, visitor: Visitor, limit: int = 20) -> list[TableState]:
        """The tables, not over, at which this browser has a seat, newest first."""
        return self.tables.lives(self.store.owned(visitor, limit))

    def deadlines(self, live: TableState) -> list[float | None]:
        """When each seat's time to decide is over (Unix time); None where no clock runs."""
        told = self.tables.hours.told
        return [told(info.due) if info.due else None for info in live.seats]

    def touch(self, table: str, visitor: Visitor) -> None:
        """Note that a browser was here (a page without a stream)."""
        self.attendance.touch(table, visitor)

    def export(self, live: TableState, viewer: int) -> str:
        """The match file; of a running match only what `viewer` may know."""
        if live.match is None:
            raise WrongTime(say("The game has not begun."))
        return export(live, viewer, self.log(live, viewer))

    def sweep(self, older: float = ABANDONED) -> int:
        """Remove tables opened so many seconds ago and never begun; games that run are kept.

        Tokens and links that nobody has used for long go, too; so do old reports and browsers to
        be called.
        """
        for kept in (self.tokens, self.devices, self.reports, self.callbacks):
            kept.sweep()
        removed = 0
        for table in self.store.abandoned(self.clock() - older):
            with suppress(UnreadableTable, NotFound):  # what cannot be read is left to a person
                self.tables.change(table, lambda live: None if live.status == OPEN else live)
                removed += 1
        return removed

    def raw(self, table: str, visitor: Visitor | None) -> str:
        """The rows of a match that cannot be read, a line of JSON each, for its players.

        Who they are is left out, and unless it is over the key, which draws what is to come.
        Raises NotFound, WrongTime if the match can be read, Forbidden for others.
        """
        try:
            self.live(table)
        except UnreadableTable as error:
            if visitor is None or visitor not in error.owners:
                raise Forbidden(say("Only the players of a match may have its rows.")) from None
        else:
            raise WrongTime(say("This match can be read: download it from its page."))
        stored = self.store.load(table)
        if stored is None:
            raise NotFound
        return raw(stored)
