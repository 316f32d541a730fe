"""What takes the place of NumPy and Numba in a browser, where neither is loaded.

`stand_ins.install` puts it under their names before anything else is imported. Nothing here imports
the rest of diablerie.
"""
