"""What people see and read of UNDERWORLD."""

from diablerie.games.underworld.ui.drawing import draw
from diablerie.games.underworld.ui.lesson import LESSON
from diablerie.games.underworld.ui.log import narrate
from diablerie.games.underworld.ui.moments import FACES, feats, moments, scenes
from diablerie.games.underworld.ui.print import printed
from diablerie.games.underworld.ui.prompts import (
    THEMES,
    chapter,
    ending,
    label,
    progress,
    prompt,
    reason,
    refuse,
)
from diablerie.games.underworld.ui.second_person import SECOND_PERSON
from diablerie.games.underworld.ui.view import describe, look, panel, planned, sketch
