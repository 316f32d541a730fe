"""The part that all studies share: jobs, workers, a results file that a later run continues.

`study.Study` joins the parts. A subclass says what its jobs are, what a worker does with one, and
what the results mean; see `diablerie.lab.tournament` and `diablerie.lab.simulate`.
"""
