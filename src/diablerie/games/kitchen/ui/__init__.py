"""What people see and read of KITCHEN."""

from diablerie.games.kitchen.ui.drawing import draw
from diablerie.games.kitchen.ui.lesson import LESSON
from diablerie.games.kitchen.ui.log import narrate
from diablerie.games.kitchen.ui.moments import FACES, feats, moments, scenes
from diablerie.games.kitchen.ui.print import printed
from diablerie.games.kitchen.ui.prompts import (
    THEMES,
    chapter,
    ending,
    label,
    points,
    prompt,
    reason,
    refuse,
)
from diablerie.games.kitchen.ui.second_person import SECOND_PERSON
from diablerie.games.kitchen.ui.view import describe, look, panel, sketch
