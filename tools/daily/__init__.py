"""Makes a list of daily challenges: finds positions with one clearly best action, and gives each day one.

`screening` plays a match and looks for such positions cheaply, `judging` plays their actions out
and asks the levels, `study` runs all that as a study, and `arranging` puts days in order.
"""
