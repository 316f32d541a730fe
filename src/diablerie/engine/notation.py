"""Notation: actions and outcomes as short text, both ways."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from diablerie.engine.record import Record
from diablerie.engine.text import Line, UserError, say

OUTCOME = say("a possible outcome here")


class NotationError(UserError):
    """Text that is no action or outcome; it is in the sentence, with the clause of `expected`."""

    def __init__(self, text: str, expected: Line | str) -> None:
        clause = expected.clause if isinstance(expected, Line) else ""
        super().__init__(
            say("“{text}” is not {expected}.", clause, text=text[:60], expected=expected)
        )


class Notation(Protocol):
    """How a game writes its actions and outcomes, in a given position.

    The parsers raise NotationError for text that is no action (outcome) of this kind of node at
    all; an action that is merely illegal parses, so that `forbids` can say why.
    """

    def format_action(self, s: Record, seat: int, action: int, /) -> str:
        """The text of an action."""

    def parse_action(self, s: Record, seat: int, text: str, /) -> int:
        """The action that a text names."""

    def format_outcome(self, s: Record, outcome: int, /) -> str:
        """The text of an outcome of this chance node."""

    def parse_outcome(self, s: Record, text: str, /) -> int:
        """The outcome of this chance node that a text names."""


class Texts:
    """Numbers from 0 as texts, both ways; `expected` says what such a text looks like."""

    def __init__(self, texts: Sequence[str], expected: Line | str = OUTCOME) -> None:
        self.texts = tuple(texts)
        self.expected = expected
        self._numbers = {text: number for number, text in enumerate(self.texts)}

    def format(self, number: int) -> str:
        """The text of a number."""
        return self.texts[number]

    def parse(self, text: str) -> int:
        """The number of a text. Raises NotationError."""
        if text not in self._numbers:
            raise NotationError(text, self.expected)
        return self._numbers[text]


class TableNotation:
    """A `Notation` in which every action has one text, and every outcome one at each chance node.

    outcomes: the texts of the outcomes, by chance node.
    """

    def __init__(self, actions: Texts, outcomes: Mapping[int, Texts]) -> None:
        self._actions = actions
        self._outcomes = outcomes

    def format_action(self, s: Record, seat: int, action: int) -> str:
        """The text of an action."""
        return self._actions.format(action)

    def parse_action(self, s: Record, seat: int, text: str) -> int:
        """The action that a text names. Raises NotationError."""
        return self._actions.parse(text)

    def format_outcome(self, s: Record, outcome: int) -> str:
        """The text of an outcome of this chance node."""
        return self._outcomes[s.node].format(outcome)

    def parse_outcome(self, s: Record, text: str) -> int:
        """The outcome of this chance node that a text names. Raises NotationError."""
        if s.node not in self._outcomes:
            raise NotationError(text, OUTCOME)
        return self._outcomes[s.node].parse(text)
