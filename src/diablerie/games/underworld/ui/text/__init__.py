"""The sentences of UNDERWORLD."""
