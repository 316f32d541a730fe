"""What people see and read of COALS."""

from diablerie.games.coals.ui.drawing.board import board as draw
from diablerie.games.coals.ui.view import amount, label, look, narrate, panel, prompt, sketch

__all__ = ["amount", "draw", "label", "look", "narrate", "panel", "prompt", "sketch"]
