"""The report of a training: one HTML file that needs nothing else, as a simulation's."""

from collections.abc import Iterator
from typing import Any

from diablerie.engine.text import Line, say
from diablerie.lab.intervals import Estimate
from diablerie.lab.simulate.figures import ACCENT, FAINT, INK, LINE, PAPER, picture
from diablerie.lab.simulate.page import foot, framed, framed_figure, table, tile, words
from diablerie.lab.train.command import told
from diablerie.lab.train.running import Lap, Trained

HIGH = 2.6  # inches


def page(found: Trained, command: str) -> str:
    """The whole page; `command` is what made it."""
    config = found.config
    body = "".join((
        *_tiles(found), *_pictures(found), _numbers(found),
        foot(command, how(), config.diablerie, config.version),
    ))  # fmt: skip
    title = say("{game}, learnt", game=config.rules.title)
    return framed(config.rules, title, say("A training by diablerie"), _lede(found), body)


def how() -> Line:
    """How the numbers are to be read."""
    return say(
        "An error is the mean squared difference between what a position was taken for and how "
        "its game ended (returns, −1 to 1), over games that were not yet learnt from. Intervals "
        "are 95 %, over chunks of games."
    )


def _lede(found: Trained) -> Line:
    config = found.config
    return say(
        "{generations} generations of {games} games with each number of seats, searches of {n} "
        "iterations, λ {fade}, {units} units beside {entries} entries.",
        generations=config.generations, games=f"{config.games:,}", n=config.iterations,
        fade=config.fade, units=config.units, entries=len(config.entries),
    )  # fmt: skip


def laps_of(found: Trained, seats: int) -> list[Lap]:
    """The generations with so many seats."""
    return [lap for lap in found.laps if lap.seats == seats]


def _tiles(found: Trained) -> Iterator[str]:
    yield '<section class="tiles">'
    for seats in found.config.seats:
        last = laps_of(found, seats)[-1]
        if last.learnt and last.better:
            yield tile(f"{last.learnt.value:.3f}", say("error as learnt, {n} seats", n=seats),
                       say("by hand {hand}; smaller by [{low}, {high}]",
                           hand=f"{last.hand.value:.3f}", low=f"{last.better.low:.4f}",
                           high=f"{last.better.high:.4f}"))  # fmt: skip
        else:
            yield tile(f"{last.hand.value:.3f}", say("error by hand, {n} seats", n=seats),
                       say("nothing was learnt before these games"))  # fmt: skip
    yield "</section>"


def _pictures(found: Trained) -> Iterator[str]:
    yield '<section class="pictures">'
    for seats in found.config.seats:
        name = f"curve-{seats}"
        yield framed_figure(
            name, say("What is learnt, {seats} seats", seats=seats),
            say("The error of what positions are taken for, generation by generation, before the "
                "games are learnt from. Full dots: as learnt until then; hollow ones: by hand."),
            curve(laps_of(found, seats), name),
        )  # fmt: skip
    yield "</section>"


def curve(laps: list[Lap], name: str) -> str:
    """Errors by generation, with intervals."""

    def line(axes: Any, ones: list[tuple[int, Estimate]], face: str, shift: float) -> None:
        at = [x + shift for x, _ in ones]
        colour = ACCENT if face == ACCENT else FAINT
        axes.vlines(at, [one.low for _, one in ones], [one.high for _, one in ones], color=INK,
                    linewidth=1.6, zorder=2)  # fmt: skip
        axes.plot(at, [one.value for _, one in ones], "o", linestyle="-", color=colour,
                  linewidth=1.2, markersize=8, markerfacecolor=face, markeredgewidth=1.6,
                  zorder=3)  # fmt: skip

    def draw(axes: Any) -> None:
        line(axes, [(lap.generation + 1, lap.hand) for lap in laps], PAPER, 0.06)
        learnt = [(lap.generation + 1, lap.learnt) for lap in laps if lap.learnt]
        if learnt:
            line(axes, learnt, ACCENT, -0.06)
        axes.set_xticks([lap.generation + 1 for lap in laps])
        axes.set_xlim(0.6, len(laps) + 0.4)
        axes.grid(axis="y", color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        axes.set_xlabel("generation")
        axes.set_ylabel("mean squared error")

    return picture(draw, HIGH, name)


def _numbers(found: Trained) -> str:
    rows = [
        (f"{lap.seats} seats, generation {lap.generation + 1}", told(lap.hand), told(lap.learnt),
         told(lap.better))
        for lap in sorted(found.laps, key=lambda one: (one.seats, one.generation))
    ]  # fmt: skip
    head = "", "by hand", "learnt", "smaller by"
    summary = words(say("All numbers, with 95 % intervals"))
    body = table("mean squared errors", head, rows)
    return f'<details class="numbers"><summary>{summary}</summary>{body}</details>'
