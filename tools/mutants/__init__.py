"""How many small mistakes do the tests notice? `python -m tools.mutants --help` says how to ask.

A mutant is the code with one small mistake in it: a comparison turned round, a statement left out.
A seeded sample of them is drawn from every folder, each is run against the folder's tests, and
those that no test notices are listed, to be judged by a person. Nothing is ever written into the
checkout: mutants are made in memory (Python) or in a copy of the tree (the script).

    mistakes.py, python.py    mistakes in Python, on the syntax tree
    script.py                 mistakes in the script, on its tokens
    places.py                 the folders, their tests, and what is left out
    sampling.py               which mutants are run
    tree.py                   the copy that everything runs in
    reach.py                  which tests reach a line, and how long they take (recorded once)
    trial.py, cold.py         one mutant, its tests: in a fork that has all loaded, or in a new one
    running.py, browsing.py   all of them, one after the other
    report.py                 the table, and the list of survivors
"""
