"""The rules of COASTERS: compiled, and the only place where its clauses live."""

from coasters.rules.hidden import guess, redact, witness
from coasters.rules.legality import actor, forbids, legal, pending
from coasters.rules.notation import NOTATION
from coasters.rules.play import apply, chance, returns, start
from coasters.rules.state import ACTIONS, OUTCOMES, Node, State
