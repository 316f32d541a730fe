"""Pictures for those who are not on the page: link previews, and a finished game to show round.

`Card` is what a page tells of itself to who previews a link to it (Open Graph). The template
`parts/card.html` writes it into the page's head if the page is rendered with a `card`.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from diablerie.art import devil, marks
from diablerie.art.animation import animated
from diablerie.art.podium import podium
from diablerie.art.raster import LIGHT_PAPER, png_in_child, sheets, without_sheets
from diablerie.art.svg import Svg, at, element, group, rect, svg_text
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.text import Line, say
from diablerie.engine.verbs import EVERYTHING
from diablerie.table.state.table_state import TableState
from diablerie.web.html import endings
from diablerie.web.html.speech import Speech

PREVIEW_WIDTH = 1200  # pixels, as Open Graph wants it
PREVIEW_HEIGHT = 630  # pixels
BOARD_MARGIN = 24  # pixels round the picture
BOARD_WIDTH = 640  # pixels that the picture may be wide
MOST_PREVIEW_BYTES = 299_000  # bytes: some who show previews leave out those of 300 kB and more
BOARD_PORTIONS = (
    1.0,
    0.85,
    0.7,
    0.5,
)  # of its room that a board may have, until the preview is light
FINISHED_WIDTH = 1600  # pixels that a finished game's picture is wide
MOST_FRAMES = 16  # positions in a film
FRAME_SECONDS = 1.2  # that each position is shown
WORDS_WIDTH = 464  # pixels for the words beside the picture
LETTER_WIDTH = 0.62  # ems that a letter is wide, at most
BOLD_LETTER_WIDTH = 0.84  # of the title
BOX = re.compile(r'viewBox="(\S+) (\S+) (\S+) (\S+)"')
# pixels of a finished game's picture that the podium has, the board has the rest
PODIUM_WIDTH = 660
PREVIEW_INK = "#24180e"
XMLNS = "http://www.w3.org/2000/svg"
GROUND = f"svg{{background:{LIGHT_PAPER}}}"


class Card(NamedTuple):
    """What a link to a page shows, with absolute addresses.

    The picture is PREVIEW_WIDTH by PREVIEW_HEIGHT pixels.
    """

    title: str
    description: str
    url: str
    image: str
    alt: str

    wide: int = PREVIEW_WIDTH
    high: int = PREVIEW_HEIGHT


def house_card(speech: Speech, home: str, title: str, path: str = "/") -> Card:
    """The preview of a link to a page that is about no single table."""
    return Card(
        title=title,
        description=speech.plain(
            say(
                "Devil games, most of them long out of print. Play them with friends, on one "
                "screen or far apart, or against devils."
            )
        ),
        url=home + path,
        image=f"{home}/preview.png",
        alt=speech.plain(say("A grinning devil")),
    )


def group_card(
    speech: Speech, home: str, name: str, path: str, score: Line | None, matches: int
) -> Card:
    """What a link to a group's page shows: its score, if there is one, also in the picture."""
    card = house_card(speech, home, name, path)
    score_line = speech.plain(score) if score else ""
    return card._replace(
        description=score_line or card.description,
        image=f"{home}{path}/preview.png?n={matches}",
        alt=score_line or card.alt,
    )


def table_card(speech: Speech, home: str, live: TableState, title: Line, path: str = "") -> Card:
    """What a link to a page of a table shows: what anybody may see of it. path: behind the table's."""
    speech = speech.at(live)
    game = speech.plain(live.game.title)
    taken = [speech.name(info.seat) for info in live.seats if info.kind != "open"]
    return Card(
        title=speech.plain(title),
        description=", ".join(taken) + " – " + speech.plain(live.game.tagline),
        url=f"{home}/t/{live.id}{path}",
        image=f"{home}/t/{live.id}/preview.png?ply={live.ply}",
        alt=speech.plain(say("The board of {game}, as everybody may see it", game=game)),
    )


