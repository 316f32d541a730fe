"""What of the record of TAILS a seat reads, and from where it counts.

Cells are not turned with the seats: which body is whose follows from the seat, which is told.
"""

from diablerie.games.tails.rules.state import CELLS, COPIES, KINDS, TURNS
from diablerie.values.features import Features

FEATURES = Features(
    seats=frozenset({"turn"}),
    bits={"free": CELLS},
    ranges={
        "seats": (2, 4),
        "turn": (0, 3),
        "cell": (-1, CELLS - 1),
        "forced": (0, 1),
        "kind": (-1, KINDS - 1),
        "last": (-1, CELLS - 1),
        "count": (0, CELLS),
        "stock": (0, COPIES),
        "laid": (-1, KINDS * TURNS - 1),
    },
)
