"""The sentences of TAILS."""
