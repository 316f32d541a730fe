"""Planted faults, by which is measured what the simulation of the whole system finds."""
