"""How a finished match ended for each seat: who won, with what points, and the worst loss."""

from typing import NamedTuple

from diablerie.engine import verbs
from diablerie.engine.match import Match
from diablerie.engine.plies import line_of
from diablerie.engine.replay import number_of


class Outcome(NamedTuple):
    """What a seat reached. `points` and `lost` are None where there are no points to compare.

    That is in games that count none, and in matches that were given up. `lost` is the most points
    that the seat lost at one stroke, that is by one decision and the chance that followed it.
    """

    won: bool
    points: float | None = None
    lost: float | None = None


def outcomes(match: Match) -> list[Outcome]:
    """The outcome of a match that is over, by seat."""
    won = [gain > 0 for gain in match.returns()]
    if match.game.points is None or verbs.actor(match.state) != verbs.OVER:
        return [Outcome(one) for one in won]
    points = match.game.points(match.state)
    lost = _worst_losses(match)
    return [Outcome(one, float(points[k]), lost[k]) for k, one in enumerate(won)]


def _worst_losses(match: Match) -> list[float]:
    """The most points that each seat lost by one ply, of those that were not taken back."""
    count = match.game.points
    assert count is not None
    state = match.game.start(match.seats, match.options)
    before = list(count(state))
    worst = [0.0] * match.seats
    for ply in line_of(match.plies, match.ply):
        for event in ply.events:
            verbs.apply(state, event.seat, number_of(match.game, state, event))
        after = list(count(state))
        losses = (float(old) - float(new) for old, new in zip(before, after, strict=True))
        worst = [max(most, loss) for most, loss in zip(worst, losses, strict=True)]
        before = after
    return worst
