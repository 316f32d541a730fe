"""The result of a training as a report: a table for a terminal, and an HTML page."""

from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType

from diablerie.engine.text import Line, say
from diablerie.lab.fit.config import TrainingConfig
from diablerie.lab.fit.study import GenerationMetrics, TrainingResult
from diablerie.lab.html.figures import ACCENT, FAINT, INK, LINE, PAPER, svg_figure
from diablerie.lab.html.formats import format_estimate
from diablerie.lab.html.page import html_figure, html_report, html_section, html_tile
from diablerie.lab.html.tables import SummaryTable, html_numbers, terminal_report
from diablerie.lab.statistics import Estimate

FIGURE_HEIGHT = 2.6  # inches


ERROR_NOTE = (
    "An error is the mean squared difference between what a position was taken for and how its "
    "game ended (returns, −1 to 1), over games that were not yet learnt from. Intervals are 95 %, "
    "over chunks of games."
)


def training_tables(result: TrainingResult) -> RenderableType:
    """The errors of all generations for a terminal."""
    config = result.config
    title = f"{config.game}, {config.generations} generations, seed {config.seed}"
    return terminal_report(title, [_error_table(result)], ERROR_NOTE, training_finding(result))


def training_finding(result: TrainingResult) -> str:
    """What was found, in a sentence: whether what is learnt judges better than the game's value."""
    found = "; ".join(
        f"with {seats} seats {_better(_with_seats(result, seats)[-1])}"
        for seats in result.config.seats
    )
    return f"Learnt values against those written by hand: {found}."


def _better(last: GenerationMetrics) -> str:
    """How the errors of the last generation compare."""
    if not last.learnt or not last.better:
        return "nothing was learnt before the last games, so they cannot be compared yet"
    better, worse = last.better.low > 0, last.better.high < 0
    verdict = "better" if better else "worse" if worse else "no clear difference"
    return f"{verdict}, an error of {last.learnt.value:.3f} instead of {last.hand.value:.3f}"


def _error_table(result: TrainingResult) -> SummaryTable:
    """How well the results of every generation were predicted before it was played."""
    rows = [
        (
            str(one.seats),
            str(one.generation + 1),
            *(format_estimate(estimate) for estimate in (one.hand, one.learnt, one.better)),
        )
        for one in result.by_seats
    ]
    head = "seats", "generation", "by hand", "learnt", "smaller by"
    return SummaryTable("mean squared errors", head, rows)


# -- the page --------------------------------------------------------------------------------------


def training_page(result: TrainingResult, command: str) -> str:
    """The whole page. command: what made it."""
    config = result.config
    return html_report(
        config.rules,
        title=say("{game}, learnt", game=config.rules.title),
        kind=say("A training by diablerie"),
        finding=training_finding(result),
        lede=_lede(config),
        sections=(
            html_section("tiles", _tiles(result)),
            html_section("pictures", _figures(result)),
            html_numbers([_error_table(result)]),
        ),
        command=command,
        note=ERROR_NOTE,
        diablerie=config.diablerie,
        version=config.version,
    )


def _lede(config: TrainingConfig) -> Line:
    return say(
        "{generations} generations of {games} games with each number of seats, searches of {n} "
        "iterations, λ {fade}, {units} units beside {entries} entries.",
        generations=config.generations,
        games=f"{config.games:,}",
        n=config.iterations,
        fade=config.fade,
        units=config.units,
        entries=len(config.entries),
    )


def _with_seats(result: TrainingResult, seats: int) -> list[GenerationMetrics]:
    return [one for one in result.metrics if one.seats == seats]


def _tiles(result: TrainingResult) -> Iterator[str]:
    for seats in result.config.seats:
        last = _with_seats(result, seats)[-1]
        hand = f"{last.hand.value:.3f}"
        if last.learnt and last.better:
            low, high = f"{last.better.low:.4f}", f"{last.better.high:.4f}"
            yield html_tile(
                f"{last.learnt.value:.3f}",
                say("error as learnt, {n} seats", n=seats),
                say("by hand {hand}; smaller by [{low}, {high}]", hand=hand, low=low, high=high),
            )
        else:
            nothing = say("nothing was learnt before these games")
            yield html_tile(hand, say("error by hand, {n} seats", n=seats), nothing)


def _figures(result: TrainingResult) -> Iterator[str]:
    for seats in result.config.seats:
        name = f"curve-{seats}"
        yield html_figure(
            name,
            say("What is learnt, {seats} seats", seats=seats),
            say(
                "The error of what positions are taken for, generation by generation, before the "
                "games are learnt from. Full dots: as learnt until then; hollow ones: by hand."
            ),
            learning_curve(_with_seats(result, seats), name),
        )


def learning_curve(metrics: list[GenerationMetrics], name: str) -> str:
    """Errors by generation, with intervals."""
    x = [one.generation + 1 for one in metrics]

    def line(axes: Any, ones: list[tuple[int, Estimate]], face: str, shift: float) -> None:
        at, values = [x + shift for x, _ in ones], [one.value for _, one in ones]
        low, high = [one.low for _, one in ones], [one.high for _, one in ones]
        axes.vlines(at, low, high, color=INK, linewidth=1.6, zorder=2)
        marker = {"markersize": 8, "markerfacecolor": face, "markeredgewidth": 1.6}
        colour = ACCENT if face == ACCENT else FAINT
        axes.plot(at, values, "o", linestyle="-", color=colour, linewidth=1.2, zorder=3, **marker)

    def draw(axes: Any) -> None:
        line(axes, [(one.generation + 1, one.hand) for one in metrics], PAPER, 0.06)
        learnt = [(one.generation + 1, one.learnt) for one in metrics if one.learnt]
        if learnt:
            line(axes, learnt, ACCENT, -0.06)
        axes.set_xticks(x)
        axes.set_xlim(0.6, len(metrics) + 0.4)
        axes.grid(axis="y", color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        axes.set_xlabel("generation")
        axes.set_ylabel("mean squared error")

    return svg_figure(draw, FIGURE_HEIGHT, name)
