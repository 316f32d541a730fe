"""The sentences of KITCHEN."""
