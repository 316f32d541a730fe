"""The rules of UNDERWORLD: compiled, and the only place where its clauses live."""

from diablerie.games.underworld.rules import notation
from diablerie.games.underworld.rules.chance import chance
from diablerie.games.underworld.rules.hidden import guess, redact, witness
from diablerie.games.underworld.rules.legality import actor, forbids, legal, pending
from diablerie.games.underworld.rules.play import apply
from diablerie.games.underworld.rules.start import start
from diablerie.games.underworld.rules.turns import returns

__all__ = [
    "actor",
    "apply",
    "chance",
    "forbids",
    "guess",
    "legal",
    "notation",
    "pending",
    "redact",
    "returns",
    "start",
    "witness",
]
