"""A calibration as tables for a terminal."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from diablerie.lab.calibration.reliability import Reliability
from diablerie.lab.calibration.study import CalibrationSummary
from diablerie.lab.html.formats import format_estimate
from diablerie.lab.statistics import Estimate


def calibration_tables(summary: CalibrationSummary) -> RenderableType:
    """Chances and shares won by tenths, and how good they are with and without temperature."""
    config = summary.config
    players = ", ".join(config.players)
    title = f"{config.game}, {summary.games} games of {players}, seed {config.seed}"
    fitted = format_estimate(summary.fitted, lambda x: f"{x:.2f}")
    best = f"temperature of the least Brier score for these games: {fitted}"
    return Group(Text(title, style="bold"), _tenths(summary.told), _scores(summary), Text(best))


def _tenths(told: Reliability) -> Table:
    table = Table("told", "mean", "won", "chances", "games", box=None, header_style="dim")
    for one in told.tenths:
        band = f"{100 * one.low:.0f} to {100 * one.high:.0f} %"
        mean, won = f"{100 * one.told:.1f} %", _percent(one.won)
        table.add_row(band, mean, won, str(one.chances), str(one.games))
    return table


def _scores(summary: CalibrationSummary) -> Table:
    headings = "", "Brier score", "calibration error", "65 to 75 % won"
    table = Table(*headings, box=None, header_style="dim")
    tempered = f"at temperature {summary.temperature:g}"
    for name, one in (("as played out", summary.raw), (tempered, summary.told)):
        seventy = _percent(one.seventy) if one.seventy else "none"
        table.add_row(name, f"{one.brier:.4f}", f"{100 * one.error:.1f} %", seventy)
    return table


def _percent(share: Estimate) -> str:
    """A share with its interval."""
    return f"{100 * share.value:.1f} % [{100 * share.low:.1f}, {100 * share.high:.1f}]"
