"""What people see and read of COALS."""

from diablerie.games.coals.ui.drawing.board import board as draw
from diablerie.games.coals.ui.text.buttons import amount, label
from diablerie.games.coals.ui.text.log import narrate
from diablerie.games.coals.ui.text.prompts import prompt
from diablerie.games.coals.ui.text.reasons import reason
from diablerie.games.coals.ui.view import look, panel, sketch

__all__ = ["amount", "draw", "label", "look", "narrate", "panel", "prompt", "reason", "sketch"]
