"""Patches: new parts told as runs of the old ones, since a move changes little of a picture.

    patch(old, new)   [[0, 18], "<g id=…>5</g>", [20, 37]]

A pair says from where and how many of the old parts are taken, a text is one new part. `mend` in
static/live.js puts them together again.
"""

import re
from collections.abc import Sequence

from diablerie.art.svg import Parted

CUT = re.compile(r"(?<=[\s\S])(?=<)")

Patch = list[str | list[int]]


def pieces(html: str) -> tuple[str, ...]:
    """HTML that nobody has cut into parts, cut before every tag."""
    return tuple(CUT.split(html))


def parts_of(drawn: str) -> tuple[str, ...]:
    """The parts of a picture, as it was cut by its game or as it can be."""
    return drawn.parts if isinstance(drawn, Parted) else pieces(drawn)


def patch(old: Sequence[str], new: Sequence[str]) -> Patch:
    """The new parts, as far as possible as runs of the old ones."""
    first: dict[str, int] = {}
    for i, part in enumerate(old):
        first.setdefault(part, i)
    told: Patch = []
    after = -1  # the old part that would make the last run longer
    for part in new:
        if 0 <= after < len(old) and old[after] == part and isinstance(told[-1], list):
            told[-1][1] += 1
            after += 1
        elif (found := first.get(part)) is not None:
            told.append([found, 1])
            after = found + 1
        else:
            told.append(part)
            after = -1
    return told
