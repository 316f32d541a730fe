"""The result of a training by self-play: a table for a terminal, and an HTML page."""

from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType

from diablerie.engine.text import Line, say
from diablerie.lab.html.figures import ACCENT, FAINT, INK, LINE, svg_figure
from diablerie.lab.html.page import html_figure, html_report, html_section, html_tile
from diablerie.lab.html.tables import (
    SummaryTable,
    format_estimate,
    format_percent,
    html_numbers,
    terminal_report,
)
from diablerie.lab.train.config import PolicyTrainingConfig
from diablerie.lab.train.training import PolicyLook, PolicyTrainingResult

CURVE_HEIGHT = 2.6  # inches
WINS_NOTE = (
    "Wins are shares of games (a shared win counts in part) of the likeliest actions, without "
    "search, from every seat equally often. The bot `sensible` follows the game's advice. "
    "Intervals are 95 %. Entropy is that of the policy in the games that it learns from, in nats."
)
BEST_NOTE = (
    " The policy that was kept is that of the best look, so its wins here lean upwards: measure it "
    "on other dice."
)


def policy_tables(result: PolicyTrainingResult) -> RenderableType:
    """The curve for a terminal."""
    config = result.config
    title = f"{config.game}, {result.decisions:,} decisions, seed {config.learner.seed}"
    speed = f"{result.speed:,.0f} decisions learnt a second of processor time"
    table, finding = _curve_table(result), policy_finding(result)
    return terminal_report(title, [table, speed], _note(config), finding)


def _note(config: PolicyTrainingConfig) -> str:
    return WINS_NOTE + BEST_NOTE * config.best


def policy_finding(result: PolicyTrainingResult) -> str:
    """What was found, in a sentence: how much the policy wins, against its fair share."""
    found = "; ".join(
        f"with {one.seats} seats {format_estimate(one.share, format_percent)}, {_against_fair(one)}"
        for one in result.kept
    )
    best = result.kept if result.config.best else []
    which = f" of {best[0].decisions:,} decisions" if best else ""
    return f"The policy{which} wins against {result.config.opponent}: {found}."


def _against_fair(one: PolicyLook) -> str:
    fair = f"its fair share of {format_percent(one.fair)}"
    if one.share.low > one.fair:
        return f"more than {fair}"
    return f"less than {fair}" if one.share.high < one.fair else f"no clear difference from {fair}"


def _curve_table(result: PolicyTrainingResult) -> SummaryTable:
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


def policy_page(result: PolicyTrainingResult, command: str) -> str:
    """The whole page. command: what made it."""
    config = result.config
    return html_report(
        config.rules,
        title=_title(config),
        kind=say("A training by diablerie"),
        finding=policy_finding(result),
        lede=_lede(result),
        sections=(
            html_section("tiles", (_tile(one, config.opponent) for one in result.kept)),
            html_section("pictures", _curves(result)),
            html_numbers([_curve_table(result)]),
        ),
        command=command,
        note=_note(config),
        diablerie=config.diablerie,
        version=config.version,
    )


def _title(config: PolicyTrainingConfig) -> Line:
    game, opponent = config.rules.title, config.learner.against
    if opponent:
        return say("{game}, learnt against {opponent}", game=game, opponent=opponent)
    return say("{game}, learnt by self-play", game=game)


def _lede(result: PolicyTrainingResult) -> Line:
    chosen = result.config.learner
    if chosen.against:
        return say(
            "{decisions} of {of} decisions in {games} games against {opponent}, {speed} a second "
            "of processor time; PPO, seed {seed}.",
            decisions=f"{result.decisions:,}",
            of=f"{chosen.decisions:,}",
            games=f"{result.games:,}",
            opponent=chosen.against,
            speed=f"{result.speed:,.0f}",
            seed=chosen.seed,
        )
    return say(
        "{decisions} of {of} decisions in {games} games, {speed} a second of processor time; "
        "PPO, layers of {wide} and {narrow} units, seed {seed}.",
        decisions=f"{result.decisions:,}",
        of=f"{chosen.decisions:,}",
        games=f"{result.games:,}",
        speed=f"{result.speed:,.0f}",
        wide=chosen.wide,
        narrow=chosen.narrow,
        seed=chosen.seed,
    )


def _tile(one: PolicyLook, opponent: str) -> str:
    low, high = format_percent(one.share.low), format_percent(one.share.high)
    return html_tile(
        format_percent(one.share.value),
        say("wins against {opponent}, {n} seats", opponent=opponent, n=one.seats),
        say("[{low}, {high}]; fair is {fair}", low=low, high=high, fair=format_percent(one.fair)),
    )


def _curves(result: PolicyTrainingResult) -> Iterator[str]:
    for seats in result.config.sizes:
        name = f"wins-{seats}"
        looks = [one for one in result.curve if one.seats == seats]
        yield html_figure(
            name,
            say(
                "Wins against {opponent}, {seats} seats",
                opponent=result.config.opponent,
                seats=seats,
            ),
            say("The share of games won, with intervals. The dashed line is the fair share."),
            wins_curve(looks, name),
        )


def wins_curve(looks: list[PolicyLook], name: str) -> str:
    """Shares of the win by decisions learnt, with intervals."""

    def draw(axes: Any) -> None:
        x, shares = [one.decisions / 1e6 for one in looks], [one.share for one in looks]
        low, high = [one.low for one in shares], [one.high for one in shares]
        axes.axhline(looks[0].fair, color=FAINT, linewidth=1, linestyle="--")
        axes.vlines(x, low, high, color=INK, linewidth=1.6, zorder=2)
        axes.plot(x, [one.value for one in shares], "o-", color=ACCENT, linewidth=1.2, zorder=3)
        axes.grid(axis="y", color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        axes.set_xlim(0, None)
        axes.set_xlabel("million decisions")
        axes.set_ylabel("share of wins")

    return svg_figure(draw, CURVE_HEIGHT, name)
