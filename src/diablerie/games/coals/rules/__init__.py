"""The rules of COALS: compiled, and the only place where its clauses live."""

from diablerie.games.coals.rules import notation
from diablerie.games.coals.rules.chance import chance
from diablerie.games.coals.rules.hidden import guess, redact, witness
from diablerie.games.coals.rules.legality import actor, forbids, legal, pending
from diablerie.games.coals.rules.play import apply
from diablerie.games.coals.rules.settling import returns
from diablerie.games.coals.rules.start import start

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