# -- pictures ---------------------------------------------------------------------------------------


def _ui_package(game: Game) -> str:
    return f"{game.home}.ui"


def table_preview(game: Game, view: object, speech: Speech) -> bytes:
    """A table as a PNG of the preview's size: the board and who plays, or before that a devil.

    view: what may be seen by all who get the picture; None before the start. A finished match has
    a preview of its own, `final_preview`.
    """
    board = devil.poster(game.poster) if view is None else game.ui.draw(view, [], speech.plain)
    lines = [
        _words(speech.plain(game.title), 0, "display", 64, BOLD_LETTER_WIDTH),
        *(_row(k, speech.name(k), 74 + 58 * k) for k in range(len(speech.names))),
    ]
    return _card(board, lines, _ui_package(game))


def house_preview(
    game: Game, title: str, tagline: Sequence[str], picture: Svg | None = None
) -> bytes:
    """Words beside a picture (a devil, if none is given) as such a PNG. game: whose sheets are used."""
    lines = [_words(title, 0, "display", 72, BOLD_LETTER_WIDTH)]
    lines += [_words(text, 84 + 46 * k, "wording", 30) for k, text in enumerate(tagline)]
    return _card(picture or devil.figure("grin"), lines, _ui_package(game))


def group_preview(game: Game, name: str, score: str, people: Sequence[tuple[int, str]]) -> bytes:
    """A group as such a PNG: its name, the score of its series, and lines, each with a colour."""
    lines = [_words(name, 0, "display", 72, BOLD_LETTER_WIDTH)]
    if score:
        lines.append(_words(score, 72, "wording", 34))
    first = 146 if score else 92
    rows = [_row(colour, text, first + 54 * k) for k, (colour, text) in enumerate(people)]
    return _card(devil.figure("triumph" if score else "grin"), [*lines, *rows], _ui_package(game))


def _row(colour: int, text: str, y: float) -> Svg:
    token = group(marks.token(colour, 17), transform=at(17, -11))
    words = group(_words(text, 0, "wording", 32), transform=at(46, 0))
    return group(token, words, transform=at(0, y))


def _words(text: str, y: float, klass: str, size: float, letter: float = LETTER_WIDTH) -> Svg:
    """One line, set smaller if there is no room for it."""
    fitting = min(size, WORDS_WIDTH / (letter * len(text)))
    return svg_text(0, y, text, klass, font_size=round(fitting, 1))


def _card(picture: str, lines: Sequence[Svg], package: str) -> bytes:
    return _light(lambda part: _beside(picture, lines, part), package)


def _light(drawn: Callable[[float], str], package: str) -> bytes:
    """As a PNG, whose board has less and less of its room until it is light."""
    made = b""
    for part in BOARD_PORTIONS:
        made = png_in_child(without_sheets(drawn(part), package), PREVIEW_WIDTH)
        if len(made) < MOST_PREVIEW_BYTES:
            break
    return made


def _beside(picture: str, lines: Sequence[Svg], part: float) -> Svg:
    """The words beside a picture. part: how much of its room it has."""
    text = at(BOARD_MARGIN + BOARD_WIDTH + 2 * BOARD_MARGIN, 120)
    board = _placed(
        picture, BOARD_MARGIN, BOARD_MARGIN, BOARD_WIDTH, PREVIEW_HEIGHT - 2 * BOARD_MARGIN, part
    )
    return _sheet(board, group(*lines, transform=text, fill=PREVIEW_INK))


def _placed(
    picture: str, left: float, top: float, room: float, tall: float, part: float = 1
) -> Svg:
    """A picture in the middle of a box, as large as fits. part: how much of its room it has."""
    wide, high = map(float, _box(picture)[2:])
    scale = part * min(room / wide, tall / high)
    x = left + (room - scale * wide) / 2
    y = top + (tall - scale * high) / 2
    place = f'x="{x:g}" y="{y:g}" width="{scale * wide:g}" height="{scale * high:g}" '
    return Svg(picture.replace("<svg ", f"<svg {place}", 1))


