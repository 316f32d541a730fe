"""The summary of a simulation as tables for a terminal."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from diablerie.lab.html.formats import (
    Format,
    format_difference,
    format_interval,
    format_number,
    format_p_value,
    format_percent,
)
from diablerie.lab.simulate.summary import SettingSummary, SimulationSummary, SummaryPart
from diablerie.lab.statistics import Distribution, Estimate


def simulation_tables(summary: SimulationSummary) -> RenderableType:
    """The whole summary: every setting, and then how they differ."""
    parts: list[RenderableType] = [Text(_title(summary), style="bold")]
    for setting in summary.settings:
        heading = setting_heading(summary, setting)
        parts += [Text(f"\n{heading}", style="bold"), _numbers(setting), _shares(setting)]
    if summary.comparisons:
        heading = f"\nbeside {summary.comparisons[0].base}"
        parts += [Text(heading, style="bold"), _comparisons(summary)]
    parts.append(Text(simulation_note(summary), style="dim"))
    return Group(*parts)


def _title(summary: SimulationSummary) -> str:
    config = summary.config
    return f"{config.game}, {config.games} games a setting, seed {config.seed}"


def setting_heading(summary: SimulationSummary, setting: SettingSummary) -> str:
    """The seats and players of a setting, and its options that vary or are not the default."""
    usual = {o.name: o.format(o.default) for o in summary.config.rules.options}
    options = [
        f"{name} {value}"
        for name, value in setting.options.items()
        if value != usual[name] or f"{name} {value}" in setting.label
    ]
    return ", ".join([f"{setting.seats} seats", " against ".join(setting.players), *options])


def simulation_note(summary: SimulationSummary, rate: bool = True) -> str:
    """How to read the numbers. rate: whether to add the speed of this run."""
    speed = f"{summary.rate:,.0f} games a second. " if summary.rate and rate else ""
    clock = (
        "" if summary.reproducible else "A player thinks by the clock: this cannot be reproduced. "
    )
    many = (
        f"The {len(summary.comparisons)} comparisons: intervals hold together with 95 % "
        "(Bonferroni), “by luck” after Holm, effect in standard deviations of a game."
        if summary.comparisons
        else ""
    )
    return (
        f"{speed}{clock}Intervals are 95 %: Wilson's for shares of games, else normal. Shares of "
        f"the win: a shared one counts in parts. {many}"
    )


def measured_distributions(setting: SettingSummary) -> list[tuple[str, Distribution]]:
    """The numbers that every game has, by name."""
    distributions = [("decisions", setting.length), ("outcomes of chance", setting.draws)]
    distributions += [("winner's points", setting.best)] if setting.best else []
    return distributions + ([("winner's margin", setting.margin)] if setting.margin else [])


def _parts(setting: SettingSummary) -> list[tuple[str, list[SummaryPart], Format]]:
    shared = [SummaryPart("shared, or nobody's", setting.shared)]
    return [
        ("share of the win", setting.places, format_percent),
        ("", setting.who, format_percent),
        ("", shared, format_percent),
        ("ended since", setting.endings, format_percent),
        ("decisions at", setting.nodes, format_number),
    ]


def _numbers(setting: SettingSummary) -> Table:
    table = Table()
    table.add_column("of a game")
    for name in ("mean", "95 %", "5 %", "median", "95 %", "longest"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, one in measured_distributions(setting):
        quantiles = map(format_number, (one.low, one.median, one.high, one.most))
        table.add_row(name, *_cells(one.mean, format_number), *quantiles)
    return table


def _shares(setting: SettingSummary) -> Table:
    table = Table()
    for _ in range(2):
        table.add_column("")
    for name in ("share", "95 %", "return", "95 %"):
        table.add_column(name, justify="right")
    for what, parts, show in _parts(setting):
        for i, one in enumerate(parts):
            returns = _cells(one.returns, format_difference) if one.returns else ("", "")
            table.add_row("" if i else what, one.name, *_cells(one.share, show), *returns)
    table.caption = f"places so unequal by luck: {format_p_value(setting.luck)}"
    return table


def _cells(estimate: Estimate, show: Format) -> tuple[str, str]:
    """An estimate and its interval."""
    return show(estimate.value), format_interval(estimate, show)


def _comparisons(summary: SimulationSummary) -> Table:
    table = Table()
    for name in ("setting", "what"):
        table.add_column(name)
    for name in ("before", "after", "difference", "95 %", "effect", "95 %", "by luck"):
        table.add_column(name, justify="right")
    for one in summary.comparisons:
        table.add_row(
            one.setting,
            one.what,
            format_number(one.before),
            format_number(one.after),
            *_cells(one.difference, format_difference),
            *_cells(one.effect, format_difference),
            format_p_value(one.chance),
        )
    return table
