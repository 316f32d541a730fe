"""How the previous round was settled, shown step by step: on a slate, and in the players' places.

The slate stays until the furnace is opened again, for those who read slowly or missed it.
"""

from collections.abc import Iterator
from functools import lru_cache

from diablerie.art.svg import Svg, group, rect, svg_text
from diablerie.engine.game import Translate
from diablerie.engine.text import Line, say
from diablerie.games.coals.ui.log import Result
from diablerie.games.coals.ui.view import View

BEAT_MILLISECONDS = 1500  # from step to step
STAKES, DOUBLE, COAL, PIECES, TOTAL = range(1, 6)  # the beats
SLATE_LEFT = 86
SLATE_WIDTH = 428
SLATE_BOTTOM = 350
SLATE_LINE = 25


def settled(view: View) -> bool:
    """Whether the picture shows how the last round was settled."""
    return bool(view.last) and (view.betting or view.over)


def slate(view: View, t: Translate) -> Svg | None:
    """What was paid for, a line for each step."""
    return _slate(view.last, settled_round(view), t, view.over) if settled(view) else None


@lru_cache(64)
def _slate(last: tuple[Result, ...], number: int, t: Translate, over: bool) -> Svg:
    lines = list(_steps(last))
    high = SLATE_LINE * len(lines) + 10
    return group(
        rect(SLATE_LEFT, SLATE_BOTTOM - high, SLATE_WIDTH, high, "slate", rx=8),
        *(_row(number, k, step, t(line), len(lines)) for k, (step, line) in enumerate(lines)),
        id=f"coals-slate-{number}",
        data_pacer=None if over else 0,  # at the end nobody waits for the podium
        data_reader=True,
        data_word=t(say("Continue")),
    )


def _row(number: int, k: int, step: int, words: str, rows: int) -> Svg:
    y = SLATE_BOTTOM - 10 - SLATE_LINE * (rows - 1 - k)
    return group(
        svg_text(SLATE_LEFT + SLATE_WIDTH / 2, y, words, "slate-text", 19, text_anchor="middle"),
        id=f"coals-slate-{number}-{step}",
        **at_step(step),
    )


def _steps(last: tuple[Result, ...]) -> Iterator[tuple[int, Line]]:
    best = max(own.coal for own in last)
    yield STAKES, say("Stakes up to {best} are paid", "C17", best=best)
    if any(own.double for own in last):
        yield DOUBLE, say("The highest stake pays double", "C18")
    for step, amounts, words in (
        (COAL, [own.most_coal for own in last], say("The most coal: {n}", "C19", n=0)),
        (PIECES, [own.most_pieces for own in last], say("The most pieces: {n}", "C19", n=0)),
    ):
        if amount := max(amounts):
            yield step, words._replace(values={"n": amount})


def at_step(step: int) -> dict[str, object]:
    """Attributes by which the script shows an element when it comes to a step."""
    return {"data_enter": "pop", "data_beat": step, "data_delay": (step - 1) * BEAT_MILLISECONDS}


def parts(own: Result, i: int, number: int) -> Svg:
    """What each step of a round brought one seat, in a row."""
    x = 82.0
    drawn = []
    for step, amount in (
        (DOUBLE if own.double else STAKES, own.paid),
        (COAL, own.most_coal),
        (PIECES, own.most_pieces),
    ):
        if amount:
            words = f"{'+' if amount > 0 else '−'}{abs(amount)}"
            id_ = f"coals-part-{number}-{i}-{step}"
            drawn.append(svg_text(x, 50, words, "place-part", 18, id=id_, **at_step(step)))
            x += 11 * len(words) + 8
    return group(*drawn)


def settled_round(view: View) -> int:
    """The number of the round that was settled last."""
    return view.round - (not view.over)
