"""A challenge: a position as one seat knows it, its actions judged, and which levels found the best.

Chances are shares of games won (0 to 1), played on from what the seat knows by players who follow
the game's advice, at the game's temperature, as in replays.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import msgspec

from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.games import ALL


class JudgedAction(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A legal action, in notation, and the chance to win after it, with its 95 % interval.

    behind: by how much the best action is better, at the lower 95 % bound; 0 for the best itself.
    """

    text: str
    chance: float
    low: float
    high: float
    behind: float


class LevelTries(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How often a level (`bots.levels`) was asked, and how often it chose the best action."""

    level: str
    tries: int
    hits: int

    @property
    def found(self) -> bool:
        """Whether it chose the best action more often than not."""
        return 2 * self.hits > self.tries


class Challenge(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """One challenge: a line of the list.

    seat: who decides; theme: the game, the kind of decision (its node), and its chapter; fields:
    those of the record, redacted for the seat, that are not 0; actions: all that are legal, the best
    first; levels: in ascending order.
    """

    game: str
    version: int  # of the rules
    seat: int
    theme: str
    fields: dict[str, Any]
    actions: tuple[JudgedAction, ...]
    levels: tuple[LevelTries, ...]

    @property
    def rules(self) -> Game:
        """The game."""
        return ALL[self.game]

    @property
    def playable(self) -> bool:
        """Whether there is such a game, with these rules."""
        return self.game in ALL and self.rules.version == self.version

    @cached_property
    def state(self) -> Record:
        """The position as the seat knows it; do not change it."""
        return record_of(self.rules, self.fields)

    @property
    def best(self) -> JudgedAction:
        """The best action."""
        return self.actions[0]

    @property
    def finders(self) -> int:
        """How many levels found it."""
        return sum(one.found for one in self.levels)

    def judged(self, text: str) -> JudgedAction | None:
        """The action with this notation; None if none is legal."""
        return next((one for one in self.actions if one.text == text), None)


def record_of(game: Game, fields: Mapping[str, object]) -> Record:
    """The record with these fields. Raises ValueError if the game has no such record."""
    s: Record = game.state.zero()
    try:
        for name, value in fields.items():
            if name not in game.state.declared:
                raise ValueError(name)
            setattr(s, name, value)
    except Exception as error:  # of NumPy or the module struct, for what does not fit a field
        raise ValueError(f"no record of {game.name}: {error}") from error
    return s
