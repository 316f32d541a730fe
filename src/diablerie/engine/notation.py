"""Notation by table: where every action or outcome has one text, whatever the position."""

from collections.abc import Sequence

from diablerie.engine.text import Line, UserError, say

OUTCOME = say("an outcome here")


class NotationError(UserError):
    """Text that is no action or outcome; it is in the sentence."""

    def __init__(self, text: str, expected: Line | str) -> None:
        super().__init__(say("“{text}” is not {expected}.", text=text[:60], expected=expected))


class Texts:
    """Numbers from 0 as texts, both ways; `expected` says what such a text looks like."""

    def __init__(self, texts: Sequence[str], expected: Line | str = OUTCOME) -> None:
        self.texts, self.expected = tuple(texts), expected
        self._numbers = {text: number for number, text in enumerate(self.texts)}

    def format(self, number: int) -> str:
        """The text of a number."""
        return self.texts[number]

    def parse(self, text: str) -> int:
        """The number of a text. Raises NotationError."""
        if text not in self._numbers:
            raise NotationError(text, self.expected)
        return self._numbers[text]
