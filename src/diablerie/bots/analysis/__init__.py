"""The analysis of a finished match: everyone's chances after every ply, and what was a mistake.

`timeline` reads a match, `playouts` has the threads that play positions on, `verdicts` asks the
strongest search about decisions, `findings` holds the results, and `analyse` runs all of it within
a budget of time.
"""
