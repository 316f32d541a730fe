"""What people see and read of COALS."""

from diablerie.games.coals.ui.drawing import draw
from diablerie.games.coals.ui.lesson import LESSON
from diablerie.games.coals.ui.log import narrate
from diablerie.games.coals.ui.moments import FACES, feats, moments, scenes
from diablerie.games.coals.ui.options import OPTION_PARTS
from diablerie.games.coals.ui.print import printed
from diablerie.games.coals.ui.prompts import (
    THEMES,
    amount,
    chapter,
    ending,
    label,
    points,
    progress,
    prompt,
    reason,
    refuse,
)
from diablerie.games.coals.ui.second_person import SECOND_PERSON
from diablerie.games.coals.ui.view import describe, look, panel, sketch
