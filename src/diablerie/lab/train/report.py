"""The result of a training by self-play: a table for a terminal, and an HTML page."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import RenderableType

from diablerie.engine.text import Line, say
from diablerie.lab.html.figures import (
    ACCENT_PLACEHOLDER,
    FAINT_PLACEHOLDER,
    INK_PLACEHOLDER,
    svg_figure,
)
from diablerie.lab.html.page import (
    StudyPage,
    SummaryTable,
    format_estimate,
    format_percent,
    html_figure,
    html_numbers,
    html_report,
    html_tile,
    terminal_report,
)
from diablerie.lab.running.settings import settings_of
from diablerie.lab.train.training import Evaluation, TrainingConfig, TrainingResult
from diablerie.learning.settings import TrainingSettings

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CURVE_HEIGHT = 2.6  # inches
WINS_NOTE = (
    "Wins are shares of games (a shared win counts in part) of the likeliest actions, without "
    "search, from every seat equally often. The bot `sensible` follows the game's advice. "
    "Intervals are 95 %. Entropy is that of the policy in the games that it learns from, in nats."
)


def training_tables(result: TrainingResult) -> RenderableType:
    """The curve for a terminal."""
    config = result.config
    title = f"{config.game}, {result.decisions:,} decisions, seed {config.settings.seed}"
    speed = f"{result.speed:,.0f} decisions learnt a second of processor time"
    table = curve_table(result)
    finding = training_finding(result)
    return terminal_report(title, [table, speed], WINS_NOTE, finding)


def training_finding(result: TrainingResult) -> str:
    """What was found, in a sentence: how much the policy wins, against its fair share."""
    found = "; ".join(
        f"with {one.seats} seats {format_estimate(one.share, format_percent)}, {_against_fair(one)}"
        for one in result.last
    )
    return f"The policy wins against {result.config.opponent}: {found}."


def _against_fair(one: Evaluation) -> str:
    fair = f"its fair share of {format_percent(one.fair)}"
    if one.share.low > one.fair:
        return f"more than {fair}"
    return f"less than {fair}" if one.share.high < one.fair else f"no clear difference from {fair}"


def curve_table(result: TrainingResult) -> SummaryTable:
    """What was measured while it learnt."""
    rows = [
        (
            str(one.seats),
            f"{one.decisions:,}",
            f"{one.processor:.0f} s",
            f"{one.entropy:.3f}",
            format_estimate(one.share, format_percent),
        )
        for one in sorted(result.curve, key=lambda one: (one.seats, one.decisions))
    ]
    head = (
        "seats",
        "decisions",
        "processor time",
        "entropy",
        f"wins against {result.config.opponent}",
    )
    return SummaryTable("learning curve", head, rows, names=2)


def training_page(result: TrainingResult, command: str) -> str:
    """The whole page. command: what made it."""
    config = result.config
    page = StudyPage(
        title=_title(config),
        kind=say("A training by diablerie"),
        finding=training_finding(result),
        lede=_lede(result),
        tiles=(_tile(one, config.opponent) for one in result.last),
        pictures=curve_figures(result),
        numbers=html_numbers([curve_table(result), settings_table(config.settings)]),
        command=command,
        note=WINS_NOTE,
        made_by=config.made_by,
    )
    return html_report(config.rules, page)


def _lede(result: TrainingResult) -> Line:
    return say(
        "{decisions} of {of} decisions in {games} games, {speed} a second of processor time; PPO.",
        decisions=f"{result.decisions:,}",
        of=f"{result.config.settings.decisions:,}",
        games=f"{result.games:,}",
        speed=f"{result.speed:,.0f}",
    )


def _title(config: TrainingConfig) -> Line:
    game = config.rules.title
    opponent = ", ".join(config.settings.against)
    if opponent:
        return say("{game}, learnt against {opponent}", game=game, opponent=opponent)
    return say("{game}, learnt by self-play", game=game)


def settings_table(settings: TrainingSettings) -> SummaryTable:
    """Every setting with its meaning."""
    rows = [
        (one.name, _setting_text(getattr(settings, one.name)), one.help)
        for one in settings_of(TrainingSettings)
    ]
    return SummaryTable("settings", ("name", "value", "meaning"), rows)


def _setting_text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={one}" for name, one in value.items())
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _tile(one: Evaluation, opponent: str) -> str:
    low = format_percent(one.share.low)
    high = format_percent(one.share.high)
    return html_tile(
        format_percent(one.share.value),
        say("wins against {opponent}, {n} seats", opponent=opponent, n=one.seats),
        say("[{low}, {high}]; fair is {fair}", low=low, high=high, fair=format_percent(one.fair)),
    )


def curve_figures(result: TrainingResult) -> Iterator[str]:
    """The learning curve for each size of table, as figures of a page."""
    for seats in result.config.sizes:
        name = f"wins-{seats}"
        found = [one for one in result.curve if one.seats == seats]
        yield html_figure(
            name,
            say(
                "Wins against {opponent}, {seats} seats",
                opponent=result.config.opponent,
                seats=seats,
            ),
            say("The share of games won, with intervals. The dashed line is the fair share."),
            wins_curve(found),
        )


def wins_curve(found: list[Evaluation]) -> str:
    """Shares of the win by decisions learnt, with intervals."""

    def draw(axes: "Axes") -> None:
        x = [one.decisions / 1e6 for one in found]
        shares = [one.share for one in found]
        low = [one.low for one in shares]
        high = [one.high for one in shares]
        # Luck alone would win the fair share, whatever was learnt.
        axes.axhline(found[0].fair, color=FAINT_PLACEHOLDER, linewidth=1, linestyle="--")
        axes.vlines(x, low, high, color=INK_PLACEHOLDER, linewidth=1.6, zorder=2)
        axes.plot(
            x,
            [one.value for one in shares],
            "o-",
            color=ACCENT_PLACEHOLDER,
            linewidth=1.2,
            zorder=3,
        )
        axes.grid(axis="y")
        axes.set_xlim(0, None)
        axes.set_xlabel("million decisions")
        axes.set_ylabel("share of wins")

    return svg_figure(draw, CURVE_HEIGHT)
