"""A game's own picture as pixels: its SVG with its style sheets, drawn by resvg."""

from functools import partial
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from diablerie.art.raster import inlined, png
from diablerie.engine.game import Game
from diablerie.engine.text import ENGLISH, render_line

PICTURE_WIDTH = 600  # pixels


def pixels(game: Game, view: object, width: int = PICTURE_WIDTH) -> NDArray[np.uint8]:
    """The picture of a view: uint8 (height, width, 3), in the light theme."""
    english = partial(render_line, language=ENGLISH, name=lambda seat: f"Seat {seat}")
    drawn = inlined(game.ui.draw(view, [], english), f"{game.home}.ui")
    return np.asarray(Image.open(BytesIO(png(drawn, width))).convert("RGB"))
