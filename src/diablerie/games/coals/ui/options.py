"""How forms ask for the options of COALS."""

from diablerie.engine.text import say
from diablerie.games.coals.rules.state import DEVIL, VALUES

OPTION_PARTS = {"furnace": (*(say("{n}", n=value) for value in VALUES[:DEVIL]), say("devils"))}
