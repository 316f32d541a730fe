"""The picture of UNDERWORLD."""
