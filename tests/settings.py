"""Which settings of a game the laws are held against: a few that cover every pair of choices."""

from itertools import combinations, product
from typing import Any

from diablerie.games import ALL
from diablerie.testing.positions import GameSetting

Choice = tuple[str, Any]


def choices(name: str) -> list[list[Choice]]:
    """What can be chosen for a game: the number of seats, then the values of each option."""
    game = ALL[name]
    seats = [("seats", n) for n in game.seats]
    values = [[(o.name, v) for v in dict.fromkeys((o.default, *o.samples))] for o in game.options]
    return [seats, *values]


def pairs(setting: GameSetting) -> set[frozenset[Choice]]:
    """Every two choices that meet in a setting; an option it leaves out has its default."""
    chosen = {option.name: option.default for option in setting.game.options}
    chosen |= {"seats": setting.seats} | dict(setting.options)
    return set(map(frozenset, combinations(chosen.items(), 2)))


def covering(name: str) -> list[GameSetting]:
    """A few settings in which any two choices for a game meet at least once.

    The next one is always that with the most new pairs (a greedy covering array of strength two).
    """
    possible = [_setting(name, *row) for row in product(*choices(name))]
    numbers: dict[frozenset[Choice], int] = {}
    met = {s: sum(1 << numbers.setdefault(p, len(numbers)) for p in pairs(s)) for s in possible}
    lacking, found = (1 << len(numbers)) - 1, [possible[0]]
    if not lacking:  # a game without options: nothing meets
        return possible
    while lacking := lacking & ~met[found[-1]]:
        found.append(max(possible, key=lambda s: (met[s] & lacking).bit_count()))
    return found


def _setting(name: str, seats: Choice, *options: Choice) -> GameSetting:
    defaults = {option.name: option.default for option in ALL[name].options}
    chosen = tuple((key, value) for key, value in options if value != defaults[key])
    return GameSetting(name, seats[1], chosen)
