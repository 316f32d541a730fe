"""Whether a picture offers what a list of buttons does."""

import re
from collections.abc import Iterable
from functools import lru_cache

from markupsafe import escape

BEGINNING = re.compile(r'="([^";]*)[";]')  # of an attribute's value, to its end or the first step


def pictured(parts: Iterable[str], actions: Iterable[str]) -> set[str]:
    """The actions that can be chosen in a picture.

    At a spot, as the first step of a walk, among the choices turned through, or by laying cards.
    """
    named = frozenset[str]().union(*map(_named, parts))
    return {one for one in actions if None in named or str(escape(one)) in named}


@lru_cache(4096)
def _named(part: str) -> frozenset[str | None]:
    """What is named in a part of a picture; None stands for everything."""
    everything = {None} if "data-assign=" in part else set()
    return frozenset({*BEGINNING.findall(part), *everything})
