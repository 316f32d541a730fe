"""One game between bots, each of which sees only what its seat may see."""

from collections.abc import Callable
from contextlib import suppress
from operator import index
from time import perf_counter
from typing import Any

import msgspec

from diablerie.bots.basic import Bot
from diablerie.bots.spec import parse
from diablerie.engine import verbs
from diablerie.engine.asking import redacted, refusal
from diablerie.engine.game import Game
from diablerie.engine.notation import NotationError
from diablerie.engine.record import Record
from diablerie.engine.rng import seeded
from diablerie.engine.text import Line, say
from diablerie.engine.verbs import OVER
from diablerie.lab.config import Config, game_of
from diablerie.lab.errors import BotFailure
from diablerie.lab.pairing import Fixture, seed_for
from diablerie.lab.playing import Playing

LONGEST = 100_000  # decisions; a game that bots do not end is their failure


class Stopped(Exception):
    """The game was broken off from outside."""


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one game ended; lists are by seat."""

    game: int  # the number of its fixture
    players: tuple[str, ...]
    returns: tuple[float, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]  # mean thinking time for a decision


class Runner:
    """Plays the games of a tournament; made once for many games."""

    def __init__(self, config: Config) -> None:
        self.config, self.game = config, game_of(config)
        self.first = self.game.start(config.seats, config.options)
        self.specs = [parse(name, imports=True) for name in config.players]

    def play(self, fixture: Fixture, stop: Callable[[], bool] = lambda: False) -> Result:
        """Play one game. Raises BotFailure, or Stopped as soon as `stop` says so."""
        seats = [SeatedBot(self, fixture, seat) for seat in range(self.config.seats)]
        playing = Playing(self.game, self.first, self.dice(fixture))
        for _ in range(LONGEST):
            if stop():
                raise Stopped
            if playing.actor == OVER:
                return result(fixture, seats, playing.returns())
            playing.play(seats[playing.actor].decide(playing.state))
        raise seats[0].failure(say("no end after {n} decisions", n=LONGEST))

    def warm(self) -> None:
        """Let every player decide once, so that what is compiled then is no thinking time."""
        for player in range(len(self.specs)):
            fixture, answers = Fixture(0, 0, (player,) * self.config.seats), iter((False, True))
            with suppress(BotFailure, Stopped):  # who fails will do so again, in its own game
                self.play(fixture, answers.__next__)
        Playing(self.game, self.first, 0).returns()

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
    )


class SeatedBot:
    """A bot in its seat, for one game."""

    def __init__(self, runner: Runner, fixture: Fixture, seat: int) -> None:
        self.runner, self.fixture, self.seat = runner, fixture, seat
        self.name = runner.config.players[fixture.players[seat]]
        self.rng = seeded(seed_for(runner.config.seed, "seat", fixture.number, seat))
        self.decisions, self.seconds = 0, 0.0
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
        return self._checked(s, chosen)

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
            error = refusal(game, code, notation_of(game, s, self.seat, action))
            raise self.failure(say("{why} [{rule}]", why=error.line, rule=error.clause))
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
