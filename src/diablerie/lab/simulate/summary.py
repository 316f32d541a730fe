"""What the games of a simulation say: means and shares with 95 % intervals, by setting."""

from collections import Counter
from math import erfc, exp, gamma, sqrt
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from diablerie.lab.intervals import Estimate, Z
from diablerie.lab.simulate.columns import Columns
from diablerie.lab.simulate.comparing import Comparison, compared
from diablerie.lab.simulate.config import Study, reproducible

BINS = 48  # of a histogram at most: what a picture of a hand's width shows


class Spread(msgspec.Struct, frozen=True):
    """How a number of a game is spread: its mean with interval, quantiles, and a histogram.

    counts: how many games lie in each bin of `width`, the first of which begins at `least`.
    """

    mean: Estimate
    sd: float
    least: float
    low: float  # one game in twenty is below,
    median: float
    high: float  # and one in twenty above
    most: float
    width: float
    counts: list[int]


class Part(msgspec.Struct, frozen=True):
    """What one place, player, ending or node has of the games: mostly a share of them."""

    name: str
    share: Estimate
    returns: Estimate | None = None


class Group(msgspec.Struct, frozen=True):
    """The games of one setting.

    places: who begins, who comes next, …, or the seats, if nobody knows who begins: the share of
    the win. `luck` is how likely shares so unequal are if all places are equal.
    """

    label: str
    seats: int
    options: dict[str, str]
    players: tuple[str, ...]
    games: int
    fair: float
    length: Spread
    draws: Spread
    places: list[Part]
    luck: float
    who: list[Part]  # the players, where there are several
    shared: Estimate
    best: Spread | None  # points of the winner
    margin: Spread | None
    endings: list[Part]
    nodes: list[Part]  # decisions a game


class Summary(msgspec.Struct, frozen=True):
    """The summary of a simulation; `comparisons` are with its first setting."""

    config: Study
    reproducible: bool
    settings: list[Group]
    comparisons: list[Comparison]
    rate: float | None = None  # games a second, of those played now


def summary(study: Study, found: list[Columns], rate: float | None) -> Summary:
    """The summary of these games; there is at least one of every setting."""
    return Summary(study, reproducible(study), [_group(study, one) for one in found],
                   compared(found), rate)  # fmt: skip


def _group(study: Study, one: Columns) -> Group:
    setting, known = one.setting, bool((one.first >= 0).all())
    share, returns = by_place(one, one.share), by_place(one, one.returns)
    return Group(
        label=setting.label,
        seats=setting.seats,
        options=setting.options,
        players=setting.players,
        games=len(one.decisions),
        fair=one.fair,
        length=spread(one.decisions),
        draws=spread(one.draws),
        places=[
            Part(place(i, known), bounded(share[:, i]), mean(returns[:, i]))
            for i in range(setting.seats)
        ],
        luck=unequal(share),
        who=_players(study, one),
        shared=proportion(int(one.shared.sum()), len(one.shared)),
        best=None if one.best is None else spread(one.best),
        margin=None if one.margin is None else spread(one.margin),
        endings=[
            Part(text, proportion(n, len(one.ending)))
            for text, n in Counter(one.ending.tolist()).most_common()
        ],
        nodes=[
            Part(node.name.lower(), mean(one.visits[:, i]))
            for i, node in enumerate(study.rules.node)
            if one.visits[:, i].any()
        ],
    )


def by_place(one: Columns, values: NDArray[Any]) -> NDArray[Any]:
    """What the seats have, in the order of play from whoever begins, if that is known."""
    seats = np.arange(one.setting.seats)[None, :]
    first = np.maximum(one.first, 0)[:, None]
    return np.asarray(np.take_along_axis(values, (seats + first) % one.setting.seats, axis=1))


def place(i: int, known: bool) -> str:
    """What a place is called."""
    if not known:
        return f"seat {i + 1}"
    return ("begins", "second", "third", "fourth", "fifth", "sixth")[i] if i < 6 else str(i + 1)


def _players(study: Study, one: Columns) -> list[Part]:
    names = one.setting.players
    if len(names) == 1:
        return []
    teams = study.rules.teams(one.setting.seats)
    rows = np.arange(len(one.game))
    found = []
    for player, name in enumerate(names):  # a player sits at one side of every game
        seat = np.array([teams.index((player - turn) % len(names)) for turn in range(len(names))])
        mine = seat[one.game % len(names)]
        found.append(Part(name, bounded(one.share[rows, mine]), mean(one.returns[rows, mine])))
    return found


def spread(values: NDArray[Any]) -> Spread:
    """How these numbers are spread."""
    least, low, median, high, most = np.percentile(values, (0, 5, 50, 95, 100)).tolist()
    unit = int(np.gcd.reduce(np.unique(values - least).astype(np.int64))) or 1
    width = unit * int(max(1, np.ceil((most - least + unit) / unit / BINS)))
    counts = np.bincount(((values - least) // width).astype(np.int64)).tolist()
    return Spread(mean(values), deviation(values), least, low, median, high, most, width, counts)


def deviation(values: NDArray[Any]) -> float:
    """The standard deviation; 0 of a single number."""
    return float(values.std(ddof=1)) if len(values) > 1 else 0.0


def mean(values: NDArray[Any]) -> Estimate:
    """The mean, and its normal interval."""
    centre, error = float(values.mean()), Z * deviation(values) / sqrt(len(values))
    return Estimate(centre, centre - error, centre + error)


def bounded(values: NDArray[Any]) -> Estimate:
    """The mean of shares; Wilson's interval if each is 0 or 1, else the normal one within."""
    if np.isin(values, (0, 1)).all():
        return proportion(int(values.sum()), len(values))
    found = mean(values)
    return Estimate(found.value, max(0.0, found.low), min(1.0, found.high))


def proportion(n: int, of: int) -> Estimate:
    """A share of games, with Wilson's interval."""
    p, z = n / of, Z * Z / of
    centre, error = (p + z / 2) / (1 + z), Z / (1 + z) * sqrt(p * (1 - p) / of + z / of / 4)
    return Estimate(p, max(0.0, min(p, centre - error)), min(1.0, max(p, centre + error)))


def unequal(share: NDArray[Any]) -> float:
    """How likely shares so unequal are if all places are equal: a chi-squared test (Wald's)."""
    games, places = share.shape
    if games < 2:
        return 1.0
    off = share.mean(axis=0) - share.mean()
    cover = np.cov(share, rowvar=False) / games
    rank = int(np.linalg.matrix_rank(cover))
    if not rank:
        return 1.0
    return tail(float(off @ np.linalg.pinv(cover, hermitian=True) @ off), min(rank, places - 1))


def tail(x: float, degrees: int) -> float:
    """How likely a chi-squared number of so many degrees of freedom is above x.

    Abramowitz and Stegun 26.4.4 and 26.4.5.
    """
    half = x / 2
    found, k = (exp(-half), 2) if degrees % 2 == 0 else (erfc(sqrt(half)), 1)
    while k < degrees:
        found += half ** (k / 2) * exp(-half) / gamma(k / 2 + 1)
        k += 2
    return min(1.0, found)
