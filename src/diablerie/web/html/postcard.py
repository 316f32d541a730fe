"""The postcard of a group's evening: all its podiums, and the greatest feat in each kind of game.

It is a drawing that needs no style sheet, part of a page that only the group's devices show. The page
itself makes files of it (static/postcard.js): it has no address of its own.
"""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple
from xml.etree import ElementTree

from diablerie.art.podium import PICTURE_HEIGHT, STAGE_WIDTH, podium
from diablerie.art.raster import LIGHT_PAPER, without_sheets
from diablerie.art.svg import Svg, at, element, group, path, rect, svg_text
from diablerie.engine.feats import Feat, greatest_feat
from diablerie.engine.match import Match
from diablerie.engine.text import say
from diablerie.table.state.table_state import TableState
from diablerie.web.html import endings
from diablerie.web.html.previews import BOLD_LETTER_WIDTH, LETTER_WIDTH
from diablerie.web.html.speech import Speech

CARD_WIDTH = 1200
CARD_MARGIN = 48
CARD_HEAD_HEIGHT = 130
GAME_TITLE_HEIGHT = 54  # of a game, above its podium
FEAT_HEIGHT = 50
CARD_FOOT_HEIGHT = 60
CARD_INK = "#24180e"
CARD_RULE = "#8f7a60"
PODIUM_COLUMNS = (1, 1, 2, 3, 2)  # of so many podiums; of more: three
# What a podium has for a page that moves and speaks, and a picture has not.
ALIVE = re.compile(r' (?:id|data-(?:enter|delay|heard))="[^"]*"')


class Played(NamedTuple):
    """A finished game of the evening, with its players as the card calls them."""

    match: Match
    speech: Speech


def game_on_card(live: TableState, speech: Speech, members: Collection[int]) -> Played:
    """A game of the evening; who was removed from the group is on the card without a name."""
    assert live.match is not None
    shown = [info.name if info.member in members or not info.member else "" for info in live.seats]
    names = [
        speech.plain(info.shown_as(name)) for info, name in zip(live.seats, shown, strict=True)
    ]
    return Played(live.match, Speech(speech.texts, names))


def postcard(title: str, day: str, games: Sequence[Played], speech: Speech) -> Svg:
    """The card of an evening with at least one game."""
    columns = PODIUM_COLUMNS[len(games)] if len(games) < len(PODIUM_COLUMNS) else 3
    wide = (CARD_WIDTH - 2 * CARD_MARGIN) / columns
    high = GAME_TITLE_HEIGHT + PICTURE_HEIGHT * wide / STAGE_WIDTH if columns > 1 else 560
    rows = -(-len(games) // columns)
    podiums = [
        _podium(
            game,
            CARD_MARGIN + wide * (k % columns),
            CARD_HEAD_HEIGHT + high * (k // columns),
            wide,
            high,
        )
        for k, game in enumerate(games)
    ]
    below = CARD_HEAD_HEIGHT + rows * high + 40
    lines = [_feat(k, *feat, below + FEAT_HEIGHT * k) for k, feat in enumerate(_feats(games))]
    tall = below + FEAT_HEIGHT * len(lines) + CARD_FOOT_HEIGHT
    drawn = element(
        "svg",
        rect(0, 0, CARD_WIDTH, tall, fill=LIGHT_PAPER),
        group(*_head(title, day), *lines, *_foot(tall), fill=CARD_INK),
        *podiums,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {CARD_WIDTH} {tall:g}",
    )
    room = f"{games[0].match.game.home}.ui"  # podiums need only the sheets that all games share
    return _without_styles(without_sheets(ALIVE.sub("", drawn), room))


def _without_styles(drawing: str) -> Svg:
    """A drawing with attributes in place of its styles, which the policy of pages forbids."""
    root = ElementTree.fromstring(drawing)
    for drawn in root.iter():
        for declaration in drawn.attrib.pop("style", "").split(";"):
            name, _, value = declaration.partition(":")
            if value:
                drawn.set(name.strip(), " ".join(value.split()))
    return Svg(ElementTree.tostring(root, encoding="unicode"))


def card_in_words(games: Sequence[Played]) -> list[str]:
    """What the card shows, a line for each game and each feat."""
    told = [
        f"{game.speech.plain(game.match.game.title)}: "
        + game.speech.plain(endings.places(endings.stands(game.match, game.speech)))
        for game in games
    ]
    return told + [_feat_words(feat, speech) for feat, speech in _feats(games)]


def _head(title: str, day: str) -> list[Svg]:
    room = CARD_WIDTH - 2 * CARD_MARGIN - 340
    size = min(64.0, room / (BOLD_LETTER_WIDTH * len(title)))
    rule = path(
        f"M{CARD_MARGIN} 106H{CARD_WIDTH - CARD_MARGIN}", "", stroke=CARD_RULE, stroke_width=3
    )
    return [
        svg_text(CARD_MARGIN, 80, title, "display", font_size=round(size, 1)),
        svg_text(CARD_WIDTH - CARD_MARGIN, 80, day, "wording", font_size=34, text_anchor="end"),
        rule,
    ]


def _foot(tall: float) -> list[Svg]:
    return [
        svg_text(
            CARD_WIDTH - CARD_MARGIN,
            tall - 24,
            "diablerie",
            "display",
            font_size=22,
            text_anchor="end",
        )
    ]


def _podium(game: Played, x: float, y: float, wide: float, high: float) -> Svg:
    """A game's name above its podium, in a box."""
    drawn = podium(endings.stands(game.match, game.speech))
    scale = min(0.94 * wide / STAGE_WIDTH, (high - GAME_TITLE_HEIGHT) / PICTURE_HEIGHT)
    place = (
        f'x="{(wide - scale * STAGE_WIDTH) / 2:g}" y="{GAME_TITLE_HEIGHT}" '
        f'width="{scale * STAGE_WIDTH:g}" height="{scale * PICTURE_HEIGHT:g}" '
    )
    title = svg_text(
        wide / 2,
        38,
        game.speech.plain(game.match.game.title),
        "display",
        font_size=30,
        text_anchor="middle",
    )
    inside = Svg(drawn.replace("<svg ", f"<svg {place}", 1))
    return group(group(title, fill=CARD_INK), inside, transform=at(x, y))


def _feats(games: Sequence[Played]) -> list[tuple[Feat, Speech]]:
    """The greatest feat in each kind of game, with the names of its table."""
    found: dict[str, tuple[Feat, Speech]] = {}
    for game in games:
        feat = greatest_feat(game.match)
        kind = game.match.game.name
        if feat and (kind not in found or feat.size > found[kind][0].size):
            found[kind] = feat, game.speech
    return [*found.values()]


def _feat(number: int, feat: Feat, speech: Speech, y: float) -> Svg:
    words = _feat_words(feat, speech)
    size = min(32.0, (CARD_WIDTH - 2 * CARD_MARGIN) / (LETTER_WIDTH * len(words)))
    return svg_text(CARD_MARGIN, y, words, "wording", font_size=round(size, 1))


def _feat_words(feat: Feat, speech: Speech) -> str:
    who = ", ".join(speech.name(seat) for seat in feat.seats)
    return speech.plain(
        say("{title}: {name} ({words})", title=feat.title, name=who, words=feat.words)
    )
