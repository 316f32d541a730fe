"""The bots a person chooses from, as forms call them; what they are is in `bots.levels`."""

from diablerie.bots import levels

BOTS = {level.name: level.company for level in levels.LEVELS}
USUAL = levels.USUAL.name  # whom one plays who has not chosen
STRONGEST = levels.STRONGEST.name