def _sheet(*drawn: Svg) -> Svg:
    """A complete picture on paper."""
    paper = rect(0, 0, PREVIEW_WIDTH, PREVIEW_HEIGHT, fill=LIGHT_PAPER)
    box = f"0 0 {PREVIEW_WIDTH} {PREVIEW_HEIGHT}"
    return element("svg", paper, *drawn, xmlns=XMLNS, viewBox=box)


def _box(picture: str) -> tuple[str, ...]:
    found = BOX.search(picture)
    assert found, "a drawing without a viewBox"
    return found.groups()


# -- a finished game -------------------------------------------------------------------------------


def final_preview(match: Match, speech: Speech) -> bytes:
    """The end of a finished match as such a PNG: the podium beside the board, all open."""
    return _light(partial(final_drawing, match, speech), _ui_package(match.game))


def final_svg(match: Match, speech: Speech) -> bytes:
    """The same as an SVG that needs no style sheet."""
    return without_sheets(final_drawing(match, speech), _ui_package(match.game)).encode()


def final_png(match: Match, speech: Speech) -> bytes:
    """The same as a PNG, FINISHED_WIDTH pixels wide."""
    return png_in_child(final_svg(match, speech).decode(), FINISHED_WIDTH)


def film(match: Match, speech: Speech) -> bytes:
    """A finished match in MOST_FRAMES of its positions, all open, and the podium, as one animated SVG."""
    style = "\n".join([*sheets(_ui_package(match.game)), GROUND])
    return animated(film_drawings(match, speech), style, FRAME_SECONDS).encode()


def film_drawings(match: Match, speech: Speech) -> list[str]:
    """What the film shows one after the other, before style sheets are applied."""
    plies = {round(match.ply * (k + 1) / MOST_FRAMES) for k in range(MOST_FRAMES)} - {0}
    ui = match.game.ui
    steps = enumerate(match.steps(EVERYTHING), 1)
    views = (ui.look(step.state, EVERYTHING) for n, step in steps if n in plies)
    drawn = [ui.draw(view, [], speech.plain) for view in views]
    box = _box(drawn[-1])
    left, top, wide, high = map(float, box)
    end = group(_podium(match, speech, wide, high), transform=at(left, top))
    return [*drawn, element("svg", end, xmlns=XMLNS, viewBox=" ".join(box))]


def final_drawing(match: Match, speech: Speech, part: float = 1) -> Svg:
    """The same before style sheets are applied. part: how much of its room the board has."""
    board = match.game.ui.draw(match.view(EVERYTHING), [], speech.plain)
    title = svg_text(
        PREVIEW_WIDTH - BOARD_MARGIN, 62, speech.plain(match.game.title), "display", font_size=36
    )
    ended = _podium(match, speech, PODIUM_WIDTH, PREVIEW_HEIGHT - BOARD_MARGIN)
    right = PODIUM_WIDTH + BOARD_MARGIN
    shown = _placed(
        board,
        right,
        84,
        PREVIEW_WIDTH - BOARD_MARGIN - right,
        PREVIEW_HEIGHT - 84 - BOARD_MARGIN,
        part,
    )
    return _sheet(ended, shown, group(title, text_anchor="end", fill=PREVIEW_INK))


def _podium(match: Match, speech: Speech, wide: float, high: float) -> Svg:
    """The podium below who has won, in a box at (0, 0)."""
    words = speech.plain(endings.headline(endings.winners(match)))
    size = min(0.1 * high, wide / (BOLD_LETTER_WIDTH * len(words)))
    title = svg_text(wide / 2, 0.14 * high, words, "display", font_size=size, text_anchor="middle")
    steps = podium(endings.stands(match, speech))
    return group(
        group(title, fill=PREVIEW_INK),
        _placed(steps, 0.02 * wide, 0.2 * high, 0.96 * wide, 0.78 * high),
    )
