"""Calibration: are positions that are told as 70 % won in 70 of 100 games?

`config` says which games are played and which of their positions are looked at, `playing` does
it, `measuring` compares what was told with who won, `fitting` finds the temperature by which that
comes nearest, `running` is all of it, `table` shows it.
"""
