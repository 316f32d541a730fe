"""Patches: new HTML told as pieces of the old one, since a move changes little of a picture.

    patch(pieces(old), pieces(new))   [[0, 618], "<g id=…>5", [620, 37]]

A pair says from where and how many of the old pieces are taken. `mend` in static/live.js puts
it together again; both cut before every `<`.
"""

import re

CUT = re.compile(r"(?<=[\s\S])(?=<)")  # never at the very beginning, as in JavaScript

Patch = list[str | list[int]]


def pieces(html: str) -> list[str]:
    """The HTML cut before every tag."""
    return CUT.split(html)


def patch(old: list[str], new: list[str]) -> Patch:
    """The new pieces, as far as possible as runs of the old ones."""
    first: dict[str, int] = {}
    for i, piece in enumerate(old):
        first.setdefault(piece, i)
    told: Patch = []
    for piece in new:
        _tell(told, piece, old, first.get(piece))
    return told


def _tell(told: Patch, piece: str, old: list[str], found: int | None) -> None:
    last = told[-1] if told else ""
    if isinstance(last, list) and old[sum(last) : sum(last) + 1] == [piece]:
        last[1] += 1
    elif found is not None:
        told.append([found, 1])
    elif told and isinstance(last, str):
        told[-1] = last + piece
    else:
        told.append(piece)
