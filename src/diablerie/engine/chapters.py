"""Chapters of a match: its rounds or phases, as its game names them."""

from typing import NamedTuple

from diablerie.engine.match import Match
from diablerie.engine.text import Line
from diablerie.engine.verbs import EVERYTHING


class Chapter(NamedTuple):
    """The steps `first` to `last` (plies, from 1) of a match, which its game gives one title."""

    first: int
    last: int
    title: Line


def chapters(match: Match) -> list[Chapter]:
    """The chapters in their order, without gaps; none if the game names none (`Game.chapter`).

    A step belongs to the chapter of the position before it, the opening to that after it.
    """
    found: list[Chapter] = []
    states = [step.state for step in match.steps(EVERYTHING)]
    for step, before in enumerate([*states[:1], *states[:-1]], 1):
        title = match.game.chapter(before)
        if title is None:
            return []
        if found and found[-1].title == title:
            found[-1] = found[-1]._replace(last=step)
        else:
            found.append(Chapter(step, step, title))
    return found
