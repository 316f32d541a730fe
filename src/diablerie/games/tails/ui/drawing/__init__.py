"""The picture of TAILS."""
