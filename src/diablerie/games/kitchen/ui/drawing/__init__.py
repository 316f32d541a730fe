"""The picture of KITCHEN."""
