"""Pictures for those who are not on the page: link previews, and a finished game to show round.

`Card` is what a page tells of itself to who previews a link to it (Open Graph). The template
`parts/card.html` writes it into the page's head if the page is rendered with a `card`.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from diablerie.art import devil, marks
from diablerie.art.animation import animated
from diablerie.art.poses import POSES
from diablerie.art.raster import PAPER, inlined, png_apart, sheets
from diablerie.art.svg import Svg, at, element, group, rect, svg_text
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.verbs import EVERYTHING
from diablerie.web.html.speech import Speech

WIDE, HIGH = 1200, 630  # pixels of a preview, as Open Graph wants it
EDGE, BOARD = 24, 640  # round the picture, and how wide it may be
LIGHT = 299_000  # bytes: some who show previews leave out those of 300 kB and more
PARTS = (1.0, 0.85, 0.7, 0.5)  # of its room that a board may have, until the preview is light
SHOWN = 1600  # pixels that a finished game's picture is wide
FRAMES, PACE = 16, 1.2  # positions in a film, and the seconds that each is shown
ROOM, LETTER = 464, 0.62  # for the words beside it, and how wide a letter is at most, in ems
BOLD = 0.84  # of the title
BOX = re.compile(r'viewBox="(\S+) (\S+) (\S+) (\S+)"')
GROUND = f"svg{{background:{PAPER}}}"


class Card(NamedTuple):
    """What a link to a page shows: addresses are absolute, the picture is WIDE by HIGH pixels."""

    title: str
    description: str
    url: str
    image: str
    alt: str

    wide: int = WIDE
    high: int = HIGH


def _room(game: Game) -> str:
    return f"{game.home}.ui"


def poster(game: Game) -> Svg:
    """The devil of a game, in place of a board."""
    return devil.figure(game.poster if game.poster in POSES else "grin")


def table_preview(game: Game, view: Any, speech: Speech) -> bytes:
    """A table as a PNG of WIDE by HIGH pixels: the board and who plays, or before that a devil.

    view: what may be seen by all who get the picture; None before the start.
    """
    board = poster(game) if view is None else game.ui.draw(view, [], speech.plain)
    lines = [
        _words(speech.plain(game.title), 0, "display", 64, BOLD),
        *(_player(seat, speech, 74 + 58 * seat) for seat in range(len(speech.names))),
    ]
    return _card(board, lines, _room(game))


def house_preview(
    game: Game, title: str, tagline: Sequence[str], picture: Svg | None = None
) -> bytes:
    """Words beside a picture (a devil, if none is given) as such a PNG. game: whose sheets are used."""
    lines = [_words(title, 0, "display", 72, BOLD)]
    lines += [_words(text, 84 + 46 * k, "wording", 30) for k, text in enumerate(tagline)]
    return _card(picture or devil.figure("grin"), lines, _room(game))


def group_preview(game: Game, name: str, score: str, people: Sequence[tuple[int, str]]) -> bytes:
    """A group as such a PNG: its name, the score of its series, and lines, each with a colour."""
    lines = [_words(name, 0, "display", 72, BOLD)]
    if score:
        lines.append(_words(score, 72, "wording", 34))
    first = 146 if score else 92
    rows = [_row(colour, text, first + 54 * k) for k, (colour, text) in enumerate(people)]
    return _card(devil.figure("triumph" if score else "grin"), [*lines, *rows], _room(game))


def _player(seat: int, speech: Speech, y: float) -> Svg:
    return _row(seat, speech.name(seat), y)


def _row(colour: int, text: str, y: float) -> Svg:
    token = group(marks.token(colour, 17), transform=at(17, -11))
    words = group(_words(text, 0, "wording", 32), transform=at(46, 0))
    return group(token, words, transform=at(0, y))


def _words(text: str, y: float, klass: str, size: float, letter: float = LETTER) -> Svg:
    """One line, set smaller if there is no room for it."""
    fitting = min(size, ROOM / (letter * len(text)))
    return svg_text(0, y, text, klass, font_size=round(fitting, 1))


def _card(picture: str, lines: Sequence[Svg], room: str) -> bytes:
    made = b""
    for part in PARTS:
        made = png_apart(inlined(_beside(picture, lines, part), room), WIDE)
        if len(made) < LIGHT:
            break
    return made


def _beside(picture: str, lines: Sequence[Svg], part: float) -> Svg:
    """The words beside a picture. part: how much of its room it has."""
    wide, high = map(float, _box(picture)[2:])
    scale = part * min(BOARD / wide, (HIGH - 2 * EDGE) / high)
    x, y = EDGE + (BOARD - scale * wide) / 2, (HIGH - scale * high) / 2
    place = f'x="{x:g}" y="{y:g}" width="{scale * wide:g}" height="{scale * high:g}" '
    text = at(EDGE + BOARD + 2 * EDGE, 120)
    return element(
        "svg",
        rect(0, 0, WIDE, HIGH, fill=PAPER),
        Svg(picture.replace("<svg ", f"<svg {place}", 1)),
        group(*lines, transform=text, fill="#24180e"),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDE} {HIGH}",
    )


def _box(picture: str) -> tuple[str, ...]:
    found = BOX.search(picture)
    assert found, "a drawing without a viewBox"
    return found.groups()


# -- a finished game -------------------------------------------------------------------------------


def final_svg(match: Match, speech: Speech) -> bytes:
    """The end of a finished match, all open, as an SVG that needs no style sheet."""
    drawn = inlined(_drawn(match, speech), _room(match.game))
    box = _box(drawn)
    ground = f'<rect x="{box[0]}" y="{box[1]}" width="{box[2]}" height="{box[3]}" fill="{PAPER}"/>'
    opened = drawn.index(">", drawn.index("<svg")) + 1
    return (drawn[:opened] + ground + drawn[opened:]).encode()


def final_png(match: Match, speech: Speech) -> bytes:
    """The same as a PNG, SHOWN pixels wide."""
    return png_apart(inlined(_drawn(match, speech), _room(match.game)), SHOWN)


def film(match: Match, speech: Speech) -> bytes:
    """A finished match in FRAMES of its positions, all open, as one animated SVG."""
    plies = {round(match.ply * (k + 1) / FRAMES) for k in range(FRAMES)} - {0}
    steps = match.steps(EVERYTHING)
    views = [
        match.game.ui.look(step.state, EVERYTHING) for n, step in enumerate(steps, 1) if n in plies
    ]
    drawn = [match.game.ui.draw(view, [], speech.plain) for view in views]
    style = "\n".join([*sheets(_room(match.game)), GROUND])
    return animated(drawn, style, PACE).encode()


def _drawn(match: Match, speech: Speech) -> str:
    return match.game.ui.draw(match.view(EVERYTHING), [], speech.plain)
