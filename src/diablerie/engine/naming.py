"""Words of a sentence that name a piece of the picture, which then shows its number."""

from typing import NamedTuple


class PieceName(NamedTuple):
    """A value of a sentence: the word for a piece, and the id of its drawing."""

    piece: str
    word: str

    def __str__(self) -> str:
        return self.word
