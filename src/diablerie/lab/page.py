"""The report of a tournament: one HTML file that needs nothing else, as a simulation's."""

from collections.abc import Iterator

from diablerie.engine.text import Line, say
from diablerie.lab.config import game_of
from diablerie.lab.intervals import Estimate
from diablerie.lab.report import duration, footer, level, percent, points, sequential
from diablerie.lab.simulate import figures
from diablerie.lab.simulate.page import foot, framed, framed_figure, table, tile, told, words
from diablerie.lab.standings import Standing, Standings


def page(found: Standings, command: str) -> str:
    """The whole page; `command` is what made it."""
    config, game = found.config, game_of(found.config)
    title = say("{game}, a tournament", game=game.title)
    body = "".join((
        *_tiles(found), *_pictures(found), *_cross(found), _tables(found),
        foot(command, footer(found), config.diablerie, config.version),
    ))  # fmt: skip
    return framed(game, title, say("A tournament by diablerie"), _lede(found), body)


def ranked(found: Standings) -> list[Standing]:
    """The players, the best first."""
    return sorted(found.players, key=lambda one: -one.rating.value)


def _lede(found: Standings) -> Line:
    return say(
        "{games} games between {players} players, {seats} seats; everybody sits in every seat "
        "with the same dice.",
        games=f"{found.games:,}", players=len(found.players), seats=found.config.seats,
    )  # fmt: skip


def _tiles(found: Standings) -> Iterator[str]:
    """Who is first, by how much, and what the test says if there was one."""
    first, second = ranked(found)[:2]
    shown = level if found.config.mixed else points
    yield '<section class="tiles">'
    yield tile(first.player, say("comes first"),
               say("{share} of its games won; fair would be {fair}",
                   share=percent(first.share.value), fair=percent(found.fair)))  # fmt: skip
    scale = say("openskill") if found.config.mixed else say("Elo")
    yield tile(shown(first.rating.value - second.rating.value),
               say("{scale} before {player}", scale=scale, player=second.player),
               say("first: [{low}, {high}]", low=shown(first.rating.low),
                   high=shown(first.rating.high)))  # fmt: skip
    if found.sprt:
        yield tile(found.sprt.verdict, say("is what the test says"),
                   say("after {pairs} pairs of games", pairs=found.sprt.pairs))  # fmt: skip
    yield "</section>"


def _pictures(found: Standings) -> Iterator[str]:
    ranks, mixed = ranked(found), found.config.mixed
    yield '<section class="pictures">'
    middle = 0.0 if not mixed else sum(one.rating.value for one in ranks) / len(ranks)
    rows = [figures.Row(one.player, one.rating, middle, outside(one.rating, middle))
            for one in ranks if finite(one.rating)]  # fmt: skip
    if rows:
        yield framed_figure(
            "ratings", say("How strong they are"),
            say("Ratings with 95 % intervals; dashes are the mean, a full dot differs from it. "
                "Who won or lost every game has no bounds, and no row."),
            figures.dots([("", rows)], level if mixed else points,
                         "openskill" if mixed else "Elo", "ratings"),
        )  # fmt: skip
    shares = [figures.Row(one.player, one.share, found.fair, outside(one.share, found.fair))
              for one in ranks]  # fmt: skip
    yield framed_figure(
        "shares", say("How often they win"),
        say("Share of wins with 95 % intervals; dashes are the fair share."),
        figures.dots([("", shares)], percent, "share of wins", "shares"),
    )  # fmt: skip
    thinking = [figures.Row(one.player, Estimate(one.seconds, one.seconds, one.seconds))
                for one in ranks]  # fmt: skip
    yield framed_figure(
        "thinking", say("How long they think"), say("Mean thinking time of a decision."),
        figures.bars([("", thinking)], duration, "a decision", "thinking"),
    )  # fmt: skip
    begun = [(one.player, [figures.Row(o.action, o.won, found.fair, outside(o.won, found.fair))
                           for o in found.openings if o.player == one.player])
             for one in ranks]  # fmt: skip
    if found.openings:
        yield framed_figure(
            "openings", say("How they open"),
            say("The share of wins after their most frequent first decisions, the most frequent "
                "first; 95 % intervals."),
            figures.dots([(name, rows) for name, rows in begun if rows], percent,
                         "share of wins", "openings"),
        )  # fmt: skip
    yield "</section>"


def outside(one: Estimate, middle: float) -> bool:
    """Whether an interval leaves it out."""
    return not one.low <= middle <= one.high


def finite(one: Estimate) -> bool:
    """Whether an interval can be drawn."""
    return max(abs(one.low), abs(one.high)) < float("inf")


def _cross(found: Standings) -> Iterator[str]:
    """Everybody's score against everybody, the best first."""
    if not found.meetings:
        return
    score = {}
    for one in found.meetings:
        score[one.first, one.second] = one.score
        turned = Estimate(1 - one.score.value, 1 - one.score.high, 1 - one.score.low)
        score[one.second, one.first] = turned
    names = [one.player for one in ranked(found)]
    rows = [
        (row, *(told(score[row, column], percent) if (row, column) in score else "–"
                for column in names))
        for row in names
    ]  # fmt: skip
    heading = words(say("Who scores how much against whom"))
    yield f"<section><h2>{heading}</h2>"
    yield table(str(say("score of the row's player against the column's")), ("", *names), rows)
    if found.sprt:
        yield f"<p>{words(sequential(found, found.sprt))}</p>"
    yield "</section>"


def _tables(found: Standings) -> str:
    """All numbers, to be opened."""
    shown = level if found.config.mixed else points
    players = [
        (one.player, f"{one.games}", told(one.share, percent), told(one.rating, shown),
         f"{one.decisions}", duration(one.seconds))
        for one in ranked(found)
    ]  # fmt: skip
    head = "", "games", "share of wins", "rating", "decisions", "thinks"
    parts = [table("players", head, players)]
    if found.openings:
        begun = [(f"{one.player}: {one.action}", f"{one.games}", told(one.won, percent))
                 for one in found.openings]  # fmt: skip
        parts.append(table("openings", ("", "games", "share of wins"), begun))
    summary = words(say("All numbers, with 95 % intervals"))
    return f'<details class="numbers"><summary>{summary}</summary>{"".join(parts)}</details>'
