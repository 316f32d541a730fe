"""The result of a training as a table for a terminal."""

from rich.table import Table

from diablerie.lab.html.formats import format_estimate
from diablerie.lab.train.study import GenerationMetrics, TrainingResult


def training_table(result: TrainingResult) -> Table:
    """How well the results of every generation were predicted before it was played."""
    game = result.config.game
    table = Table(title=f"{game}: mean squared error of what positions were taken for")
    for heading in ("seats", "generation", "by hand", "learnt", "smaller by"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in result.by_seats:
        table.add_row(str(one.seats), str(one.generation + 1), *metric_cells(one))
    return table


def metric_cells(one: GenerationMetrics) -> list[str]:
    """The errors by hand and as learnt, and their difference."""
    return [format_estimate(estimate) for estimate in (one.hand, one.learnt, one.better)]
