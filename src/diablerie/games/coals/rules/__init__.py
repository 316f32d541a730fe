"""The rules of COALS: compiled, and the only place where its clauses live."""

from diablerie.games.coals.rules.hidden import guess, redact, witness
from diablerie.games.coals.rules.legality import actor, forbids, legal, pending
from diablerie.games.coals.rules.notation import NOTATION
from diablerie.games.coals.rules.play import apply, chance, start
from diablerie.games.coals.rules.settling import returns
from diablerie.games.coals.rules.state import ACTIONS, OUTCOMES, Node, State
