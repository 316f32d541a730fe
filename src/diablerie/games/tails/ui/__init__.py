"""What people see and read of TAILS."""

from diablerie.games.tails.ui.drawing.board import board as draw
from diablerie.games.tails.ui.text.log import narrate
from diablerie.games.tails.ui.view import amount, label, look, panel, prompt, sketch

__all__ = ["amount", "draw", "label", "look", "narrate", "panel", "prompt", "sketch"]
