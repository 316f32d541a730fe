"""The rules of KITCHEN: compiled, and the only place where its clauses live."""

from diablerie.games.kitchen.rules import notation
from diablerie.games.kitchen.rules.hidden import guess, redact, witness
from diablerie.games.kitchen.rules.play import (
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
