"""The row under the board: wooden signs for what is no space, or what still lies face down."""

from collections.abc import Sequence
from functools import lru_cache

from diablerie.art.svg import Svg, at, element, group, path, rect, svg_text
from diablerie.engine.game import Translate
from diablerie.engine.text import say, says
from diablerie.games.underworld.rules.notation import ACTIONS
from diablerie.games.underworld.ui.text.buttons import WORDS
from diablerie.games.underworld.ui.view import View

SIGNS = 56  # height
TALL = 40


def signs(view: View, moves: Sequence[str], t: Translate, top: float) -> Svg:
    """What can be decided here besides spaces; else the odds."""
    words = [text for text in moves if ACTIONS.parse(text) in WORDS]
    if not words:
        return group(_odds(tuple(view.hidden.items()), t), transform=at(24, top), id="uw-signs")
    row, x = [], 24.0
    for action in words:
        label = t(WORDS[ACTIONS.parse(action)])
        wide = 34 + 9.6 * len(label)
        row.append(_sign(action, label, wide, x, top + 9))
        x += wide + 12
    return group(*row, id="uw-signs")


def _sign(action: str, label: str, wide: float, x: float, y: float) -> Svg:
    grain = f"M10 11H{wide - 12:.0f}M16 {TALL - 10}H{wide - 20:.0f}"
    return group(
        rect(0, 0, wide, TALL, "sign ink-line", rx=5),
        path(grain, "grain"),
        svg_text(wide / 2, 26, label, "sign-word", font_size=18.5),
        transform=at(x, y),
        class_="spot can sign-spot",
        data_action=action,
        data_light=action,
        id=f"uw-sign-{action.replace(' ', '-')}",
    )


@lru_cache(256)
def _odds(cards: tuple[tuple[str, int], ...], t: Translate) -> Svg:
    """What the backs may still be, as far as the viewer can tell."""
    hidden = dict(cards)
    if not sum(hidden.values()):
        done = t(say("There is no card left that you have not seen"))
        return svg_text(0, 35, done, "odds", font_size=18.5)
    line = say(
        "Not seen yet: {cards}, {devils} and {towers} among them",
        cards=says("{n} card", "{n} cards", sum(hidden.values())),
        devils=says("{n} devil", "{n} devils", hidden["devil"]),
        towers=says("{n} tower", "{n} towers", hidden["tower"]),
    )
    note = element("title", t(say("All 42 cards are in the game", "U3")))
    return group(note, svg_text(0, 35, t(line), "odds", font_size=18.5))
