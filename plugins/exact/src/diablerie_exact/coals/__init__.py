"""COALS for two with a small furnace, as a game made of rounds."""
