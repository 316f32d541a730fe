"""The rules of TAILS: compiled, and the only place where its clauses live."""

from diablerie.games.tails.rules import notation
from diablerie.games.tails.rules.chance import chance
from diablerie.games.tails.rules.hidden import guess, redact, witness
from diablerie.games.tails.rules.legality import actor, forbids, legal, pending
from diablerie.games.tails.rules.play import apply
from diablerie.games.tails.rules.scoring import returns
from diablerie.games.tails.rules.start import start

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
