"""What people see and read of KITCHEN."""

from diablerie.games.kitchen.ui.drawing.picture import draw
from diablerie.games.kitchen.ui.summary import panel, sketch
from diablerie.games.kitchen.ui.text.buttons import amount, label
from diablerie.games.kitchen.ui.text.log import narrate
from diablerie.games.kitchen.ui.text.prompts import prompt
from diablerie.games.kitchen.ui.text.reasons import reason
from diablerie.games.kitchen.ui.view import look

__all__ = ["amount", "draw", "label", "look", "narrate", "panel", "prompt", "reason", "sketch"]
