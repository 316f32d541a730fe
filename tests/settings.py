"""Which settings of a game the laws are held against: few that cover every choice, or every pair."""

from collections.abc import Callable
from itertools import combinations, product
from typing import Any

from diablerie.games import ALL
from diablerie.testing.positions import GameSetting

Choice = tuple[str, Any]
Covered = Callable[[GameSetting], set[frozenset[Choice]]]


def choices(name: str) -> list[list[Choice]]:
    """What can be chosen for a game: the number of seats, then the values of each option."""
    game = ALL[name]
    seats = [("seats", n) for n in game.seats]
    values = [[(o.name, v) for v in dict.fromkeys((o.default, *o.samples))] for o in game.options]
    return [seats, *values]


def chosen(setting: GameSetting) -> dict[str, Any]:
    """What is chosen in a setting; an option it leaves out has its default."""
    defaults = {option.name: option.default for option in setting.game.options}
    return defaults | {"seats": setting.seats} | dict(setting.options)


def singles(setting: GameSetting) -> set[frozenset[Choice]]:
    """Every choice of a setting."""
    return {frozenset([choice]) for choice in chosen(setting).items()}


def pairs(setting: GameSetting) -> set[frozenset[Choice]]:
    """Every two choices that meet in a setting."""
    return set(map(frozenset, combinations(chosen(setting).items(), 2)))


def covering(name: str, covered: Covered) -> list[GameSetting]:
    """A few settings in which every choice for a game, or any two, meet at least once.

    The next one is always that with the most that is new (a greedy covering array).
    """
    possible = [_setting(name, *row) for row in product(*choices(name))]
    numbers: dict[frozenset[Choice], int] = {}
    met = {s: sum(1 << numbers.setdefault(p, len(numbers)) for p in covered(s)) for s in possible}
    lacking = (1 << len(numbers)) - 1
    found = [possible[0]]
    if not lacking:  # a game without options: no two meet
        return possible
    while lacking := lacking & ~met[found[-1]]:
        found.append(max(possible, key=lambda s: (met[s] & lacking).bit_count()))
    return found


def _setting(name: str, seats: Choice, *options: Choice) -> GameSetting:
    defaults = {option.name: option.default for option in ALL[name].options}
    different = tuple((key, value) for key, value in options if value != defaults[key])
    return GameSetting(name, seats[1], different)


# Every number of players and every value of an option of each game, and any two of them.
FEW = [setting for name in ALL for setting in covering(name, singles)]
PAIRED = [setting for name in ALL for setting in covering(name, pairs)]
REST = [setting for setting in PAIRED if setting not in FEW]
