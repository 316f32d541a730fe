"""The analysis of a finished match: everyone's chances after every ply, and what was a mistake.

`story` reads a match, `crew` are the threads that do the work, `playing` plays positions on, pass
by pass, `judging` asks the strongest search about decisions, `findings` is what comes of it, and
`whole` is all of it, within a budget of time.
"""
