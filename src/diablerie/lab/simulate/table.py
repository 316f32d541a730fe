"""The summary of a simulation as tables for a terminal."""

from collections.abc import Callable

from rich.console import Group as Together
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from diablerie.lab.intervals import Estimate
from diablerie.lab.report import between, luck, percent
from diablerie.lab.simulate.summary import Group, Part, Spread, Summary

Show = Callable[[float], str]


def number(x: float) -> str:
    """A number with as many digits as say something."""
    if x == 0:
        return "0"
    digits = next(n for n, least in ((0, 100), (1, 10), (2, 1), (3, 0)) if abs(x) >= least)
    return f"{x:.{digits}f}"


def signed(x: float) -> str:
    """A difference."""
    return f"{x:+.3f}" if 0 < abs(x) < 10 else f"{x:+.1f}" if x else "0"


def tables(found: Summary) -> RenderableType:
    """Everything, setting by setting, and then how they differ."""
    parts: list[RenderableType] = [Text(title(found), style="bold")]
    for group in found.settings:
        said = heading(found, group)
        parts += [Text(f"\n{said}", style="bold"), _numbers(group), _shares(group)]
    if found.comparisons:
        parts += [Text(f"\nbeside {found.comparisons[0].base}", style="bold"), _compared(found)]
    parts.append(Text(notes(found), style="dim"))
    return Together(*parts)


def title(found: Summary) -> str:
    """What was simulated."""
    study = found.config
    return f"{study.game}, {study.games} games a setting, seed {study.seed}"


def heading(found: Summary, group: Group) -> str:
    """What a setting is: its seats, players, and options that are not the usual ones."""
    usual = {o.name: o.format(o.default) for o in found.config.rules.options}
    options = [
        f"{name} {value}"
        for name, value in group.options.items()
        if value != usual[name] or f"{name} {value}" in group.label
    ]
    return ", ".join([f"{group.seats} seats", " against ".join(group.players), *options])


def notes(found: Summary, rate: bool = True) -> str:
    """What the numbers rest on; with the speed of this run, if it is to be told."""
    speed = f"{found.rate:,.0f} games a second. " if found.rate and rate else ""
    clock = (
        "" if found.reproducible else "A player thinks by the clock: this cannot be reproduced. "
    )
    many = (
        f"The {len(found.comparisons)} comparisons: intervals hold together with 95 % "
        "(Bonferroni), “by luck” after Holm, effect in standard deviations of a game."
        if found.comparisons
        else ""
    )
    return (
        f"{speed}{clock}Intervals are 95 %: Wilson's for shares of games, else normal. Shares of "
        f"the win: a shared one counts in parts. {many}"
    )


def spreads(group: Group) -> list[tuple[str, Spread]]:
    """What is measured of every game."""
    found = [("decisions", group.length), ("outcomes of chance", group.draws)]
    found += [("winner's points", group.best)] if group.best else []
    return found + ([("winner's margin", group.margin)] if group.margin else [])


def parts(group: Group) -> list[tuple[str, list[Part], Show]]:
    """What the games are divided into."""
    shared = [Part("shared, or nobody's", group.shared)]
    return [
        ("share of the win", group.places, percent),
        ("", group.who, percent),
        ("", shared, percent),
        ("ended since", group.endings, percent),
        ("decisions at", group.nodes, number),
    ]


def _numbers(group: Group) -> Table:
    table = Table()
    table.add_column("of a game")
    for name in ("mean", "95 %", "5 %", "median", "95 %", "longest"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, one in spreads(group):
        cells = (one.low, one.median, one.high, one.most)
        table.add_row(name, number(one.mean.value), between(one.mean, number), *map(number, cells))
    return table


def _shares(group: Group) -> Table:
    table = Table()
    for name, side in (("", "left"), ("", "left"), ("share", "right"), ("95 %", "right"),
                       ("return", "right"), ("95 %", "right")):  # fmt: skip
        table.add_column(name, justify="right" if side == "right" else "left")
    for what, found, show in parts(group):
        for i, one in enumerate(found):
            table.add_row(what if not i else "", one.name, *cells(one.share, show),
                          *(cells(one.returns, signed) if one.returns else ("", "")))  # fmt: skip
    table.caption = f"places so unequal by luck: {luck(group.luck)}"
    return table


def cells(found: Estimate, show: Show) -> tuple[str, str]:
    """A number and its interval."""
    return show(found.value), between(found, show)


def _compared(found: Summary) -> Table:
    table = Table()
    for name in ("setting", "what", "before", "after", "difference", "95 %", "effect", "95 %",
                 "by luck"):  # fmt: skip
        table.add_column(name, justify="left" if name in ("setting", "what") else "right")
    for one in found.comparisons:
        table.add_row(
            one.setting, one.what, number(one.before), number(one.after),
            *cells(one.difference, signed), *cells(one.effect, signed), luck(one.chance),
        )  # fmt: skip
    return table
