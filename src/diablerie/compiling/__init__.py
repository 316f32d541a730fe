"""Rules, bots and their searches, compiled while people play and nobody waits for it."""

LOWEST_PRIORITY = 19  # nice: the priority of all that compiles while people play
