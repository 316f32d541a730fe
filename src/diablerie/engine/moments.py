"""Moments: what a page stages at large size before it shows the picture of the position.

A game tells them by `ui.moments`, as it tells the log by `ui.narrate`, from redacted records. A
moment names a scene that `ui.scenes` has drawn, and the few words that are put into it; in a game
that draws none, a mood of `diablerie.art.head.MOODS` and a seat. The picture of the position never
depends on moments.
"""

from typing import NamedTuple


class Moment(NamedTuple):
    """One staged moment: the name of its scene and what is put into it, in order.

    A scene covers the board, so tell only what decides something. Everything else happens at its
    place in the picture, by `data-enter`, `data-move` and `data-heard`.
    """

    scene: str
    words: tuple[str | int, ...] = ()

    def __str__(self) -> str:
        """As a frame holds it: the scene and its words, separated by spaces."""
        return " ".join(map(str, (self.scene, *self.words)))
