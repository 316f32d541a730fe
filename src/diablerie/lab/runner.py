"""One game between bots, each of which sees only what its seat may see.

It is played as an ordinary match, so that any game can be kept as a match file: with dice from
the match's fair stream, which all games of a table share.
"""

from collections.abc import Callable
from contextlib import suppress
from operator import index
from time import perf_counter
from typing import Any

import msgspec
import numpy as np

from diablerie.bots.basic import Bot
from diablerie.bots.spec import parse
from diablerie.engine import files, verbs
from diablerie.engine.asking import redacted, refusal
from diablerie.engine.fair import Fair
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.notation import NotationError
from diablerie.engine.record import Record
from diablerie.engine.rng import seeded
from diablerie.engine.text import Line, say
from diablerie.engine.verbs import SEATS
from diablerie.lab.config import Config, game_of
from diablerie.lab.errors import BotFailure, Stopped
from diablerie.lab.filed import File, Filed
from diablerie.lab.pairing import Fixture, seed_for

LONGEST = 100_000  # decisions; a game that bots do not end is their failure


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one game ended; lists are by seat."""

    game: int  # the number of its fixture
    players: tuple[str, ...]
    returns: tuple[float, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]  # mean thinking time for a decision
    opening: tuple[str, ...] = ()  # the first decision, "" without any; files of 0.1 lack it


class Runner:
    """Plays the games of a tournament; made once for many games.

    keep: whether every game is given as a match file, too.
    """

    def __init__(self, config: Config, keep: bool = False) -> None:
        self.config, self.game, self.keep = config, game_of(config), keep
        self.specs = [parse(name, imports=True) for name in config.players]

    def play(self, fixture: Fixture, stop: Callable[[], bool] = lambda: False) -> Result | Filed:
        """Play one game. Raises BotFailure, or Stopped as soon as `stop` says so."""
        match, found = self.whole(fixture, stop)
        if not self.keep:
            return found
        return Filed(found, File(f"{fixture.number:06}.jsonl", files.dump(match)))

    def whole(
        self, fixture: Fixture, stop: Callable[[], bool] = lambda: False
    ) -> tuple[Match, Result]:
        """The match of one game and its result. Raises as `play`."""
        match = self.match(fixture)
        try:
            return match, self._play(match, fixture, stop)
        except BotFailure as failure:
            file = File(f"{fixture.number:06}-failed.jsonl", files.dump(match))
            raise BotFailure(failure.line, file) from failure

    def _play(self, match: Match, fixture: Fixture, stop: Callable[[], bool]) -> Result:
        seats = [SeatedBot(self, fixture, seat) for seat in range(self.config.seats)]
        for _ in range(LONGEST):
            if stop():
                raise Stopped
            if (who := match.actor) is None:
                return result(fixture, seats, tuple(match.returns()))
            match.carry_out(seats[who].decide(match.state), who)
        raise seats[0].failure(say("no end after {n} decisions", n=LONGEST))

    def match(self, fixture: Fixture) -> Match:
        """The match of a game, before its first decision."""
        return Match.new(
            self.game,
            seats=self.config.seats,
            fair=Fair.seeded(self.dice(fixture)),
            names=[self.config.players[player] for player in fixture.players],
            options=self.config.options,
        )

    def warm(self) -> None:
        """Let every player decide once, so that what is compiled then is no thinking time."""
        for player in range(len(self.specs)):
            fixture, answers = Fixture(0, 0, (player,) * self.config.seats), iter((False, True))
            match = self.match(fixture)
            with suppress(BotFailure, Stopped):  # who fails will do so again, in its own game
                self._play(match, fixture, answers.__next__)
            verbs.returns(match.state, np.zeros(SEATS))

    def dice(self, fixture: Fixture) -> int:
        """The seed of a game's dice, the same for all games of a table."""
        return seed_for(self.config.seed, "dice", fixture.table)


def result(fixture: Fixture, seats: "list[SeatedBot]", returns: tuple[float, ...]) -> Result:
    """What is kept of a finished game."""
    return Result(
        fixture.number,
        tuple(seat.name for seat in seats),
        returns,
        tuple(seat.decisions for seat in seats),
        tuple(seat.mean_seconds for seat in seats),
        tuple(seat.opening for seat in seats),
    )


class SeatedBot:
    """A bot in its seat, for one game."""

    def __init__(self, runner: Runner, fixture: Fixture, seat: int) -> None:
        self.runner, self.fixture, self.seat = runner, fixture, seat
        self.name = runner.config.players[fixture.players[seat]]
        self.rng = seeded(seed_for(runner.config.seed, "seat", fixture.number, seat))
        self.decisions, self.seconds, self.opening = 0, 0.0, ""
        try:
            self.bot: Bot = runner.specs[fixture.players[seat]].make(runner.game)
        except Exception as error:
            raise self.failure(raised(error)) from error

    @property
    def mean_seconds(self) -> float:
        """The mean thinking time for a decision."""
        return round(self.seconds / max(1, self.decisions), 9)

    def decide(self, s: Record) -> int:
        """The bot's action, which is legal. Raises BotFailure."""
        seen = redacted(s, self.seat)
        began = perf_counter()
        try:
            chosen: Any = self.bot.choose(seen, self.seat, self.rng)
        except Exception as error:
            raise self.failure(raised(error)) from error
        self.seconds += perf_counter() - began
        self.decisions += 1
        action = self._checked(s, chosen)
        if self.decisions == 1:
            self.opening = notation_of(self.runner.game, s, self.seat, action)
        return action

    def failure(self, what: Line) -> BotFailure:
        """The error that says what this bot did, and in which game."""
        return BotFailure(
            say("bot {name}, seat {seat}, game {number} (dice seed {seed}): {what}",
                name=self.name, seat=self.seat, number=self.fixture.number,
                seed=self.runner.dice(self.fixture), what=what)
        )  # fmt: skip

    def _checked(self, s: Record, chosen: Any) -> int:
        game = self.runner.game
        try:
            action = index(chosen)
        except TypeError:
            raise self.failure(say("{what} is no action", what=f"{chosen!r:.60}")) from None
        if not 0 <= action < game.actions:
            raise self.failure(
                say("{action} is no action; they are 0 to {last}", action=action,
                    last=game.actions - 1)
            )  # fmt: skip
        code = verbs.forbids(s, self.seat, action)
        if code:
            error = refusal(game, code, s, action, notation_of(game, s, self.seat, action))
            raise self.failure(Line("{error}", {"error": str(error)}))
        return action


def raised(error: Exception) -> Line:
    """An exception in a bot of one's own, as it would end a traceback."""
    return Line("{kind}: {error}", {"kind": type(error).__name__, "error": str(error)})


def notation_of(game: Game, s: Record, seat: int, action: int) -> str:
    """An action in notation, or its number where the node has no such action."""
    try:
        return game.notation.format_action(s, seat, action)
    except (NotationError, ValueError, LookupError):
        return f"action {action}"
