"""What people see and read of COASTERS."""

from coasters.ui.drawing.board import board as draw
from coasters.ui.text.log import narrate
from coasters.ui.text.prompts import amount, label, prompt
from coasters.ui.view import look, panel, sketch

__all__ = ["amount", "draw", "label", "look", "narrate", "panel", "prompt", "sketch"]
