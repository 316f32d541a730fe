"""The devil on the pages: figures, heads, and the marks of seats, as safe markup."""

from functools import cache

from markupsafe import Markup

from diablerie.art import devil, marks
from diablerie.art.head import head
from diablerie.art.svg import element

MOODS = ("grin", "think", "triumph", "sleep", "sly")


def devil_figure(pose: str, seat: int | None = None) -> Markup:
    """The devil in a pose."""
    return Markup(devil.figure(pose, seat))


def devil_avatar(mood: str) -> Markup:
    """The devil's head alone."""
    return Markup(devil.avatar(mood))


def seat_mark(seat: int) -> Markup:
    """A seat's mark, for running text."""
    return Markup(marks.dot(seat))


@cache
def heads() -> Markup:
    """All heads once, hidden, for `<use href="#head-MOOD">`: a seat's colour comes from there."""
    symbols = [
        element("symbol", head(mood), id=f"head-{mood}", viewBox="-92 -154 180 200")
        for mood in MOODS
    ]
    return Markup(element("svg", *symbols, class_="sprite", width=0, height=0, aria_hidden="true"))
