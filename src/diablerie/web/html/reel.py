"""The board in motion on the front page: some turns of a real game, written by `tools/reel.py`."""

import json
from functools import cache

from markupsafe import Markup

from diablerie.web.html.assets import FOLDER

GAME = "kitchen"
FILE = FOLDER / "reel.json"


@cache
def first_picture() -> Markup:
    """The picture it begins with, which stays where nothing is to move."""
    return Markup("".join(json.loads(FILE.read_text("utf-8"))[0]))
