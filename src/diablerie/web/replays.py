"""Replays: a finished match at one of its plies, through the eyes of a seat or all open."""

from diablerie.engine.replay import Step
from diablerie.engine.verbs import EVERYTHING, WATCHER
from diablerie.table.live import Live


def moment(live: Live, step: int, eyes: int) -> Step:
    """The match after its first `step` plies; to WATCHER all is open, for the match is over."""
    assert live.match is not None
    viewer = EVERYTHING if eyes == WATCHER else eyes
    return next(live.match.at(step).steps(viewer, step - 1))
