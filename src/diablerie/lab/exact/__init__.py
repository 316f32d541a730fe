"""Games solved: backwards over their rounds, and what every bot loses beside that.

    from diablerie.lab.exact import solved

    solution = solved("coals", {"goal": 210, "furnace": "0,0,0,0,0,1,1"}, error=0.01)

Needs SciPy, which the extra `exact` brings.
"""

from diablerie.lab.exact.solving import solved

__all__ = ["solved"]
