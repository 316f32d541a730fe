"""Numbers as text, for pages and for the terminal."""

from collections.abc import Callable
from math import inf

from diablerie.lab.statistics import Estimate

Format = Callable[[float], str]


def format_number(x: float) -> str:
    """A number with three significant digits, at most three behind the point."""
    if x == 0:
        return "0"
    digits = next(n for n, least in ((0, 100), (1, 10), (2, 1), (3, 0)) if abs(x) >= least)
    return f"{x:.{digits}f}"


def format_difference(x: float) -> str:
    """A difference with its sign."""
    return f"{x:+.3f}" if 0 < abs(x) < 10 else f"{x:+.1f}" if x else "0"


def format_percent(x: float) -> str:
    """A share in percent."""
    return f"{100 * x:.1f} %"


def format_elo(x: float) -> str:
    """A difference in Elo."""
    return f"{'+' if x > 0 else '-'}∞" if abs(x) == inf else f"{x:+.0f}"


def format_openskill(x: float) -> str:
    """An openskill rating."""
    return f"{x:.2f}"


def format_p_value(x: float) -> str:
    """A probability that may be tiny: two digits behind the point, three below 0.01."""
    return "< 0.001" if x < 0.001 else f"{x:.3f}" if x < 0.01 else f"{x:.2f}"


def format_fine(x: float) -> str:
    """A number with four digits behind the point."""
    return f"{x:.4f}"


def format_duration(seconds: float) -> str:
    """Seconds, in the unit that suits them."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def format_interval(estimate: Estimate, show: Format) -> str:
    """The interval of an estimate."""
    return f"{show(estimate.low)} … {show(estimate.high)}".replace(" % …", " …")


def format_estimate(estimate: Estimate | None, show: Format = format_fine) -> str:
    """An estimate with its interval; a dash for None."""
    if estimate is None:
        return "–"
    return f"{show(estimate.value)} [{show(estimate.low)}, {show(estimate.high)}]"
