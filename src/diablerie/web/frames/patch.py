"""The parts of a picture: how a new picture is sent as a patch, and which actions its parts offer.

    patch(old, new)   [[0, 18], "<g id=…>5</g>", [20, 37]]

A move changes little of a picture. So a patch refers to runs of old parts, by the index of the
first and their number, and holds only the text of new parts. `mend` in static/live.js applies it.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from markupsafe import escape

from diablerie.art.svg import Parted

CUT = re.compile(r"(?<=[\s\S])(?=<)")
# Of a data attribute's value, to its end or the first step
BEGINNING = re.compile(r' data-[a-z-]+="([^";]*)[";]')

Patch = list[str | list[int]]


def pieces(html: str) -> tuple[str, ...]:
    """HTML cut before every tag."""
    return tuple(CUT.split(html))


def parts_of(drawn: str) -> tuple[str, ...]:
    """The parts of a picture: as its game has cut it, or cut before every tag."""
    return drawn.parts if isinstance(drawn, Parted) else pieces(drawn)


def patch(old: Sequence[str], new: Sequence[str]) -> Patch:
    """The patch that makes `new` of `old`. Of equal old parts it refers to the first."""
    first: dict[str, int] = {}
    for i, part in enumerate(old):
        first.setdefault(part, i)
    changes: Patch = []
    after = -1  # the old part that would make the last run longer
    for part in new:
        if 0 <= after < len(old) and old[after] == part and isinstance(changes[-1], list):
            changes[-1][1] += 1
            after += 1
        elif (place := first.get(part)) is not None:
            changes.append([place, 1])
            after = place + 1
        else:
            changes.append(part)
            after = -1
    return changes


def pictured(parts: Iterable[str], actions: Iterable[str]) -> set[str]:
    """Those of `actions` that a click in the picture can choose.

    A part offers an action if a data attribute of it is the action, or a walk that begins with it. A
    part with `data-assign` (cards laid on places) offers every action.
    """
    written = {str(escape(one)): one for one in actions}
    wanted = {None, *written}  # few: a part may have a thousand attributes
    named = set[str | None]().union(*[_named(part) & wanted for part in parts])
    return {one for text, one in written.items() if None in named or text in named}


@lru_cache(4096)
def _named(part: str) -> frozenset[str | None]:
    """The values of a part's data attributes, each up to its first `;`; None stands for every action."""
    everything = {None} if "data-assign=" in part else set()
    return frozenset({*BEGINNING.findall(part), *everything})
