"""The report of a simulation: one HTML file that needs nothing else."""

from collections.abc import Callable, Iterator, Sequence
from html import escape
from importlib.resources import files
from itertools import groupby

from diablerie.art.devil import figure
from diablerie.art.poses import POSES
from diablerie.engine.game import Game
from diablerie.engine.text import Line, say
from diablerie.lab.intervals import Estimate
from diablerie.lab.report import luck, percent
from diablerie.lab.simulate import figures
from diablerie.lab.simulate.summary import Group, Part, Summary
from diablerie.lab.simulate.table import heading, notes, number, signed, spreads

STYLES = ("web/static/tokens.css", "web/static/art.css", "lab/simulate/report.css")


def page(found: Summary, command: str) -> str:
    """The whole page; `command` is what made it."""
    body = "".join((*_tiles(found), *_pictures(found), _tables(found), _foot(found, command)))
    title = say("{game}, simulated", game=found.config.rules.title)
    return framed(found.config.rules, title, say("A study by diablerie"), _lede(found), body)


def framed(game: Game, title: Line, over: Line, lede: Line, body: str) -> str:
    """A page about a game that needs nothing else; `over` stands small above the title."""
    devil = figure(game.poster if game.poster in POSES else "grin")
    style = "\n".join((files("diablerie") / name).read_text("utf-8") for name in STYLES)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{words(title)}</title><style>{style}</style></head><body>"
        f'<header><div><p class="over">{words(over)}</p>'
        f"<h1>{words(title)}</h1><p>{words(lede)}</p></div>"
        f'<div class="poster" aria-hidden="true">{devil}</div></header>'
        f"<main>{body}</main></body></html>\n"
    )


def words(line: Line | str) -> str:
    """Text as HTML."""
    return escape(str(line), quote=False)


def name_of(found: Summary, group: Group) -> str:
    """What a setting is called."""
    return group.label or heading(found, group)


def _lede(found: Summary) -> Line:
    first = found.settings[0]
    if len(found.settings) == 1:
        return say("{games} games: {setting}.", games=f"{first.games:,}",
                   setting=heading(found, first))  # fmt: skip
    return say(
        "{games} games of each of {n} settings. They are compared with the first, which the "
        "numbers below are of: {setting}.",
        games=f"{first.games:,}", n=len(found.settings), setting=heading(found, first),
    )  # fmt: skip


def _tiles(found: Summary) -> Iterator[str]:
    """The three numbers that one asks for first, of the first setting."""
    one, length = found.settings[0], found.settings[0].length
    best, edge = one.places[0], one.places[0].share
    fair = edge.low <= one.fair <= edge.high
    yield '<section class="tiles">'
    yield tile(number(length.mean.value), say("decisions a game"),
                say("nine games in ten have {low} to {high}", low=number(length.low),
                    high=number(length.high)))  # fmt: skip
    yield tile(
        percent(edge.value), say("of the win for who {place}", place=best.name)
        if best.name == "begins" else say("of the win for {place}", place=best.name),
        say("fair would be {fair}; [{low}, {high}] {holds}", fair=percent(one.fair),
            low=percent(edge.low), high=percent(edge.high),
            holds=say("holds it") if fair else say("leaves it out")),
    )  # fmt: skip
    yield tile(percent(one.shared.value), say("of the games with no single winner"),
                say("[{low}, {high}]", low=percent(one.shared.low),
                    high=percent(one.shared.high)))  # fmt: skip
    yield "</section>"


def tile(value: str, what: Line, more: Line) -> str:
    """A number that is told first, and what it is of."""
    return f"<div><b>{words(value)}</b><span>{words(what)}</span><small>{words(more)}</small></div>"


def _pictures(found: Summary) -> Iterator[str]:
    names = [name_of(found, group) for group in found.settings]
    shown = names if len(names) > 1 else [""]
    yield '<section class="pictures">'
    yield from _compared(found)
    yield framed_figure(
        "length", say("How long a game is"),
        say("Every game by its number of decisions. Diamond: the mean; bar: nine games in ten."),
        figures.ridges(
            [(n, g.length) for n, g in zip(shown, found.settings, strict=True)],
            "decisions", "length",
        ),
    )  # fmt: skip
    yield framed_figure(
        "places", say("Who wins"),
        say("Share of the win by order of play, with 95 % intervals. Dashes: the fair share; a "
            "full dot differs from it, all places and settings tested together."),
        figures.dots(_even(found, shown, True), percent, "share of the win", "places"),
    )  # fmt: skip
    if any(group.who for group in found.settings):
        rows = _even(found, shown, False)
        yield framed_figure("who", say("Which player wins"),
                      say("Share of the win by player; everybody takes turns in the seats."),
                      figures.dots(rows, percent, "share of the win", "who"))  # fmt: skip
    best = [(n, g.best) for n, g in zip(shown, found.settings, strict=True) if g.best]
    if best:  # a game has points, or none has
        yield framed_figure("best", say("What wins"), say("The winner's points."),
                            figures.ridges(best, "points of the winner", "best"))  # fmt: skip
    yield framed_figure(
        "endings", say("What ends a game"), say("Share of the games, with 95 % intervals."),
        figures.bars(_rows(shown, [g.endings for g in found.settings]), percent,
                     "share of the games", "endings"),
    )  # fmt: skip
    yield framed_figure(
        "nodes", say("What is decided"), say("Decisions a game by what is to decide."),
        figures.bars(_rows(shown, [g.nodes for g in found.settings]), number,
                     "decisions a game", "nodes"),
    )  # fmt: skip
    yield "</section>"


