"""Bots at tables: whose turn is next, the threads that take turns, and the decision itself.

Of all turns that are due the next one is a client's who has had least. A client is an address, as
far as it is known who looks at a table. Bots get the redacted record of their seat and nothing else;
another bot decides where one fails, which is logged once.

`LocalTurns` are for a process that has its database alone. Of several processes, those that play
for bots have `ClaimedTurns` (`table/cluster/`).
"""

import heapq
import itertools
import logging
import random
import threading
from collections.abc import Callable
from functools import cache
from typing import NamedTuple, Protocol

from cachetools import LRUCache

from diablerie.bots.basic import Bot
from diablerie.bots.levels import STANDS_IN, STRONGEST_LEVEL, strongest
from diablerie.bots.noisy_one_ply import FallibleBot
from diablerie.bots.spec import parse_bot
from diablerie.compiling.units import BOTS_UNIT, unit_of
from diablerie.engine.game import Game
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.runtime.background import Background, Failures, exponential_backoff
from diablerie.table.authority import Authority
from diablerie.table.commands import decisions
from diablerie.table.errors import (
    Forbidden,
    NotFound,
    Stale,
    Unavailable,
    UnreadableTable,
)
from diablerie.table.presence.fair_queue import FairQueue
from diablerie.table.state.table_state import RUNNING, TableState
from diablerie.table.tables import Tables

log = logging.getLogger(__name__)
FIRST_BOT_RETRY_SECONDS = 2.0  # after a failure; doubled after each further one
LONGEST_RETRY = 300.0  # seconds, after however many
INTERPRETED_SECONDS = 1.2  # that a bot may guess for while its rules are not compiled
FALLBACK = "random"  # the bot that plays where another fails, so that nobody waits for ever
LOGGED = 1000  # failures remembered, so that each is logged once
UNPLAYABLE = (NotFound, UnreadableTable)  # no bot can play
BOT_SECONDS = 0.4  # seconds between two bots' actions, so that people can follow
SPEED_TOGETHER = 4  # so many times faster where several decide at once, unseen
DATABASE_RETRY_SECONDS = 1.5  # seconds after the database has not answered


class NoBot(Exception):
    """No bot could decide for a seat; the log says why."""


class BotPlayer:
    """Decides for bots, which get the redacted record of their seat and nothing else."""

    def __init__(
        self,
        authority: Authority,
        wanted: Callable[[TableState], bool] = lambda _: True,
        seed: int | None = None,
    ) -> None:
        """`wanted` says whether bots play at a table now."""
        self._authority = authority
        self._wanted = wanted
        self._seeds = random.Random(seed)
        self._bots: dict[tuple[str, str], Bot] = {}
        self._failures: LRUCache[str, int] = LRUCache(LOGGED)  # in a row, by table
        self._logged: LRUCache[tuple[str, str], bool] = LRUCache(LOGGED)  # tables and bots

    def play_due_turn(self, table: str) -> float:
        """Let the first bot whose turn it is decide there; nothing happens if no turn is due.

        Returns the seconds after which to try again, 0.0 if it went well. They double with every
        failure in a row, but not while the database does not answer: bots go on as soon as it does.
        """
        try:
            self._play(table)
        except UNPLAYABLE:
            pass
        except Unavailable:
            return FIRST_BOT_RETRY_SECONDS  # the store has logged why
        except Exception as error:
            failures = self._failures.get(table, 0) + 1
            self._failures[table] = failures
            if failures == 1:
                trace = not isinstance(error, NoBot)
                log.error("bots at table %s: %s", table, error or "none", exc_info=trace)
            return retry_pause(failures)
        self._failures.pop(table, None)
        return 0.0

    def _play(self, table: str) -> None:
        """One decision of the first bot that is due, if one still is.

        Raises NoBot, and Unavailable before anything is thought about in vain.
        """
        live = self._authority.live(table)
        seat = due(live)
        if seat is None or not self._wanted(live):
            return
        if self._authority.store.trouble:
            self._authority.store.check()
        for spec in (live.seats[seat].driver, FALLBACK):
            try:
                bot = self._compiled(self._bot(spec, live.game), live)
                text = self._choice(live, seat, bot)
                decisions.decide_as_bot(self._authority, table, seat, live.ply, text)
            except (Stale, Forbidden):  # the table has moved on meanwhile
                return
            except (*UNPLAYABLE, Unavailable):
                raise
            except (Exception, SystemExit):  # a bot of others may end the thread
                if not self._logged.get((table, spec)):
                    self._logged[table, spec] = True
                    log.exception("bot %s for seat %d of table %s", spec, seat, table)
            else:
                return
        raise NoBot(f"neither {live.seats[seat].driver} nor {FALLBACK} could decide")

    def _choice(self, live: TableState, seat: int, bot: Bot) -> str:
        assert live.match is not None
        seen = redacted(live.match.state, seat)
        rng = seeded(self._seeds.getrandbits(64))
        return live.game.notation.format_action(seen, seat, bot.choose(seen, seat, rng))

    def _compiled(self, bot: Bot, live: TableState) -> Bot:
        """The bot, or the one that stands in while what it searches by is not compiled."""
        if self._authority.can_play(live.game.name, unit_of(bot, len(live.seats))):
            return bot
        return self._bot(STANDS_IN, live.game)

    def _bot(self, spec: str, game: Game) -> Bot:
        key = spec, game.name
        if key not in self._bots:
            bot = parse_bot(spec, imports=True).make(game)
            if isinstance(bot, FallibleBot):
                bot.seconds = INTERPRETED_SECONDS
            self._bots[key] = bot
        return self._bots[key]


