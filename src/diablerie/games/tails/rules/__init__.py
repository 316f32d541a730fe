"""The rules of TAILS: compiled, and the only place where its clauses live."""

from diablerie.games.tails.rules.hidden import guess, redact, witness
from diablerie.games.tails.rules.legality import actor, forbids, legal, pending
from diablerie.games.tails.rules.notation import NOTATION
from diablerie.games.tails.rules.play import apply, chance, start
from diablerie.games.tails.rules.sides import returns
from diablerie.games.tails.rules.state import ACTIONS, OUTCOMES, Node, State
