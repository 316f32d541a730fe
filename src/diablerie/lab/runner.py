"""One game between bots, each of which sees only what its seat may see."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from operator import index
from time import perf_counter
from typing import Any

import msgspec
import numpy as np

from diablerie.bots.basic import Bot
from diablerie.bots.spec import parse
from diablerie.engine import verbs
from diablerie.engine.asking import redacted, refusal
from diablerie.engine.game import Game
from diablerie.engine.notation import NotationError
from diablerie.engine.playout import buffers
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import Rng, seeded, weighted
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.lab.config import Terms, game_of
from diablerie.lab.pairing import Plan, seed_for

LONGEST = 100_000  # decisions; a game that bots do not end is their failure


class Stopped(Exception):
    """The game was broken off from outside."""


class BotFailure(ValueError):
    """A bot did what it must not; the message names it, the game and what it did."""


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one game ended; lists are by seat."""

    game: int
    players: tuple[str, ...]
    returns: tuple[float, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]  # mean thinking time for a decision


class Hall:
    """Where the games of a tournament are played; made once for many games."""

    def __init__(self, terms: Terms) -> None:
        self.terms, self.game = terms, game_of(terms)
        self.first = self.game.start(terms.seats, terms.options)
        self.specs = [parse(name, imports=True) for name in terms.players]
        self.out, self.p = buffers(self.game)

    def play(self, plan: Plan, stop: Callable[[], bool] = lambda: False) -> Result:
        """Play one game. Raises BotFailure, or Stopped as soon as `stop` says so."""
        seats = [Seat(self, plan, seat) for seat in range(self.terms.seats)]
        dice = seeded(self.dice(plan))
        s = copy(self.first)
        for _ in range(LONGEST):
            if stop():
                raise Stopped
            who = self.after_chance(s, dice)
            if who == OVER:
                return self.result(plan, s, seats)
            verbs.apply(s, who, seats[who].decide(s))
        raise seats[0].failure(f"no end after {LONGEST} decisions")

    def warm(self) -> None:
        """Let every player decide once, so that what is compiled then is no thinking time."""
        for player in range(len(self.specs)):
            plan, answers = Plan(0, 0, (player,) * self.terms.seats), iter((False, True))
            with suppress(BotFailure, Stopped):  # who fails will do so again, in its own game
                self.play(plan, answers.__next__)
        verbs.returns(self.first, np.zeros(self.game.seats[-1]))

    def dice(self, plan: Plan) -> int:
        """The seed of a game's dice, the same for all games of a table."""
        return seed_for(self.terms.seed, "dice", plan.table)

    def after_chance(self, s: Record, dice: Rng) -> int:
        """Draw what chance decides now; the seat to decide then, or OVER."""
        while (who := verbs.actor(s)) == CHANCE:
            n = verbs.chance(s, self.out, self.p)
            verbs.apply(s, CHANCE, self.out[weighted(dice, self.p, n)])
        return who

    def result(self, plan: Plan, s: Record, seats: "Sequence[Seat]") -> Result:
        """What is kept of a finished game."""
        returns = np.zeros(self.game.seats[-1])
        verbs.returns(s, returns)
        return Result(
            plan.number,
            tuple(seat.name for seat in seats),
            tuple(returns[: self.terms.seats].tolist()),
            tuple(seat.decisions for seat in seats),
            tuple(seat.mean for seat in seats),
        )


class Seat:
    """A bot in its seat, for one game."""

    def __init__(self, hall: Hall, plan: Plan, seat: int) -> None:
        self.hall, self.plan, self.seat = hall, plan, seat
        self.name = hall.terms.players[plan.players[seat]]
        self.rng = seeded(seed_for(hall.terms.seed, "seat", plan.number, seat))
        self.decisions, self.seconds = 0, 0.0
        self.bot: Bot = self._made()

    @property
    def mean(self) -> float:
        """The mean thinking time for a decision, in seconds."""
        return round(self.seconds / max(1, self.decisions), 9)

    def decide(self, s: Record) -> int:
        """The bot's action, which is legal. Raises BotFailure."""
        seen = redacted(s, self.seat)
        began = perf_counter()
        try:
            chosen: Any = self.bot.choose(seen, self.seat, self.rng)
        except Exception as error:
            raise self.failure(f"{type(error).__name__}: {error}") from error
        self.seconds += perf_counter() - began
        self.decisions += 1
        return self._checked(s, chosen)

    def failure(self, what: str) -> BotFailure:
        """The error that says what this bot did, and in which game."""
        number, seed = self.plan.number, self.hall.dice(self.plan)
        return BotFailure(
            f"bot {self.name}, seat {self.seat}, game {number} (dice seed {seed}): {what}"
        )

    def _made(self) -> Bot:
        try:
            return self.hall.specs[self.plan.players[self.seat]].make(self.hall.game)
        except Exception as error:
            raise self.failure(f"{type(error).__name__}: {error}") from error

    def _checked(self, s: Record, chosen: Any) -> int:
        game = self.hall.game
        try:
            action = index(chosen)
        except TypeError:
            raise self.failure(f"{chosen!r:.60} is no action") from None
        if not 0 <= action < game.actions:
            raise self.failure(f"{action} is no action; they are 0 to {game.actions - 1}")
        code = verbs.forbids(s, self.seat, action)
        if code:
            raise self.failure(str(refusal(game, code, spelled(game, s, self.seat, action))))
        return action


def spelled(game: Game, s: Record, seat: int, action: int) -> str:
    """An action in notation, or its number where the node has no such action."""
    try:
        return game.notation.format_action(s, seat, action)
    except (NotationError, ValueError, LookupError):
        return f"action {action}"
