"""The rules of KITCHEN: compiled, and the only place where its clauses live."""

from diablerie.games.kitchen.rules import notation
from diablerie.games.kitchen.rules.chance import chance
from diablerie.games.kitchen.rules.hidden import guess, redact, witness
from diablerie.games.kitchen.rules.legality import actor, forbids, legal, pending
from diablerie.games.kitchen.rules.play import apply, returns
from diablerie.games.kitchen.rules.start import start

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
