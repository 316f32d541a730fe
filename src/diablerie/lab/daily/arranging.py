"""Which challenge comes on which day: themes far apart, and games in turn."""

from collections.abc import Sequence

from diablerie.daily.challenge import APART, Challenge, kind_of


def arranged(found: Sequence[Challenge], days: int) -> list[Challenge]:
    """So many challenges in the order of days, or fewer; equal ones found give equal days.

    No theme comes twice within `APART` days, not even where the list begins again. Each day takes
    what is least like the days before: another game, another kind of decision, and of those the
    theme of which most are left.
    """
    left = {theme: [one for one in found if one.theme == theme] for theme in _themes(found)}
    order: list[Challenge] = []
    while len(order) < days:
        theme = _next(left, order, days)
        if theme is None:
            break
        order.append(left[theme].pop(0))
    return _closed(order)


def _themes(found: Sequence[Challenge]) -> list[str]:
    return sorted({one.theme for one in found})


def _next(left: dict[str, list[Challenge]], order: list[Challenge], days: int) -> str | None:
    """The theme of the next day; None if every one that is left came too lately."""
    late = {one.theme for one in order[len(order) - APART + 1 :]} if order else set()
    late |= {one.theme for one in order[: max(0, len(order) + APART - days)]}  # it begins again
    free = [theme for theme, some in left.items() if some and theme not in late]
    return min(free, key=lambda theme: _cost(left[theme], order), default=None)


def _cost(some: list[Challenge], order: list[Challenge]) -> tuple[float, int, str]:
    """How like the last days a theme is; then, how few are left of it."""
    one = some[0]
    alike = sum(
        (1.0 * (one.game == other.game) + 2.0 * (_kind(one) == _kind(other))) / ago
        for ago, other in enumerate(reversed(order[-APART:]), 1)
    )
    return alike, -len(some), one.theme


def _kind(one: Challenge) -> tuple[str, str]:
    return one.game, kind_of(one.rules, one.state)


def _closed(order: list[Challenge]) -> list[Challenge]:
    """The beginning of this order that may be followed by itself; empty if none may."""
    for days in range(len(order), APART - 1, -1):
        part = order[:days]
        themes = [one.theme for one in (*part, *part[: APART - 1])]
        if all(themes[n] not in themes[n + 1 : n + APART] for n in range(days)):
            return part
    return []
