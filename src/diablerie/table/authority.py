"""The authority: every change of a table goes through here, from any thread."""

from collections.abc import Mapping, Sequence
from typing import Any

from diablerie.engine.text import Line
from diablerie.table.live import Live
from diablerie.table.visitors import Visitor


class Entry:
    """One ply in the log: `seq` (1 + its index), its sentences for this viewer."""

    seq: int
    at: float
    lines: tuple[Line, ...]


class Presence:
    """A seat's person: `here` (a page is open), `away` seconds since he was last seen, and `due`
    (Unix time) from which the others may give the seat to a bot (None: bots, open seats, here).
    """

    here: bool
    away: float
    due: float | None


class Authority:
    """Tables: open, join, play, talk, watch. Raises `errors.Refused` and then changes nothing.

    `client` is who asks, for the bounds of `limits` (an address); "" is not bounded.

        authority = Authority(Store(path))            # games.ALL, real clock
        authority.hub.subscribe(table, visitor, client) # see hub.py
        Driver(authority).start()                      # bots, see driver.py
        Warm(authority).start()                        # compiles in a child process, see warm.py
    """

    # -- looking -----------------------------------------------------------------------------

    def live(self, table: str) -> Live:
        """The table as it stands. Raises NotFound."""
        raise NotImplementedError

    def viewer(self, live: Live, visitor: Visitor | None, seat: int | None) -> int:
        """The seat as which a browser looks: the one asked for if it owns it, else (None) its only
        or first seat to decide, else WATCHER. Raises Forbidden for somebody else's seat.
        """
        raise NotImplementedError

    def log(self, live: Live, viewer: int, since: int = 0) -> list[Entry]:
        """The log in sentences as `viewer` may read it, plies numbered above `since`."""
        raise NotImplementedError

    def records(self, live: Live, viewer: int, since: int = 0) -> list[Any]:
        """The redacted record after each ply numbered above `since`, for a replay or animations
        (unredacted with the finished match's own `open_records`)."""
        raise NotImplementedError

    def presence(self, live: Live) -> list[Presence]:
        """Who is here, by seat."""
        raise NotImplementedError

    def listing(self, limit: int = 50) -> list[Live]:
        """The public tables one may join or watch, newest first."""
        raise NotImplementedError

    def mine(self, visitor: Visitor, limit: int = 20) -> list[Live]:
        """The tables, not over, at which this browser has a seat, newest first."""
        raise NotImplementedError

    # -- before the start --------------------------------------------------------------------

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
        raise NotImplementedError

    def sit(
        self, table: str, visitor: Visitor, seat: int | None = None, name: str = "", nonce: str = ""
    ) -> Live:
        """Take an open seat (None: the first). The game starts when the last is taken."""
        raise NotImplementedError

    def leave(self, table: str, visitor: Visitor, seat: int) -> None:
        """Leave a seat before the start; a table that the last person leaves is removed."""
        raise NotImplementedError

    def fill(self, table: str, visitor: Visitor, bot: str = "sensible") -> Live:
        """The host fills the open seats with bots, which starts the game."""
        raise NotImplementedError

    def rename(self, table: str, visitor: Visitor, seat: int, name: str) -> Live:
        """Call the player of an own seat otherwise."""
        raise NotImplementedError

    # -- playing -----------------------------------------------------------------------------

    def act(
        self, table: str, visitor: Visitor, seat: int, seq: int, actions: Sequence[str]
    ) -> Live:
        """Decide for an own seat: one action, or the consecutive ones of a plan or a walk.

        `seq` is `Live.seq` of the page the person saw. Answers when it is durable. Raises Stale
        (with the seq of now), Repeated, IllegalMove, BadInput, Forbidden, WrongTime.
        """
        raise NotImplementedError

    def rematch(self, table: str, visitor: Visitor) -> Live:
        """The same players again; asked twice, the same new table."""
        raise NotImplementedError

    # -- seats that move ---------------------------------------------------------------------

    def link(self, table: str, visitor: Visitor, seat: int) -> str:
        """A fresh secret for an own seat's personal link; older ones stop working."""
        raise NotImplementedError

    def claim(self, table: str, secret: str, visitor: Visitor) -> int:
        """Move the seat with this personal link to this browser; returns the seat."""
        raise NotImplementedError

    def give_to_bot(self, table: str, visitor: Visitor, seat: int) -> Live:
        """A seated person lets a bot play for another who is away."""
        raise NotImplementedError

    def take_back(self, table: str, visitor: Visitor, seat: int) -> Live:
        """The owner plays again himself."""
        raise NotImplementedError

    # -- talking, and being there --------------------------------------------------------------

    def say(self, table: str, visitor: Visitor, text: str, client: str = "") -> Live:
        """A line of chat by a seated person."""
        raise NotImplementedError

    def touch(self, table: str, visitor: Visitor) -> None:
        """Note that a browser was here (a page without a stream)."""
        raise NotImplementedError

    # -- files -----------------------------------------------------------------------------------

    def export(self, live: Live, viewer: int) -> str:
        """The match file; of a running match only what `viewer` may know."""
        raise NotImplementedError