def stands_in(tables: Tables, live: TableState) -> bool:
    """Whether an archdevil decides for a stronger bot there, which is not compiled yet."""
    if live.status != RUNNING:
        return False
    needs = {needed_unit(info.driver, live.game, len(live.seats)) for info in live.seats}
    return not all(tables.can_play(live.game.name, unit) for unit in needs)


def needed_unit(spec: str, game: Game, seats: int) -> str:
    """The unit that the bot of this spec needs, if a person can choose it; else that of usual ones."""
    return _unit_of_strongest(game.name, seats) if spec == STRONGEST_LEVEL.name else BOTS_UNIT


@cache
def _unit_of_strongest(game: str, seats: int) -> str:
    return unit_of(strongest(ALL[game]), seats)


def due(live: TableState) -> int | None:
    """The first seat of a table whose bot is due, None if none is."""
    return next((i for i in live.pending if live.seats[i].driver), None)


def retry_pause(failures: int) -> float:
    """The seconds to wait after so many failures in a row."""
    return exponential_backoff(failures, FIRST_BOT_RETRY_SECONDS, LONGEST_RETRY)


# -- turn queue --------------------------------------------------------------------------------


class Turn(NamedTuple):
    """A table where a bot may decide now, and the client on whose account it thinks.

    `holder` is who has claimed it and `ply` where the table stood, for `ClaimedTurns`.
    """

    table: str
    client: str
    holder: str = ""
    ply: int | None = None


class TurnQueue(Protocol):
    """Where the `Driver` takes turns from."""

    def start(self, wake: Callable[[float], None]) -> None:
        """Begin to call `wake` with the seconds within which a turn may be due."""

    def stop(self, timeout: float) -> None:
        """End; waits at most `timeout` seconds."""

    def wanted(self, live: TableState) -> bool:
        """Whether bots are to play at a table now."""

    def take(self) -> Turn | None:
        """The turn that comes next, if one is due; `finish` gives it back. Raises Unavailable."""

    def pause(self) -> float | None:
        """Seconds until a turn may be due; None: not before `wake` is called."""

    def finish(self, turn: Turn, seconds: float, again: float) -> None:
        """Note that a bot has thought for so long; with `again` the turn is due after that pause.

        Raises Unavailable.
        """


