"""The night above the board: how near daybreak is."""

from functools import lru_cache

from diablerie.art.svg import Svg, at, circle, element, group, path, rect, svg_text
from diablerie.engine.game import Translate
from diablerie.engine.text import say, says
from diablerie.games.underworld.rules.board import DEALT
from diablerie.games.underworld.ui.view import View

NIGHT = 52  # height
CARDS = DEALT.bit_count()
TIRED = 20  # turns to daybreak by the clock from which on it is shown
STARS = ((60, 14), (118, 26), (171, 10), (226, 22), (262, 12), (318, 24), (366, 11), (30, 30))


def night(view: View, t: Translate) -> Svg:
    """The sun climbs with every card that is turned up."""
    counted = view.turns_left <= TIRED and view.node != "over"
    return _night(view.down, view.turns_left if counted else None, t)


@lru_cache(256)
def _night(down: int, turns: int | None, t: Translate) -> Svg:
    done = (CARDS - down) / CARDS
    note = say("Day breaks when every card is face up: whoever is still in stays.", "U28")
    return group(
        element("title", t(note)),
        rect(2, 2, 596, NIGHT - 6, "sky", rx=10),
        rect(2, 2, 596, NIGHT - 6, "dawn", rx=10, opacity=round(done * done, 3)),
        *(circle(x, y, 1.6, "star") for x, y in STARS if x > 30 + 310 * done),
        _sun(done),
        _count(down, turns, t),
        id="uw-night",
        class_="night day" if done > 0.7 else "night",
    )


def _sun(done: float) -> Svg:
    rays = "".join(f"M{x} {y}L{x * 1.35:.1f} {y * 1.35:.1f}" for x, y in RAYS)
    x, y = 30 + 310 * done, 40 - 18 * done
    return group(path(rays, "rays"), circle(0, 0, 11, "sun"), transform=at(x, y), id="uw-sun")


RAYS = ((0, -14), (10, -10), (14, 0), (-10, -10), (-14, 0), (10, 10), (-10, 10), (0, 14))


def _count(down: int, turns: int | None, t: Translate) -> Svg:
    """Cards to daybreak, or turns if these run out first."""
    if turns is not None:
        line = says("daybreak in {n} turn", "daybreak in {n} turns", turns, "U29")
    else:
        line = says("{n} card to daybreak", "{n} cards to daybreak", down, "U28")
    return svg_text(586, 30, t(line), "night-count", font_size=18.5)
