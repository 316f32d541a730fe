"""A bot's decision at a table; another bot decides where it fails, which is logged once."""

import logging
import random
from collections.abc import Callable

from cachetools import LRUCache

from diablerie.bots.basic import Bot
from diablerie.bots.spec import parse_bot
from diablerie.compiling.units import unit_of
from diablerie.engine.game import Game
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.runtime.background import exponential_backoff
from diablerie.table.authority import Authority
from diablerie.table.commands import decisions
from diablerie.table.errors import (
    Forbidden,
    NotFound,
    Preparing,
    Stale,
    Unavailable,
    UnreadableTable,
)
from diablerie.table.state.table_state import TableState

log = logging.getLogger(__name__)
FIRST_BOT_RETRY_SECONDS = 2.0  # after a failure; doubled after each further one
LONGEST_RETRY = 300.0  # seconds, after however many
BOT_COMPILED_LOOK_SECONDS = 1.0  # seconds until the next look whether the rules are compiled
FALLBACK = "random"  # the bot that plays where another fails, so that nobody waits for ever
LOGGED = 1000  # failures remembered, so that each is logged once
UNPLAYABLE = (NotFound, Preparing, UnreadableTable)  # no bot can play; see `WaitingTables`


class NotYet(Exception):
    """The rules are not compiled yet as far as this bot needs them."""


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
        except NotYet:
            return BOT_COMPILED_LOOK_SECONDS
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
                bot = self._bot(spec, live.game)
                if not self._authority.can(live.game.name, unit_of(bot, len(live.seats))):
                    raise NotYet
                text = self._choice(live, seat, bot)
                decisions.decide_as_bot(self._authority, table, seat, live.ply, text)
            except (Stale, Forbidden):  # the table has moved on meanwhile
                return
            except (*UNPLAYABLE, Unavailable, NotYet):
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

    def _bot(self, spec: str, game: Game) -> Bot:
        place = spec, game.name
        if place not in self._bots:
            self._bots[place] = parse_bot(spec, imports=True).make(game)
        return self._bots[place]


def due(live: TableState) -> int | None:
    """The first seat of a table whose bot is due, None if none is."""
    return next((i for i in live.pending if live.seats[i].driver), None)


def retry_pause(failures: int) -> float:
    """The seconds to wait after so many failures in a row."""
    return exponential_backoff(failures, FIRST_BOT_RETRY_SECONDS, LONGEST_RETRY)
