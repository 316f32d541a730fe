"""The bots a person chooses from, as forms call them; what they are is in `bots.levels`."""

from diablerie.bots.levels import LEVELS
from diablerie.engine.text import say

BOTS = {
    "imp": say("imps: mostly nonsense"),
    "devil": say("devils: fair company"),
    "archdevil": say("archdevils: hard to fool"),
    "oberteufel": say("Oberteufel: the worst there is"),
}
USUAL = "devil"  # whom one plays who has not chosen
STRONGEST = LEVELS[-1]
