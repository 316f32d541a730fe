"""A game's own picture as pixels: its SVG with its style sheets, drawn by resvg."""

from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from diablerie.art.raster import inlined, png
from diablerie.engine.game import Game
from diablerie.engine.text import ENGLISH, Line, render_line

WIDTH = 600  # pixels


def pixels(game: Game, view: Any, width: int = WIDTH) -> NDArray[np.uint8]:
    """The picture of a view: uint8 (height, width, 3), in the light theme."""
    drawn = inlined(game.ui.draw(view, [], _english), f"{game.home}.ui")
    return np.asarray(Image.open(BytesIO(png(drawn, width))).convert("RGB"))


def _english(line: Line) -> str:
    return render_line(line, ENGLISH, lambda seat: f"Seat {int(seat)}")
