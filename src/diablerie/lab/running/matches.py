"""Games between bots, each of which sees only what its seat may see.

The game is an ordinary match, so that any game can be saved as a match file. Its dice come from the
match's fair stream, which all games of a table share.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from operator import index
from time import perf_counter
from typing import NamedTuple

import numpy as np

from diablerie.bots.basic import Bot
from diablerie.bots.spec import parse_bot
from diablerie.engine import files, verbs
from diablerie.engine.fair import DiceStream
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.notation import NotationError
from diablerie.engine.queries import redacted, refusal
from diablerie.engine.record import Record
from diablerie.engine.replay import number_of
from diablerie.engine.rng import Rng, seeded
from diablerie.engine.text import Line, say
from diablerie.engine.verbs import SEATS
from diablerie.lab.running.errors import Artifact, BotFailure, JobStopped
from diablerie.lab.running.processes import Stop
from diablerie.lab.running.settings import seed_for

MAX_DECISIONS = 100_000  # of a game; a longer one counts as a bot's failure


class Fixture(NamedTuple):
    """A game to play: its number, its table, and the player (by number) in each seat."""

    number: int
    table: int
    players: tuple[int, ...]


class MatchRunner(NamedTuple):
    """Plays games of one setting. players: the specs that fixtures name by number; seed: of all."""

    game: Game
    seats: int
    options: dict[str, str]
    players: tuple[str, ...]
    seed: int

    def play(self, fixture: Fixture, stop: Stop) -> tuple[Match, list["SeatedBot"]]:
        """Play one game. Raises BotFailure, or JobStopped as soon as `stop()` is true."""
        match = self.match(fixture)
        try:
            return match, self._play(match, fixture, stop)
        except BotFailure as failure:
            artifact = Artifact(f"{fixture.number:06}-failed.jsonl", files.dump(match))
            raise BotFailure(failure.line, artifact) from failure

    def _play(self, match: Match, fixture: Fixture, stop: Stop) -> list["SeatedBot"]:
        bots = [SeatedBot(self, fixture, seat) for seat in range(self.seats)]
        for _ in range(MAX_DECISIONS):
            if stop():
                raise JobStopped
            if (who := match.actor) is None:
                return bots
            match.carry_out(bots[who].decide(match.state), who)
        raise bots[0].failure(say("no end after {n} decisions", n=MAX_DECISIONS))

    def match(self, fixture: Fixture) -> Match:
        """A new match of a game, before its first decision."""
        return Match.new(
            self.game,
            seats=self.seats,
            fair=DiceStream.seeded(self.dice(fixture)),
            names=[self.players[player] for player in fixture.players],
            options=self.options,
        )

    def warm(self) -> None:
        """Let every player decide once, so that no player compiles while its time is measured."""
        verbs.compile_first(self.game.state)
        for player in range(len(self.players)):
            fixture = Fixture(0, 0, (player,) * self.seats)
            answers = iter((False, True))
            match = self.match(fixture)
            with suppress(BotFailure, JobStopped):  # such a bot fails again in its own game
                self._play(match, fixture, answers.__next__)
            verbs.returns(match.state, np.zeros(SEATS))

    def dice(self, fixture: Fixture) -> int:
        """The seed of a game's dice, the same for all games of a table."""
        return seed_for(self.seed, "dice", fixture.table)


def replayed(match: Match) -> Iterator[tuple[Record, int, int]]:
    """The state before each event of a match, its seat (or CHANCE), and its number.

    The next event changes the state; copy what is to be kept.
    """
    s = match.game.start(match.seats, match.options)
    for event in match.events:
        number = number_of(match.game, s, event)
        yield s, event.seat, number
        verbs.apply(s, event.seat, number)


class SeatedBot:
    """A bot in its seat, for one game."""

    def __init__(self, runner: MatchRunner, fixture: Fixture, seat: int) -> None:
        self.runner = runner
        self.fixture = fixture
        self.seat = seat
        self.name = runner.players[fixture.players[seat]]
        self.rng = seeded(seed_for(runner.seed, "seat", fixture.number, seat))
        self.decisions = 0
        self.seconds = 0.0
        self.opening = ""
        spec = parse_bot(self.name, imports=True)
        try:
            self.bot: Bot = spec.make(runner.game)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # another's code may fail in any way, or end the program
            raise self.failure(exception_line(error)) from error

    @property
    def mean_seconds(self) -> float:
        """The mean thinking time of a decision."""
        return round(self.seconds / max(1, self.decisions), 9)

    def decide(self, s: Record) -> int:
        """Ask the bot for an action, which is legal. Raises BotFailure."""
        seen = redacted(s, self.seat)
        began = perf_counter()
        try:
            chosen = self.bot.choose(seen, self.seat, self.rng)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # another's code may fail in any way, or end the program
            raise self.failure(exception_line(error)) from error
        self.seconds += perf_counter() - began
        self.decisions += 1
        action = checked_action(self.runner.game, s, self.seat, chosen, self.failure)
        if self.decisions == 1:
            self.opening = _notation(self.runner.game, s, self.seat, action)
        return action

    def failure(self, what: Line) -> BotFailure:
        """The error that says what this bot did, and in which game."""
        return BotFailure(
            say(
                "bot {name}, seat {seat}, game {number} (dice seed {seed}): {what}",
                name=self.name,
                seat=self.seat,
                number=self.fixture.number,
                seed=self.runner.dice(self.fixture),
                what=what,
            )
        )


class CheckedBot:
    """A bot that learners play against: a decision that is not legal, or an exception, is its failure."""

    def __init__(self, name: str, game: Game, bot: Bot) -> None:
        self.name = name
        self.game = game
        self.bot = bot

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """A legal action of the seat in this state, which is redacted for it. Raises BotFailure."""
        fail = partial(bot_failure, self.name)
        seen = s.copy()  # which the bot may spoil
        try:
            chosen = self.bot.choose(seen, seat, rng)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # another's code may fail in any way, or end the program
            raise fail(exception_line(error)) from error
        return checked_action(self.game, s, seat, chosen, fail)


def bot_failure(name: str, what: Line) -> BotFailure:
    """The error that says what a bot did against a learner."""
    return BotFailure(say("bot {name}: {what}", name=name, what=what))


def checked_action(
    game: Game, s: Record, seat: int, chosen: object, failure: Callable[[Line], BotFailure]
) -> int:
    """The number of a legal action, of what a bot has chosen. Raises what `failure` makes."""
    try:
        action = index(chosen)  # type: ignore[arg-type]
    except TypeError:
        raise failure(say("{what} is no action", what=f"{chosen!r:.60}")) from None
    if not 0 <= action < game.actions:
        last = game.actions - 1
        raise failure(say("{action} is no action; they are 0 to {last}", action=action, last=last))
    code = verbs.forbids(s, seat, action)
    if code:
        error = refusal(game, code, s, action, _notation(game, s, seat, action))
        raise failure(Line("{error}", {"error": str(error)}))
    return action


def exception_line(error: BaseException) -> Line:
    """An exception of a user's bot, as the last line of a traceback shows it."""
    return Line("{kind}: {error}", {"kind": type(error).__name__, "error": str(error)})


def _notation(game: Game, s: Record, seat: int, action: int) -> str:
    """An action in notation, or its number where the node has no such action."""
    try:
        return game.notation.format_action(s, seat, action)
    except (NotationError, ValueError, LookupError):
        return f"action {action}"
