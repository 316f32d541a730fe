"""Which challenge comes on which day: themes far apart, and games in turn."""

from collections.abc import Callable, Sequence

from diablerie.daily.challenge import Challenge
from tools.daily.promises import APART, repeated

Weight = Callable[
    [Sequence[Challenge], Sequence[Challenge]], int
]  # of a theme, and the days so far


def arranged(found: Sequence[Challenge], days: int) -> list[Challenge]:
    """So many challenges in the order of days, or fewer; equal ones found give equal days.

    No theme comes twice within `APART` days, not even where the list begins again. Each day takes
    the theme that is least like the days before. If that does not fill all days, the themes used
    least, or those of which most are left, come first.
    """
    weights: tuple[Weight, ...] = (lambda *_: 0, _used, lambda some, _: -len(some))
    orders = [_closed(_ordered(found, days, weight)) for weight in weights]
    return max(orders, key=len)


def _ordered(found: Sequence[Challenge], days: int, weight: Weight) -> list[Challenge]:
    """Day after day the theme with the least weight, then the one least like the days before."""
    themes = sorted({one.theme for one in found})
    left: dict[str, list[Challenge]] = {theme: [] for theme in themes}
    for one in found:
        left[one.theme].append(one)
    order: list[Challenge] = []
    while len(order) < days and (free := _free(left, order, days)):
        theme = min(free, key=lambda one: (weight(left[one], order), _likeness(left[one], order)))
        order.append(left[theme].pop(0))
    return order


def _used(some: Sequence[Challenge], order: Sequence[Challenge]) -> int:
    return sum(one.theme == some[0].theme for one in order)


def _free(left: dict[str, list[Challenge]], order: list[Challenge], days: int) -> list[str]:
    """The themes of which one is left, and that did not come too lately."""
    late = {one.theme for one in order[max(0, len(order) - APART + 1) :]}
    late |= {one.theme for one in order[: max(0, len(order) + APART - days)]}  # it begins again
    return [theme for theme, some in left.items() if some and theme not in late]


def _likeness(some: Sequence[Challenge], order: Sequence[Challenge]) -> tuple[float, int]:
    """How like the last days a theme is; then, how few are left of it."""
    one = some[0]
    alike = sum(
        ((one.game == other.game) + 2.0 * (_kind(one) == _kind(other))) / ago
        for ago, other in enumerate(reversed(order[-APART:]), 1)
    )
    return alike, -len(some)


def _kind(one: Challenge) -> tuple[str, ...]:
    """The game and the kind of decision."""
    return tuple(one.theme.split()[:2])


def _closed(order: list[Challenge]) -> list[Challenge]:
    """The longest beginning of this order that may be followed by itself; empty if none may."""
    lengths = range(len(order), APART - 1, -1)
    return next((order[:days] for days in lengths if not repeated(order[:days])), [])