class LocalTurns:
    """The turns that are due, kept in memory: a restart looks at the tables that run.

    Where only bots play, they play while somebody looks on.
    """

    def __init__(self, tables: Tables, tempo: float = BOT_SECONDS, threads: int = 2) -> None:
        """`tempo` is how many seconds a bot waits after a change; `threads` is the driver's."""
        self._tables = tables
        self._tempo = tempo
        self._clock = tables.clock
        self._fair: FairQueue[str] = FairQueue(threads, self._clock.monotonic)
        self._later: list[tuple[float, int, str]] = []  # a heap: when, order, table
        self._order = itertools.count()
        self._queued: set[str] = set()  # tables that wait, or where a bot thinks
        self._looked_at: set[str] = set()  # tables to look at, where perhaps no bot is due
        self._lock = threading.Lock()
        self._wake: Callable[[float], None] = lambda _: None
        self._resuming = Background(
            "bots-resume",
            self._resume,
            self._clock,
            once=True,
            failures=Failures(
                backoff=lambda failures, error: retry_pause(
                    1 if isinstance(error, Unavailable) else failures
                ),
                expected=Exception,
                said="the tables that run cannot be found",
            ),
        )

    def start(self, wake: Callable[[float], None]) -> None:
        """Begin to call `wake`, with all tables that run already."""
        self._wake = wake
        self._tables.listen(self.on_change)
        self._tables.hub.on_look.append(self._note_look)
        self._resuming.start()

    def stop(self, timeout: float) -> None:
        """End; waits at most `timeout` seconds."""
        self._resuming.stop(timeout)

    def _resume(self) -> None:
        for table in self._tables.store.tables((RUNNING,)):
            if self._resuming.stopping:
                return
            self._look(table)

    def on_change(self, live: TableState) -> None:
        """Queue a table if a bot is due there; from any thread, never waits."""
        if due(live) is None or not self.wanted(live):
            return
        tempo = self._tempo if len(live.pending) == 1 else self._tempo / SPEED_TOGETHER
        # At most the tempo: the last ply may be from a time when the clock was ahead.
        self._queue(live.id, max(0.0, min(tempo, live.changed + tempo - self._clock())))

    def wanted(self, live: TableState) -> bool:
        """Whether a person plays there, or somebody looks on."""
        return not all(info.driver for info in live.seats) or self._tables.hub.watched(live.id)

    def _note_look(self, table: str) -> None:
        """Somebody looks at a table: perhaps its bots have waited for that."""
        with self._lock:
            self._looked_at.add(table)
        self._wake(0.0)

    def _queue(self, table: str, delay: float) -> None:
        with self._lock:
            if table in self._queued:
                return
            self._queued.add(table)
            heapq.heappush(self._later, (self._clock.monotonic() + delay, next(self._order), table))
        self._wake(delay)

    def take(self) -> Turn | None:
        """The turn that comes next, if one is due."""
        while self._looked_at:
            self._look(self._looked_at.pop())
        with self._lock:
            while self._later and self._later[0][0] <= self._clock.monotonic():
                table = heapq.heappop(self._later)[2]
                self._fair.add(self._tables.hub.client(table), table)
            turn = self._fair.take()
        return turn and Turn(turn.item, turn.client)

    def pause(self) -> float | None:
        """Seconds until a turn is due; None: not before `wake` is called."""
        with self._lock:
            return max(0.0, self._later[0][0] - self._clock.monotonic()) if self._later else None

    def finish(self, turn: Turn, seconds: float, again: float) -> None:
        """Give a turn back, and queue its table if a bot is due there still."""
        with self._lock:
            self._fair.done(turn.client, seconds)
            self._queued.discard(turn.table)
        self._wake(0.0)  # another table of this client may have waited for the thread
        if again:
            self._queue(turn.table, again)
        else:
            self._look(turn.table)

    def _look(self, table: str) -> None:
        try:
            self.on_change(self._tables.live(table))
        except UNPLAYABLE:
            pass
        except Exception:  # the bot's player logs it when the table is tried again
            self._queue(table, FIRST_BOT_RETRY_SECONDS)


# -- driver ------------------------------------------------------------------------------------


class Driver:
    """Lets bots play in `workers` threads, from `start` to `stop`."""

    def __init__(
        self,
        authority: Authority,
        turns: TurnQueue | None = None,
        *,
        tempo: float = BOT_SECONDS,
        workers: int = 2,
        seed: int | None = None,
    ) -> None:
        """`turns` says which bot is next; None: those of all tables, by `tempo` (in seconds)."""
        self._clock = authority.clock
        self.turns = turns or LocalTurns(authority, tempo, workers)
        # Asked again just before a bot thinks: the last who looked on may have left.
        self._player = BotPlayer(authority, self.turns.wanted, seed)
        self._playing = Background(
            "bots",
            self._play,
            self._clock,
            threads=workers,
            failures=Failures(backoff=DATABASE_RETRY_SECONDS, expected=Unavailable),
        )

    def start(self) -> None:
        """Begin."""
        self._playing.start()
        self.turns.start(self._playing.wake)

    def stop(self, timeout: float = 3.0) -> None:
        """End; a bot that is thinking is not waited for longer than `timeout` seconds."""
        self.turns.stop(timeout)
        self._playing.stop(timeout)

    def _play(self) -> float | None:
        """Let one bot decide; the seconds until another may be due."""
        turn = self.turns.take()
        if turn is None:
            return self.turns.pause()
        began = self._clock.monotonic()
        again = self._player.play_due_turn(turn.table)
        self.turns.finish(turn, self._clock.monotonic() - began, again)
        return 0.0
