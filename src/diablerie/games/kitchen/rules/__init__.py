"""The rules of KITCHEN: compiled, and the only place where its clauses live."""

from diablerie.games.kitchen.rules.hidden import guess, redact, witness
from diablerie.games.kitchen.rules.legality import actor, forbids, legal, pending
from diablerie.games.kitchen.rules.notation import NOTATION
from diablerie.games.kitchen.rules.play import apply, chance, returns, start
from diablerie.games.kitchen.rules.state import ACTIONS, OUTCOMES, Node, State
