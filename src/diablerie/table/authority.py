"""The authority: the tables, and the methods by which pages and programs read them."""

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property

import sqlalchemy as sa

from diablerie.engine.text import say
from diablerie.table.commands import browsers, chat, groups, tokens
from diablerie.table.commands.browsers import OUTLIVED, Browsers
from diablerie.table.commands.logbook import Logbook, LogEntry, export
from diablerie.table.commands.subscriptions import Subscriptions
from diablerie.table.errors import NotFound, UnreadableTable, WrongTime
from diablerie.table.presence.hub import Presence
from diablerie.table.state.table_state import OPEN_TABLE, RUNNING, TableState
from diablerie.table.state.visitors import Visitor
from diablerie.table.storage import schema
from diablerie.table.tables import Tables

RETENTION = (  # when something was made or last used, and for how many seconds it is kept
    (schema.tokens.c.used, tokens.UNUSED_TOKEN_SECONDS),
    (schema.passes.c.made, browsers.PASS_SECONDS),
    (schema.reports.c.at, chat.REPORTS_KEPT),
    (schema.groups.c.used, groups.UNUSED_GROUP_SECONDS),
    (schema.browsers.c.made, OUTLIVED),
)
ABANDONED_SECONDS = 60 * 24 * 3600  # seconds without a change until an open table is removed


class Authority(Tables):
    """The tables, and methods that read them; `table.commands` are functions that change them.

    A command that raises `errors.Refused` has changed nothing. Its `client` is an address, for the
    rate limits; "" is not limited. Methods that tables have may be called from any thread.

        authority = Authority(Store(path))                # all games, the real clock
        live = lobby.open_table(authority, …)             # and sit, leave, fill, delete_table
        sequels.rematch(authority, …)                     # and explore, continue_file
        decisions.decide(authority, …)                    # decisions, hints
        seats.link(authority, …)                          # seats that move
        tokens.issue(authority, …)                        # programs that play
        authority.hub.subscribe(table, visitor, client)   # news, see hub.py
        Driver(authority).start()                         # bots, see driver.py
        Deadlines(authority).start()                      # turn clocks, see deadlines.py
        WaitingTables(authority).start()                  # full tables begin
        RulesCompiler().start()                           # compiles in a child process
    """

    @cached_property
    def subscriptions(self) -> Subscriptions:
        """Who wants to be notified when it is their turn."""
        return Subscriptions(self)

    @cached_property
    def browsers(self) -> Browsers:
        """Which browsers have a secret that this server made."""
        return Browsers(self)

    @cached_property
    def logbook(self) -> Logbook:
        """The logs of matches in sentences."""
        return Logbook()

    def log(self, live: TableState, viewer: int, since: int = 0) -> list[LogEntry]:
        """The log in sentences as `viewer` may read it: the plies above `since`."""
        with self.reading(live):
            return self.logbook.reader(live, viewer).log(live, since)

    def presence(self, live: TableState) -> list[Presence]:
        """Who is here, by seat."""
        return self.attendance.of(live)

    def games_of(
        self, visitor: Visitor, status: Sequence[str], limit: int = 20, before: str = ""
    ) -> list[TableState]:
        """The tables of these states at which a visitor sits, newest first, after `before`."""
        return self.lives(self.store.games_of(visitor, status, limit, before))

    def listing(
        self, limit: int = 50, game: str = "", status: Sequence[str] = (OPEN_TABLE, RUNNING)
    ) -> list[TableState]:
        """The public tables one may join or watch, of all games or one, newest first."""
        tables = self.store.tables(status, public=True, game=game, limit=limit)
        return self.lives(tables)

    def mine(self, visitor: Visitor, limit: int = 20) -> list[TableState]:
        """The tables, not over, at which this browser has a seat, newest first."""
        return self.games_of(visitor, (OPEN_TABLE, RUNNING), limit)

    def deadlines(self, live: TableState) -> list[float | None]:
        """When each seat's time to decide is over (Unix time); None where no clock runs."""
        unix = self.uptime.as_unix_time
        return [unix(info.due) if info.due else None for info in live.seats]

    def export(self, live: TableState, viewer: int) -> str:
        """The match file; of a running match only what `viewer` may know. Raises WrongTime."""
        if live.match is None:
            raise WrongTime(say("The game has not begun."))
        return export(live, viewer, self.log(live, viewer))

    def sweep(self, older: float = ABANDONED_SECONDS) -> int:
        """Remove tables opened so many seconds ago and never begun; games that run are kept.

        Tokens, links and subscriptions that nobody has used for long are deleted, too, and old
        reports. Raises Unavailable.
        """
        old = [sa.delete(c.table).where(c < self.clock() - seconds) for c, seconds in RETENTION]
        self.store.commit(*old)
        self.subscriptions.sweep()
        removed = 0
        for table in self.store.abandoned(self.clock() - older):
            with suppress(UnreadableTable, NotFound):  # what cannot be read is left to a person
                self.change(table, lambda live: None if live.status == OPEN_TABLE else live)
                removed += 1
        return removed
