"""The part that all studies share: jobs, workers, results that a later run continues.

A `study.Study` is a few functions: its jobs, how one is played, what the results mean; see
`diablerie.lab.simulate` and `diablerie.lab.tournament`. `run` runs it.
"""
