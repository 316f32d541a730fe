"""What `python -m tools.daily` prints: how many challenges there are of each kind."""

from collections import Counter

from rich.console import RenderableType

from diablerie.daily.challenge import Challenge
from diablerie.lab.html.page import SummaryTable, format_percent, terminal_report
from tools.daily.study import DailySummary


def daily_tables(summary: DailySummary) -> RenderableType:
    """The kinds of decisions in the list, and how often each level found the best action."""
    days = summary.days
    kinds = Counter(" ".join(one.theme.split()[:2]) for one in days)
    title = f"{len(days)} challenges, of {summary.found} among {summary.judged} decisions judged"
    note = f"{len({one.theme for one in days})} themes: game, kind of decision, round or phase"
    counts = [(kind, str(n)) for kind, n in sorted(kinds.items())]
    return terminal_report(
        title,
        [
            SummaryTable("decisions", ("game and kind", "days"), counts),
            SummaryTable("levels", ("level", "found the best action"), _levels(days)),
        ],
        note,
    )


def _levels(days: tuple[Challenge, ...]) -> list[tuple[str, str]]:
    found = Counter(one.level for day in days for one in day.levels if one.found)
    names = [one.level for one in days[0].levels] if days else []
    return [(name, format_percent(found[name] / len(days))) for name in names]
