"""The standings of a tournament as a report: tables for a terminal, and an HTML page."""

from collections.abc import Iterator
from math import isinf

from rich.console import RenderableType

from diablerie.engine.text import Line, say
from diablerie.lab.html.figures import FigureRow, bar_chart, dot_plot, heat_map
from diablerie.lab.html.page import (
    Format,
    StudyPage,
    SummaryTable,
    estimate_cells,
    format_duration,
    format_elo,
    format_estimate,
    format_openskill,
    format_p_value,
    format_percent,
    html_figure,
    html_numbers,
    html_report,
    html_table,
    html_text,
    html_tile,
    terminal_report,
)
from diablerie.lab.statistics import Estimate
from diablerie.lab.tournament.config import TournamentConfig
from diablerie.lab.tournament.standings import PlayerStanding, Standings, mirrored

PAIRED_NOTE = (
    "Intervals are 95 %, from pairs of games with the same dice and swapped seats; one won and one "
    "lost pair are added. Rating: Bradley-Terry with mean 0, one drawn game added to each pairing; "
    "its intervals come from resampling the pairs."
)
MIXED_NOTE = (
    "Intervals are 95 %, from tables with the same dice from every seat; one won table, and the "
    "lost ones to match, are added. Seats: how many the player took. “By luck”: the chance of a "
    "difference this large from the fair share by luck (two-sided, for each player alone). Rating: "
    "openskill's Plackett-Luce. Playing against itself at a table moves a player's share towards "
    "the fair one."
)


def tournament_tables(standings: Standings, matrix: bool = False) -> RenderableType:
    """The whole summary for a terminal, the best player first. matrix: with all against all."""
    config = standings.config
    options = "".join(f", {name} {value}" for name, value in config.options.items())
    tables = [player_table(standings)]
    if standings.meetings:
        tables.append(matrix_table(standings) if matrix else _meeting_table(standings))
    title = f"{config.game}, {config.seats} seats{options}, seed {config.seed}"
    return terminal_report(title, tables, tournament_note(standings), tournament_finding(standings))


def tournament_finding(standings: Standings) -> str:
    """What was found, in a sentence: who is strongest, and whether that is more than luck."""
    first, second, *_ = ranked(standings)
    if len(standings.meetings) == 1:
        (met,) = standings.meetings
        won = met.score if met.first == first.player else mirrored(met.score)
        score = format_estimate(won, format_percent)
        if won.low <= 0.5:
            return f"Neither player is shown to be stronger: {first.player} scores {score}."
        return f"{first.player} is stronger than {second.player}: it scores {score}."
    share = format_estimate(first.share, format_percent)
    fair = f"a fair share is {format_percent(standings.fair)}"
    if first.share.low <= standings.fair:
        return (
            f"No player is shown to be strongest: {first.player} has {share} of the wins; {fair}."
        )
    return f"{first.player} is the strongest: it has {share} of the wins; {fair}."


def rating_format(config: TournamentConfig) -> Format:
    """How the ratings of a tournament are written."""
    return format_openskill if config.mixed else format_elo


def ranked(standings: Standings) -> list[PlayerStanding]:
    """The players, the best first."""
    return sorted(standings.players, key=lambda one: -one.rating.value)


def player_table(standings: Standings) -> SummaryTable:
    """How every player did, the best first."""
    config = standings.config
    show = rating_format(standings.config)
    mixed = config.mixed
    return SummaryTable(
        "players",
        (
            "player",
            "seats" if mixed else "games",
            # Mixed tables have no table of meetings, so what luck explains stands here.
            *("share of wins", "95 %"),
            *(["by luck"] if mixed else []),
            *("openskill" if mixed else "Elo", "95 %"),
            *("decisions", "per decision"),
        ),
        [
            (
                one.player,
                str(one.games),
                *estimate_cells(one.share, format_percent),
                *([format_p_value(one.chance)] if mixed else []),
                *estimate_cells(one.rating, show),
                str(one.decisions),
                format_duration(one.seconds),
            )
            for one in ranked(standings)
        ],
    )


def _meeting_table(standings: Standings) -> SummaryTable:
    head = "first", "second", "games", "won", "tied", "lost", "score", "95 %", "Elo", "95 %"
    rows = [
        (
            one.first,
            one.second,
            *map(str, (one.games, one.wins, one.ties, one.losses)),
            *estimate_cells(one.score, format_percent),
            *estimate_cells(one.elo, format_elo),
        )
        for one in standings.meetings
    ]
    return SummaryTable("meetings", head, rows, names=2)


def matrix_table(standings: Standings) -> SummaryTable:
    """Everybody's score against everybody, the best first, and the mixture that nobody beats."""
    shares = dict(zip(standings.config.players, standings.mixture, strict=True))
    names = [one.player for one in ranked(standings)]
    rows = [
        (
            f"{number} {name}",
            format_percent(shares[name]),
            *(format_estimate(standings.score(name, other), format_percent) for other in names),
        )
        for number, name in enumerate(names, 1)
    ]
    head = "", "equilibrium", *map(str, range(1, len(names) + 1))
    return SummaryTable("score of the row's player against the column's, 95 %", head, rows)


def _opening_table(standings: Standings) -> SummaryTable:
    rows = [
        (f"{o.player}: {o.action}", str(o.games), *estimate_cells(o.won, format_percent))
        for o in standings.openings
    ]
    return SummaryTable("openings", ("", "games", "share of wins", "95 %"), rows)


