"""What people see and read of KITCHEN."""

from diablerie.games.kitchen.ui.drawing.board import board as draw
from diablerie.games.kitchen.ui.text.log import narrate
from diablerie.games.kitchen.ui.view import amount, label, look, panel, prompt, sketch

__all__ = ["amount", "draw", "label", "look", "narrate", "panel", "prompt", "sketch"]
