"""The parts of a picture: how a new picture is sent as a patch, and which actions its parts offer.

    patch(old, new)   [[0, 18], "<g id=…>5</g>", [20, 37]]

A move changes little of a picture. So a patch refers to runs of old parts, by the index of the
first and their number, and holds only the text of new parts. static/live.js applies it.

    edited(patch(old, new), old)   [[0, 18], [18, 7, 4, "5"], [19, 38]]

New parts are often old ones in which little is different: an edit holds the index of the old part,
how many characters of its beginning and of its end stay, and the text between them.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from markupsafe import escape

from diablerie.art.svg import Parted

TAG_START = re.compile(r"(?<=[\s\S])(?=<)")
# Of a data attribute's value, to its end or the first step
BEGINNING = re.compile(r' data-[a-z-]+="([^";]*)[";]')

Patch = list[str | list[int]]
Edit = tuple[int, int, str]  # characters (UTF-16 units) that stay, before and after; text between
SHORTEST_EDIT = 60  # characters that an edit has to spare
HALF_SHORTEST_EDIT = SHORTEST_EDIT // 2
LAST_CHARACTER = "\uffff"  # of the characters that are one UTF-16 unit


def pieces(html: str) -> tuple[str, ...]:
    """HTML cut before every tag."""
    return tuple(TAG_START.split(html))


def parts_of(drawn: str) -> tuple[str, ...]:
    """The parts of a picture: as its game has cut it, or cut before every tag."""
    return drawn.parts if isinstance(drawn, Parted) else pieces(drawn)


def patch(old: Sequence[str], new: Sequence[str]) -> Patch:
    """The patch that makes `new` of `old`. Of equal old parts it refers to the first."""
    size = len(old)
    first = dict(zip(reversed(old), range(size - 1, -1, -1), strict=True))
    changes: Patch = []
    run = [0, 0]  # the last one
    after = size  # the old part that would make it longer
    for part in new:
        if after < size and old[after] == part:
            run[1] += 1
            after += 1
        elif (index := first.get(part)) is not None:
            run = [index, 1]
            changes.append(run)
            after = index + 1
        else:
            changes.append(part)
            after = size
    return changes


def edited(changes: Patch, old: Sequence[str]) -> list[object]:
    """The patch with edits in place of new parts that are like the old ones there."""
    # of the old part that the next new one may come from
    changed = list[object]()
    index = 0
    for one in changes:
        if isinstance(one, list):
            changed.append(one)
            index = sum(one)
        elif index < len(old) and (edit := _edit(old[index], one)):
            changed.append((index, *edit))
            index += 1
        else:
            changed.append(one)
    return changed


@lru_cache(4096)
def _edit(old: str, new: str) -> Edit | None:
    """What makes one part of another; None if that spares little."""
    most = min(len(old), len(new))
    if most < SHORTEST_EDIT or not (
        old[:HALF_SHORTEST_EDIT] == new[:HALF_SHORTEST_EDIT]
        or old[-HALF_SHORTEST_EDIT:] == new[-HALF_SHORTEST_EDIT:]
    ):
        return None
    plain = old.isascii() and new.isascii()
    if not plain and max(*old, *new) > LAST_CHARACTER:
        return None  # characters of two units are written in full
    code, size = ("ascii", 1) if plain else ("utf-16-le", 2)
    a = old.encode(code)
    b = new.encode(code)
    before = _alike(a, b) // size
    after = min(_alike(a[::-1], b[::-1]) // size, most - before)
    middle = new[before : len(new) - after]
    return (before, after, middle) if before + after > SHORTEST_EDIT else None


def _alike(a: bytes, b: bytes) -> int:
    """How many bytes two texts have in common at their beginning."""
    size = min(len(a), len(b))
    differing = int.from_bytes(a[:size], "big") ^ int.from_bytes(b[:size], "big")
    return size - (differing.bit_length() + 7) // 8


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
