"""Feats: what of a game is still told at the end of an evening, such as the longest tail.

A game tells them by `ui.feats`, from what its moments and its log know. Of two feats of one game
the greater is told.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from diablerie.engine import verbs
from diablerie.engine.match import Match
from diablerie.engine.plies import line_of
from diablerie.engine.record import Record
from diablerie.engine.replay import number_of
from diablerie.engine.text import Line


class Feat(NamedTuple):
    """One feat: what it is called, who did it, how great it is, and that in words."""

    title: Line
    seats: Sequence[int]
    size: float
    words: Line


def greatest_feat(match: Match) -> Feat | None:
    """The greatest feat of a finished match, the first of several alike; None if there is none."""
    return max(_feats(match), key=lambda feat: feat.size, default=None)


def _feats(match: Match) -> Iterator[Feat]:
    """All feats of a finished match, in which nothing is secret any more."""
    tell = getattr(match.game.ui, "feats", None)
    if tell is None:
        return
    state: Record = match.game.start(match.seats, match.options)
    for ply in line_of(match.plies, match.ply):
        for event in ply.events:
            before = state.copy()
            action = number_of(match.game, state, event)
            verbs.apply(state, event.seat, action)
            yield from cast(Sequence[Feat], tell(before, event.seat, action, state))
