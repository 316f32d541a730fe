"""Exact play: matrix games, whole trees, and games made of rounds that are solved backwards.

Needs SciPy, which the extra `exact` brings.
"""
