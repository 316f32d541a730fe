"""A game's own picture as pixels: its SVG with its style sheets, drawn by resvg."""

from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import resvg_py
from numpy.typing import NDArray
from PIL import Image

from diablerie.engine.game import Game
from diablerie.engine.text import ENGLISH, Line, render_line
from diablerie.envs.css_inline import matcher, styled

HOUSE = ("tokens", "base", "parts", "art", "pieces")  # the sheets that all drawings share
PLAIN = "board"  # the sheet for games that have none of their own
WIDTH = 600  # pixels
PAPER = "#f6ecd9"  # the light background of a page


def pixels(game: Game, view: Any, width: int = WIDTH) -> NDArray[np.uint8]:
    """The picture of a view: uint8 (height, width, 3), in the light theme."""
    drawn = styled(game.ui.draw(view, [], _english), matching(f"{game.home}.ui"))
    png = resvg_py.svg_to_bytes(
        svg_string=drawn,
        width=width,
        background=PAPER,
        skip_system_fonts=True,
        font_files=fonts(),
        serif_family="DejaVu Serif",
        sans_serif_family="DejaVu Sans",
    )
    return np.asarray(Image.open(BytesIO(bytes(png))).convert("RGB"))


def _english(line: Line) -> str:
    return render_line(line, ENGLISH, lambda seat: f"Seat {int(seat)}")


@cache
def fonts() -> list[str]:
    """Matplotlib's own fonts, so that a picture is the same on every machine."""
    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return sorted(str(path) for path in folder.glob("DejaVu*.ttf"))


@cache
def matching(room: str) -> Any:
    """The matcher of the style sheets for drawings of a game, whose package `ui` is `room`."""
    static = files("diablerie") / "web" / "static"
    own = sorted(
        (p for p in files(room).iterdir() if p.name.endswith(".css")), key=lambda p: p.name
    )
    house = HOUSE if own else (*HOUSE, PLAIN)
    shared = [static / f"{name}.css" for name in house]
    return matcher(sheet.read_text("utf-8") for sheet in [*shared, *own])
