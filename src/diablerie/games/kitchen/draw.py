"""The kitchen as SVG."""

from collections.abc import Sequence
from typing import Any

from diablerie.engine.game import Translate


def board(view: dict[str, Any], moves: Sequence[str], t: Translate) -> str:
    """The picture, from a view."""
    return "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 10 10'></svg>"
