"""What of the record of COALS a seat reads, and from where it counts."""

from diablerie.games.coals.policy.derived import DERIVED
from diablerie.values.features import Features

FEATURES = Features(
    by_seat=frozenset(
        {"front", "busted", "pact", "space", "pieces", "coal", "stake", "chips", "purse"}
    ),
    seats=frozenset({"turn", "first"}),
    skip=frozenset({"last_stake", "last_coal", "last_pieces", "last_busted", "gain", "purses"}),
    derived=DERIVED,
)