def _rows(names: Sequence[str], parts: Sequence[list[Part]]) -> figures.Rows:
    """The parts of all settings, each below the name of its setting."""
    return [
        (name, [figures.Row(part.name, part.share) for part in ones])
        for name, ones in zip(names, parts, strict=True)
    ]


def _even(found: Summary, names: Sequence[str], places: bool) -> figures.Rows:
    """Shares of the win beside the fair one: whether places differ is tested for all at once."""
    rows = []
    for name, group in zip(names, found.settings, strict=True):
        unlucky = not places or group.luck * len(found.settings) < 0.05
        rows.append((name, [
            figures.Row(one.name, one.share, group.fair,
                        unlucky and not one.share.low <= group.fair <= one.share.high)
            for one in (group.places if places else group.who)
        ]))  # fmt: skip
    return rows


def _compared(found: Summary) -> Iterator[str]:
    """How the settings differ, in standard deviations of a game."""
    if not found.comparisons:
        return
    ordered = sorted(found.comparisons, key=lambda one: one.what)
    rows = [
        (what, [
            figures.Row(one.setting, one.effect, 0.0, not one.effect.low <= 0 <= one.effect.high)
            for one in ones
        ])
        for what, ones in groupby(ordered, key=lambda one: one.what)
    ]  # fmt: skip
    yield framed_figure(
        "effects", say("What makes a difference"),
        say("Beside {base}, in standard deviations of a game. All intervals hold together with "
            "95 %; a full dot is a difference.", base=found.comparisons[0].base),
        figures.dots(rows, signed, "Cohen's d: 0.2 is small, 0.8 large", "effects"),
    )  # fmt: skip


def framed_figure(name: str, title: Line, caption: Line, picture: str) -> str:
    """A picture with its title above and what it shows below."""
    return (
        f'<figure id="{name}"><h2 id="{name}-title">{words(title)}</h2>{picture}'
        f"<figcaption>{words(caption)}</figcaption></figure>"
    )


def _tables(found: Summary) -> str:
    """All numbers, to be opened."""
    parts = [_numbers(found, group) for group in found.settings]
    if found.comparisons:
        rows = [
            (one.setting, one.what, number(one.before), number(one.after),
             told(one.difference, signed), told(one.effect, signed), luck(one.chance))
            for one in found.comparisons
        ]  # fmt: skip
        head = "setting", "what", "before", "after", "difference", "effect", "by luck"
        parts.append(table(f"beside {found.comparisons[0].base}", head, rows))
    summary = words(say("All numbers, with 95 % intervals"))
    return f'<details class="numbers"><summary>{summary}</summary>{"".join(parts)}</details>'


def _numbers(found: Summary, group: Group) -> str:
    rows = [(name, told(one.mean, number)) for name, one in spreads(group)]
    shares = (("", group.places), ("", group.who), ("ended since: ", group.endings))
    rows += [(what + one.name, told(one.share, percent)) for what, parts in shares for one in parts]
    rows += [("shared, or nobody's", told(group.shared, percent))]
    rows += [(f"decisions at {one.name}", told(one.share, number)) for one in group.nodes]
    rows += [("places so unequal by luck", luck(group.luck))]
    return table(heading(found, group), ("", "value"), rows)


def told(one: Estimate, show: Callable[[float], str]) -> str:
    """An estimate in a cell."""
    return f"{show(one.value)} [{show(one.low)}, {show(one.high)}]"


def table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table, the first column of which names the rows."""
    top = "".join(f'<th scope="col">{words(cell)}</th>' for cell in head)
    body = "".join(
        f'<tr><th scope="row">{words(row[0])}</th>'
        + "".join(f"<td>{words(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f"<caption>{words(caption)}</caption><tr>{top}</tr>{body}</table></div>"
    )


def _foot(found: Summary, command: str) -> str:
    study = found.config
    return foot(command, notes(found, rate=False), study.diablerie, study.version)


def foot(command: str, how: Line | str, diablerie: str, version: int) -> str:
    """What made a page, and how its numbers are to be read."""
    made = say("Made by")
    return (
        f"<footer><p>{words(made)}</p><pre><code>{words(command)}</code></pre>"
        f"<p>{words(how)}</p><p>diablerie {diablerie}, rules version {version}</p></footer>"
    )
