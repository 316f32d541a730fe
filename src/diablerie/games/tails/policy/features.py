"""What of the record of TAILS a seat reads, and from where it counts.

Cells are not turned with the seats: which body is whose follows from the seat, which is told.
"""

from diablerie.games.tails.rules.board import CELLS
from diablerie.values.features import Features

FEATURES = Features(seats=frozenset({"turn"}), bits={"free": CELLS})
