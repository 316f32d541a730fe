"""What of the record of TAILS a seat reads, and from where it counts.

Cells are not turned with the seats: which body is whose follows from the seat, which is told.
"""

from diablerie.engine.features import Features
from diablerie.games.tails.rules.board import CELLS

FEATURES = Features(seats=frozenset({"turn"}), bits={"free": CELLS})
