"""The summary of a simulation as a report: tables for a terminal, and an HTML page."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import RenderableType

from diablerie.engine.text import Line, say
from diablerie.lab.html import figures
from diablerie.lab.html.figures import FigureRow, FigureRows
from diablerie.lab.html.page import (
    StudyPage,
    SummaryTable,
    estimate_cells,
    format_difference,
    format_estimate,
    format_number,
    format_p_value,
    format_percent,
    html_figure,
    html_numbers,
    html_report,
    html_tile,
    terminal_report,
)
from diablerie.lab.simulate.summary import (
    Comparison,
    SettingSummary,
    SimulationSummary,
    SummaryPart,
)
from diablerie.lab.statistics import FEWEST_GAMES

BY_LUCK = "chance of a difference this large by luck"
SIGNIFICANT = 0.05
TOO_FEW = f"too few games for a test, which needs {FEWEST_GAMES}"


def simulation_tables(summary: SimulationSummary) -> RenderableType:
    """The whole summary for a terminal: every setting, and then how they differ."""
    config = summary.config
    title = f"{config.game}, {config.games} games per setting, seed {config.seed}"
    return terminal_report(
        title, number_tables(summary), simulation_note(summary), simulation_finding(summary)
    )


def simulation_finding(summary: SimulationSummary) -> str:
    """What was found, in a sentence: the surest difference between settings, or who wins."""
    if summary.comparisons:
        return _surest_difference(summary)
    setting = summary.settings[0]
    return _best_player(setting) if setting.who else _best_place(setting)


def _surest_difference(summary: SimulationSummary) -> str:
    one = min(summary.comparisons, key=lambda one: one.chance)
    if one.effect.low <= 0 <= one.effect.high:
        return "No difference between these settings is larger than luck explains."
    return (
        f"The surest difference: with {one.setting} instead of {one.base}, the mean of "
        f"{one.what} {'rises' if one.after > one.before else 'falls'} "
        f"from {format_number(one.before)} to {format_number(one.after)} "
        f"({BY_LUCK}: {format_p_value(one.chance)})."
    )


def _best_player(setting: SettingSummary) -> str:
    best = max(setting.who, key=lambda part: part.share.value)
    clear = not best.share.low <= setting.fair <= best.share.high
    won = f"{best.name} has {format_estimate(best.share, format_percent)} of the wins"
    return f"{won}; {'' if clear else 'no more than luck explains: '}{_fair(setting)}."


def _best_place(setting: SettingSummary) -> str:
    """Who wins most by order of play, and whether a test of all places says that it matters."""
    best = max(setting.places, key=lambda part: part.share.value)
    won = format_estimate(best.share, format_percent)
    # Places are named by order of play where that is known, else by seat.
    who = {"begins": "the player who begins"}.get(best.name, f"the {best.name} player")
    who = best.name if best.name.startswith("seat") else who
    if setting.luck is None:
        return (
            f"Too few games to say whether order of play matters: a test needs {FEWEST_GAMES}. "
            f"Most of the wins, {won}, has {who}."
        )
    if setting.luck < SIGNIFICANT:
        return (
            f"Order of play matters: {who} has {won} of the wins; {_fair(setting)} "
            f"({_by_luck(setting)})."
        )
    return (
        f"No advantage by order of play is shown: {who} has most, {won} of the wins; "
        f"{_fair(setting)} ({_by_luck(setting)})."
    )


def _by_luck(setting: SettingSummary) -> str:
    if setting.luck is None:
        return TOO_FEW
    return f"{BY_LUCK}: {format_p_value(setting.luck)}"


def _fair(setting: SettingSummary) -> str:
    return f"a fair share is {format_percent(setting.fair)}"


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
    speed = f"{summary.rate:,.0f} games per second. " if summary.rate and rate else ""
    clock = (
        "" if summary.reproducible else "A player thinks by the clock: this cannot be reproduced. "
    )
    many = (
        f"The {len(summary.comparisons)} comparisons: intervals hold together with 95 % "
        "(Bonferroni); “by luck” is the chance of a difference this large by luck (Holm); effects "
        "are in standard deviations of a game."
        if summary.comparisons
        else ""
    )
    return (
        f"{speed}{clock}Intervals are 95 %: Wilson's for shares of games, else Student's. A shared win "
        f"counts in parts. {many}"
    )


def number_tables(summary: SimulationSummary) -> Iterator[SummaryTable]:
    """Two tables for each setting (numbers of its games, shares), and one that compares them."""
    for one in summary.settings:
        head = ["of a game", "mean", "95 %", "5 %", "median", "95 %", "longest"]
        rows = list(_distribution_rows(one))
        yield SummaryTable(setting_heading(summary, one), head, rows)
        head = ["", "share", "95 %", "return", "95 %"]
        caption = f"shares; by order of play, {_by_luck(one)}"
        yield SummaryTable(caption, head, list(_share_rows(one)))
    # Settings are compared with the first one alone, not each with each.
    if summary.comparisons:
        head = ["setting", "what", "before", "after", "difference", "95 %", "effect", "95 %"]
        compared = [
            (
                one.setting,
                one.what,
                format_number(one.before),
                format_number(one.after),
                *estimate_cells(one.difference, format_difference),
                *estimate_cells(one.effect, format_difference),
                format_p_value(one.chance),
            )
            for one in summary.comparisons
        ]
        base = summary.comparisons[0].base
        yield SummaryTable(f"compared with {base}", [*head, "by luck"], compared, names=2)


def _distribution_rows(one: SettingSummary) -> Iterator[Sequence[str]]:
    measured = [
        ("decisions", one.length),
        ("outcomes of chance", one.draws),
        ("winner's points", one.best),
        ("winner's margin", one.margin),
    ]
    for name, numbers in measured:
        if numbers:
            quantiles = numbers.low, numbers.median, numbers.high, numbers.most
            mean = estimate_cells(numbers.mean, format_number)
            yield name, *mean, *map(format_number, quantiles)


def _share_rows(one: SettingSummary) -> Iterator[Sequence[str]]:
    shared = [SummaryPart("shared, or nobody's", one.shared)]
    for what, parts, show in (
        ("share of the wins: ", one.places, format_percent),
        ("share of the wins: ", one.who, format_percent),
        ("", shared, format_percent),
        ("ended because ", one.endings, format_percent),
        ("decisions at ", one.nodes, format_number),
    ):
        for part in parts:
            returns = estimate_cells(part.returns, format_difference)
            yield what + part.name, *estimate_cells(part.share, show), *returns


# -- the page --------------------------------------------------------------------------------------


def simulation_page(summary: SimulationSummary, command: str) -> str:
    """The whole page. command: what made it."""
    config = summary.config
    page = StudyPage(
        title=say("{game}, simulated", game=config.rules.title),
        kind=say("A study by diablerie"),
        finding=simulation_finding(summary),
        lede=_lede(summary),
        tiles=_tiles(summary.settings[0]),
        pictures=_figures(summary),
        numbers=html_numbers(number_tables(summary)),
        command=command,
        note=simulation_note(summary, rate=False),
        made_by=config.made_by,
    )
    return html_report(config.rules, page)


def _lede(summary: SimulationSummary) -> Line:
    games = f"{summary.config.games:,}"
    heading = setting_heading(summary, summary.settings[0])
    if len(summary.settings) == 1:
        return say("{games} games: {setting}.", games=games, setting=heading)
    return say(
        "{games} games of each of {n} settings. They are compared with the first, which the "
        "numbers below are of: {setting}.",
        games=games,
        n=len(summary.settings),
        setting=heading,
    )


def _tiles(one: SettingSummary) -> Iterator[str]:
    """The three numbers that a reader asks for first, of the first setting."""
    low = format_number(one.length.low)
    high = format_number(one.length.high)
    yield html_tile(
        format_number(one.length.mean.value),
        say("decisions per game"),
        say("nine games in ten have {low} to {high}", low=low, high=high),
    )
    yield _first_place_tile(one)
    low = format_percent(one.shared.low)
    high = format_percent(one.shared.high)
    yield html_tile(
        format_percent(one.shared.value),
        say("of the games with no single winner"),
        say("[{low}, {high}]", low=low, high=high),
    )


def _first_place_tile(one: SettingSummary) -> str:
    """How often the first place wins, beside the fair share."""
    place = one.places[0].name
    edge = one.places[0].share
    # Whether the interval holds the fair share is the question; the figure answers it, too.
    holds = say("contains it") if edge.low <= one.fair <= edge.high else say("does not contain it")
    return html_tile(
        format_percent(edge.value),
        say("of the wins for the player who begins")
        if place == "begins"
        else say("of the wins for {place}", place=place),
        say(
            "fair would be {fair}; [{low}, {high}] {holds}",
            fair=format_percent(one.fair),
            low=format_percent(edge.low),
            high=format_percent(edge.high),
            holds=holds,
        ),
    )


def _figures(summary: SimulationSummary) -> Iterator[str]:
    settings = summary.settings
    names = [one.label or setting_heading(summary, one) for one in settings]
    names = names if len(names) > 1 else [""]
    yield from _comparison_figure(summary)
    lengths = [(name, one.length) for name, one in zip(names, settings, strict=True)]
    yield html_figure(
        "length",
        say("How long a game is"),
        say("Every game by its number of decisions. Diamond: the mean; bar: nine games in ten."),
        figures.histograms(lengths, "decisions"),
    )
    yield html_figure(
        "places",
        say("Who wins"),
        say(
            "Share of the wins by order of play, with 95 % intervals. Dashes: the fair share; a "
            "full dot differs from it (one test of all places and settings)."
        ),
        figures.dot_plot(_win_rows(summary, names, True), format_percent, "share of the wins"),
    )
    if any(one.who for one in settings):
        rows = _win_rows(summary, names, False)
        yield html_figure(
            "who",
            say("Which player wins"),
            say("Share of the wins by player; all play from every seat."),
            figures.dot_plot(rows, format_percent, "share of the wins"),
        )
    best = [(name, one.best) for name, one in zip(names, settings, strict=True) if one.best]
    if best:  # a game has points in all settings or in none
        yield html_figure(
            "best",
            say("What wins"),
            say("The winner's points."),
            figures.histograms(best, "points of the winner"),
        )
    endings = _part_rows(names, [one.endings for one in settings])
    yield html_figure(
        "endings",
        say("What ends a game"),
        say("Share of the games, with 95 % intervals."),
        figures.bar_chart(endings, format_percent, "share of the games"),
    )
    nodes = _part_rows(names, [one.nodes for one in settings])
    yield html_figure(
        "nodes",
        say("Which decisions are made"),
        say("Decisions per game, by kind."),
        figures.bar_chart(nodes, format_number, "decisions per game"),
    )


def _part_rows(names: Sequence[str], parts: Sequence[list[SummaryPart]]) -> FigureRows:
    """The parts of all settings, each below the name of its setting."""
    rows = []
    for name, ones in zip(names, parts, strict=True):
        rows.append((name, [FigureRow(part.name, part.share) for part in ones]))
    return rows


def _win_rows(summary: SimulationSummary, names: Sequence[str], places: bool) -> FigureRows:
    """Shares of the win by place, or by player, beside the fair share.

    Places differ only if one test of all places and settings says so.
    """
    rows = []
    for name, one in zip(names, summary.settings, strict=True):
        by_luck = 1.0 if one.luck is None else one.luck * len(summary.settings)
        unequal = not places or by_luck < SIGNIFICANT
        shares = [
            FigureRow(
                part.name,
                part.share,
                one.fair,
                unequal and not part.share.low <= one.fair <= part.share.high,
            )
            for part in (one.places if places else one.who)
        ]
        rows.append((name, shares))
    return rows


def _comparison_row(compared: Comparison) -> FigureRow:
    effect = compared.effect
    return FigureRow(compared.setting, effect, 0.0, not effect.low <= 0 <= effect.high)


def _comparison_figure(summary: SimulationSummary) -> Iterator[str]:
    """How the settings differ, in standard deviations of a game."""
    if not summary.comparisons:
        return
    ordered = sorted(summary.comparisons, key=lambda one: one.what)
    rows = []
    for what, ones in groupby(ordered, key=lambda one: one.what):
        rows.append((what, list(map(_comparison_row, ones))))
    yield html_figure(
        "effects",
        say("What makes a difference"),
        say(
            "Compared with {base}, in standard deviations of a game. All intervals hold together "
            "with 95 %; a full dot is a difference that luck does not explain.",
            base=summary.comparisons[0].base,
        ),
        figures.dot_plot(rows, format_difference, "Cohen's d: 0.2 is small, 0.8 large"),
    )
