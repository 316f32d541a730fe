"""What people see and read of TAILS."""

from diablerie.games.tails.ui.drawing.board import draw
from diablerie.games.tails.ui.text.buttons import amount, label
from diablerie.games.tails.ui.text.log import narrate
from diablerie.games.tails.ui.text.prompts import prompt
from diablerie.games.tails.ui.text.reasons import reason
from diablerie.games.tails.ui.view import look, panel, sketch

__all__ = ["amount", "draw", "label", "look", "narrate", "panel", "prompt", "reason", "sketch"]
