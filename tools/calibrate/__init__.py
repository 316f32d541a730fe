"""Calibration: whether positions that a replay shows as 70 % are won in 70 of 100 games.

`study` says which games are played and which positions are examined, and `reliability` compares the
chances with who won and fits the temperature that makes them agree best.
"""
