"""The rules of COASTERS: compiled, and the only place where its clauses live."""

from coasters.rules import notation
from coasters.rules.hidden import guess, redact, witness
from coasters.rules.play import (
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
