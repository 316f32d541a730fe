"""What people see and read of TAILS."""

from diablerie.games.tails.ui.drawing import draw
from diablerie.games.tails.ui.lesson import LESSON
from diablerie.games.tails.ui.log import narrate
from diablerie.games.tails.ui.moments import FACES, feats, moments, scenes
from diablerie.games.tails.ui.print import printed
from diablerie.games.tails.ui.prompts import (
    THEMES,
    chapter,
    ending,
    label,
    points,
    prompt,
    reason,
    refuse,
)
from diablerie.games.tails.ui.second_person import SECOND_PERSON
from diablerie.games.tails.ui.view import describe, look, panel, sketch
