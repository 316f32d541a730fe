"""What people see and read of UNDERWORLD."""

from diablerie.games.underworld.ui.drawing.board import draw
from diablerie.games.underworld.ui.text.buttons import label
from diablerie.games.underworld.ui.text.log import narrate
from diablerie.games.underworld.ui.text.prompts import prompt
from diablerie.games.underworld.ui.text.reasons import reason
from diablerie.games.underworld.ui.view import amount, look, panel, sketch

__all__ = ["amount", "draw", "label", "look", "narrate", "panel", "prompt", "reason", "sketch"]
