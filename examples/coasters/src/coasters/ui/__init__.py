"""What people see and read of COASTERS."""

from coasters.ui.drawing import draw
from coasters.ui.log import narrate
from coasters.ui.moments import moments
from coasters.ui.prompts import label, points, prompt
from coasters.ui.view import describe, look, panel, sketch
