"""The rules of TAILS: compiled, and the only place where its clauses live."""

from diablerie.games.tails.rules import notation
from diablerie.games.tails.rules.hidden import guess, redact, witness
from diablerie.games.tails.rules.play import (
    actor,
    apply,
    chance,
    forbids,
    legal,
    pending,
    returns,
    start,
)

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