def tournament_note(standings: Standings) -> str:
    """How many games count, and how to read the numbers."""
    rate = f" {standings.rate:.1f} games per second." if standings.rate else ""
    fair = f"{standings.games} games count; a fair share is {format_percent(standings.fair)}."
    return f"{fair}{rate} {MIXED_NOTE if standings.config.mixed else PAIRED_NOTE}"


# -- the page --------------------------------------------------------------------------------------


def tournament_page(standings: Standings, command: str) -> str:
    """The whole page. command: what made it."""
    config = standings.config
    page = StudyPage(
        title=say("{game}, a tournament", game=config.rules.title),
        kind=say("A tournament by diablerie"),
        finding=tournament_finding(standings),
        lede=_lede(standings),
        tiles=_tiles(standings),
        pictures=_figures(standings),
        numbers=_cross_table(standings)
        + html_numbers([player_table(standings), _opening_table(standings)]),
        command=command,
        note=tournament_note(standings),
        made_by=config.made_by,
    )
    return html_report(config.rules, page)


def _lede(standings: Standings) -> Line:
    return say(
        "{games} games between {players} players, {seats} seats; everybody plays the same dice "
        "from every seat.",
        games=f"{standings.games:,}",
        players=len(standings.players),
        seats=standings.config.seats,
    )


def _tiles(standings: Standings) -> Iterator[str]:
    """The best player, and its lead."""
    first, second = ranked(standings)[:2]
    show = rating_format(standings.config)
    won = format_percent(first.share.value)
    fair = format_percent(standings.fair)
    share = say("{share} of its games won; fair would be {fair}", share=won, fair=fair)
    yield html_tile(first.player, say("comes first"), share)
    scale = say("openskill") if standings.config.mixed else say("Elo")
    low = show(first.rating.low)
    high = show(first.rating.high)
    yield html_tile(
        show(first.rating.value - second.rating.value),
        say("{scale} ahead of {player}", scale=scale, player=second.player),
        say("first: [{low}, {high}]", low=low, high=high),
    )


def _figures(standings: Standings) -> Iterator[str]:
    yield from _ratings_figure(standings)
    if len(standings.meetings) > 1:
        yield _matrix_figure(standings)
    yield _shares_figure(standings)
    yield _thinking_figure(standings)
    if standings.openings:
        yield _openings_figure(standings)


def _ratings_figure(standings: Standings) -> Iterator[str]:
    """The ratings; none where nobody has bounds."""
    ranks = ranked(standings)
    mixed = standings.config.mixed
    # Elo has the mean 0; openskill's ratings have none of their own.
    middle = 0.0 if not mixed else sum(one.rating.value for one in ranks) / len(ranks)
    rows = [
        _row(one.player, one.rating, middle)
        for one in ranks
        if not isinf(one.rating.low) and not isinf(one.rating.high)
    ]
    if rows:
        show = rating_format(standings.config)
        scale = "openskill" if mixed else "Elo"
        yield html_figure(
            "ratings",
            say("How strong they are"),
            say(
                "Ratings with 95 % intervals; dashes are the mean, a full dot differs from it. "
                "Who won or lost every game has no bounds, and no row."
            ),
            dot_plot([("", rows)], show, scale),
        )


def _matrix_figure(standings: Standings) -> str:
    """The best first, from the top and from the left."""
    names = [one.player for one in ranked(standings)]
    cells = [[standings.score(row, column) for column in names] for row in names]
    return html_figure(
        "matrix",
        say("All against all"),
        say(
            "The score of the row's player against the column's in percent, with 95 % intervals; "
            "darker is further from even."
        ),
        heat_map(names, cells),
    )


def _shares_figure(standings: Standings) -> str:
    rows = [_row(one.player, one.share, standings.fair) for one in ranked(standings)]
    return html_figure(
        "shares",
        say("How often they win"),
        say("Share of wins with 95 % intervals; dashes are the fair share."),
        dot_plot([("", rows)], format_percent, "share of wins"),
    )


def _thinking_figure(standings: Standings) -> str:
    rows = []
    for one in ranked(standings):
        rows.append(FigureRow(one.player, Estimate(one.seconds, one.seconds, one.seconds)))
    return html_figure(
        "thinking",
        say("How long they think"),
        say("Mean thinking time of a decision."),
        bar_chart([("", rows)], format_duration, "a decision"),
    )


def _openings_figure(standings: Standings) -> str:
    """A group of rows for each player that opened anything, the best player first."""
    groups = []
    for one in ranked(standings):
        theirs = [o for o in standings.openings if o.player == one.player]
        if theirs:
            groups.append((one.player, [_row(o.action, o.won, standings.fair) for o in theirs]))
    return html_figure(
        "openings",
        say("How they open"),
        say(
            "The share of wins after their most frequent first decisions, the most frequent "
            "first; 95 % intervals."
        ),
        dot_plot(groups, format_percent, "share of wins"),
    )


def _row(name: str, estimate: Estimate, even: float) -> FigureRow:
    return FigureRow(name, estimate, even, not estimate.low <= even <= estimate.high)


def _cross_table(standings: Standings) -> str:
    """Everybody's score against everybody, the best first."""
    if not standings.meetings:
        return ""
    table = matrix_table(standings)
    return (
        f"<section><h2>{html_text(say('Who scores how much against whom'))}</h2>"
        f"{html_table(table.caption, table.head, table.rows)}</section>"
    )
