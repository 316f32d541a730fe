"""What a link to a page shows where it is sent: title, sentence and picture, in each language.

Addresses in previews are absolute, so a site has them only if it is told its own. `enter.js` leads
from such a page into the site.
"""

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from diablerie.art import devil
from diablerie.art.svg import Svg
from diablerie.engine.game import Game
from diablerie.engine.text import Line, say
from diablerie.engine.verbs import WATCHER
from diablerie.games import OURS
from diablerie.web.html import previews, templates
from diablerie.web.html.previews import Card
from diablerie.web.html.speech import speech_for

CARD_LETTERS = 24  # of a line of the sentence beside a picture
CARD_LINES = 7  # of that sentence


class Link(NamedTuple):
    """A page to be sent: its file in a language's folder, its address in the site, what it shows."""

    language: str
    file: str
    route: str
    title: Line
    sentence: Line
    game: Game
    picture: Svg | None = None


def house(language: str) -> Link:
    """The landing page."""
    sentence = say(
        "Devil games, most of them long out of print. Play them on one screen, with friends or "
        "against devils."
    )
    return Link(language, "", "/", Line("diablerie", {}), sentence, OURS[0])


def links(games: Sequence[Game], language: str) -> Iterator[Link]:
    """The pages that have previews beside the landing page."""
    for game in games:
        name = game.name
        title = game.title
        view = game.ui.look(game.start(game.seats[-1]), WATCHER)
        board = Svg(game.ui.draw(view, [], speech_for(language).plain))
        rules = say("Rules of {game}", game=title)
        file = f"rules-{name}.html"
        yield Link(language, file, f"/rules/{name}", rules, game.tagline, game, board)
        if game.lesson:
            learn = say("Learn {game}", game=title)
            told = say("Learn it by playing, step by step.")
            file = f"learn-{name}.html"
            poster = devil.poster(game.poster)
            yield Link(language, file, f"/learn/{name}", learn, told, game, poster)
    told = say("One position every day, for everybody. What would you do?")
    yield Link(language, "daily.html", "/daily", say("Daily challenge"), told, games[0])


def shown(folder: Path, address: str, link: Link, page: str) -> str:
    """The page with its preview, whose picture is written. address: the site's."""
    language = link.language
    plain = speech_for(link.language).plain
    title = plain(link.title)
    sentence = plain(link.sentence)
    file = f"previews/{language}-{Path(link.file).stem or 'index'}.png"
    lines = textwrap.wrap(sentence, CARD_LETTERS)[:CARD_LINES]
    (folder / "previews").mkdir(parents=True, exist_ok=True)
    picture = previews.house_preview(link.game, title, lines, link.picture)
    (folder / file).write_bytes(picture)
    place = f"pages/{language}/{link.file}" if link.file else ""
    card = Card(title, sentence, address + place, address + file, title)
    template = templates.environment(language).get_template("parts/card.html")
    return page.replace("</head>", f"{template.render(card=card)}\n</head>", 1)
