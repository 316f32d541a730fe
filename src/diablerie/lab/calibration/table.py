"""A calibration as tables for a terminal."""

from rich.console import Group as Together
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from diablerie.lab.calibration.measuring import Reliability
from diablerie.lab.calibration.running import Calibration
from diablerie.lab.intervals import Estimate


def tables(found: Calibration) -> RenderableType:
    """What was told and won, tenth by tenth, and how good that is with and without temperature."""
    config = found.config
    title = f"{config.game}, {found.games} games of {', '.join(config.players)}, seed {config.seed}"
    parts: list[RenderableType] = [Text(title, style="bold"), _tenths(found.told), _scores(found)]
    best = found.fitted
    parts.append(
        Text(f"temperature of the least Brier score for these games: {best.value:.2f} "
             f"[{best.low:.2f}, {best.high:.2f}]")
    )  # fmt: skip
    return Together(*parts)


def _tenths(told: Reliability) -> Table:
    table = Table("told", "mean", "won", "chances", "games", box=None, header_style="dim")
    for one in told.tenths:
        told_as = f"{100 * one.low:.0f} to {100 * one.high:.0f} %"
        table.add_row(told_as, f"{100 * one.told:.1f} %", percent(one.won), str(one.chances),
                      str(one.games))  # fmt: skip
    return table


def _scores(found: Calibration) -> Table:
    table = Table("", "Brier score", "calibration error", "65 to 75 % won", box=None,
                  header_style="dim")  # fmt: skip
    for name, one in (("as played out", found.raw),
                      (f"at temperature {found.temperature:g}", found.told)):  # fmt: skip
        seventy = percent(one.seventy) if one.seventy else "none"
        table.add_row(name, f"{one.brier:.4f}", f"{100 * one.error:.1f} %", seventy)
    return table


def percent(share: Estimate) -> str:
    """A share with its interval."""
    return f"{100 * share.value:.1f} % [{100 * share.low:.1f}, {100 * share.high:.1f}]"
