"""The style guide: every colour, size, part and piece on one page, for who works on the look.

`python -m tools.style_guide [FOLDER]` writes `index.html` and the style sheets that it is made of,
those of the product, into a folder (style-guide if left out). Open the page in a browser.
"""

import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from diablerie.art import devil, marks, pieces, props
from diablerie.art.head import MOODS
from diablerie.art.poses import POSES
from diablerie.art.svg import Svg, at, group, path, rect, svg
from diablerie.engine.game import Game
from diablerie.engine.verbs import WATCHER
from diablerie.games import ALL
from diablerie.web.html import assets


class Sample(NamedTuple):
    """Something drawn, with its name in the code."""

    name: str
    picture: Markup


class Token(NamedTuple):
    """A design token: its name and its value."""

    name: str
    value: str


HERE = Path(__file__).parent
OWN = "style_guide.css"


def main() -> None:
    """Write the page and its style sheets."""
    folder = Path(*sys.argv[1:2]) if sys.argv[1:] else Path("style-guide")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (styles() | {"index.html": page()}).items():
        (folder / name).write_text(text, "utf-8")
    print(folder / "index.html")


def page() -> str:
    """The page as HTML."""
    made = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True,
        undefined=StrictUndefined,
    )  # fmt: skip
    made.globals |= {"figure": devil.figure}
    return made.get_template("style_guide.html").render(samples() | {"sheets": list(styles())})


def styles() -> dict[str, str]:
    """The style sheets of the page by their names: the house's, the games', and its own."""
    games = {f"{game.name}.css": assets.own_style(game).decode() for game in ALL.values()}
    house = {assets.HOUSE: assets.contents()[assets.HOUSE].decode()}
    return house | games | {OWN: (HERE / OWN).read_text("utf-8")}


def samples() -> dict[str, Any]:
    """What the page shows."""
    boards = [Sample(game.name, _board(game)) for game in ALL.values()]
    return _drawn() | {"bar": bar, "boards": boards}


def _drawn() -> dict[str, Any]:
    return {
        "swatches": {name: list(_swatches(name)) for name in GROUPS},
        "sizes": {name: tokens(name) for name in ("text", "space", "radius")},
        "shadows": tokens("shadow-1", "shadow-2", "shadow-3"),
        "durations": tokens("quick", "beat", "glide", "scene"),
        "poses": [Sample(name, Markup(devil.figure(name))) for name in POSES],
        "moods": [Sample(name, Markup(devil.avatar(name))) for name in MOODS],
        "seats": [_seat(seat) for seat in range(marks.SEATS)],
        "pieces": {name: list(made()) for name, made in PIECES.items()},
    }


# -- tokens ------------------------------------------------------------------------------------

GROUPS = {
    "ground": ("bg", "surface", "raised", "sunken", "line", "line-2", "ink", "ink-2"),
    "ember": ("accent", "accent-2", "accent-soft", "danger", "danger-soft", "success",
              "success-soft", "focus"),
    "boards": ("felt", "felt-line", "stone", "stone-2", "iron", "iron-2", "lava", "lava-2", "ivy"),
    "print": ("print-",),
}  # fmt: skip


@cache
def _declared() -> dict[str, str]:
    sheet = (assets.FOLDER / "tokens.css").read_text("utf-8")
    found = re.findall(r"^  --([\w-]+):\s*([^;]+);", sheet, re.MULTILINE)
    return {name: " ".join(value.split()) for name, value in found}


def tokens(*starts: str) -> list[Token]:
    """The tokens with these names, or whose names begin so and go on with a hyphen."""
    names = _declared().items()
    return [Token(n, v) for n, v in names if any(n == s or n.startswith(s + "-") for s in starts)]


def _swatches(group_name: str) -> Iterator[Sample]:
    for start in GROUPS[group_name]:
        for name in _declared():
            if name == start or (start.endswith("-") and name.startswith(start)):
                colour = rect(0, 0, 9, 9, fill=f"var(--{name})")
                yield Sample(name, Markup(svg(9, 9, colour, preserveAspectRatio="none")))


def bar(name: str) -> Markup:
    """A bar as long as a token says."""
    return Markup(svg(100, 12, rect(0, 0, f"var(--{name})", 12), width=100, height=12))


# -- pieces ------------------------------------------------------------------------------------


MARKS = ("disc", "triangle", "square", "diamond", "star", "ring")


def _seat(seat: int) -> dict[str, Any]:
    line = path("M4 12H156", "seat-line", stroke_dasharray=marks.DASHES[seat] or None)
    return {
        "number": seat,
        "mark": MARKS[seat],
        "token": Markup(marks.dot(seat)),
        "face": Markup(devil.avatar(MOODS[seat], seat)),
        "figure": Markup(devil.figure("grin", seat)),
        "dash": Markup(svg(160, 24, line, class_=f"seat-{seat}")),
    }


def _shown(name: str, part: Svg, wide: float = 64, high: float = 64) -> Sample:
    return Sample(name, Markup(svg(wide, high, part, left=-wide / 2, top=-high / 2)))


def _coal() -> Iterator[Sample]:
    yield _shown("coal(0)", pieces.coal(0))
    for value in (100, 75, 50, 25, 20, 10):
        yield _shown(f"coal_face({value})", pieces.coal_face(value))
    yield _shown("coal_devil()", pieces.coal_devil())


def _money() -> Iterator[Sample]:
    for value in pieces.CHIPS:
        yield _shown(f"chip({value})", pieces.chip(value, 24))
    yield _shown("chips(1380)", group(pieces.chips(1380), transform=at(-28, 0)), 92)


def _seated() -> Iterator[Sample]:
    for seat in range(marks.SEATS):
        yield _shown(f"pawn({seat})", group(pieces.pawn(seat), transform=at(0, 20)))
    for seat, sign in enumerate("&§+*"):
        yield _shown(f"pot({seat}, “{sign}”)", pieces.pot(seat, sign))
    for seat, letter in enumerate("ABCDEF"):
        yield _shown(f"peg({seat}, “{letter}”)", pieces.peg(seat, letter), 44, 48)
    for seat in range(marks.SEATS):
        yield _shown(f"disk({seat})", pieces.disk(seat))


def _cards() -> Iterator[Sample]:
    yield _shown("card()", group(pieces.card(60, 84), transform=at(-30, -42)), 70, 92)
    for face in (1, 2, 3, "wing", 6):
        yield _shown(f"die({face})", pieces.die(face))
    yield _shown("ribbon()", pieces.ribbon(180), 240)


def _props() -> Iterator[Sample]:
    yield _shown("flames()", group(props.flames(), transform=at(0, 46)), 150, 110)
    for name in ("fork", "scroll", "ladle", "toque", "nightcap", "heap"):
        middle = {"toque": 110, "nightcap": 80, "fork": -18, "scroll": -30, "ladle": 24}.get(
            name, 0
        )
        part = getattr(props, name)()
        yield _shown(
            f"{name}()", group(part, transform=at(0, middle)), 280 if name == "heap" else 170, 220
        )


PIECES: dict[str, Callable[[], Iterator[Sample]]] = {
    "coal": _coal,
    "money": _money,
    "seats": _seated,
    "cards and dice": _cards,
    "props": _props,
}


def _board(game: Game) -> Markup:
    """The picture of a game as it is laid out for the most players."""
    view = game.ui.look(game.start(game.seats[-1]), WATCHER)
    return Markup(game.ui.draw(view, [], str))


if __name__ == "__main__":
    main()
