"""The rules of UNDERWORLD: compiled, and the only place where its clauses live."""

from diablerie.games.underworld.rules.actions import ACTIONS
from diablerie.games.underworld.rules.hidden import guess, redact, witness
from diablerie.games.underworld.rules.legality import actor, forbids, legal, pending
from diablerie.games.underworld.rules.notation import NOTATION
from diablerie.games.underworld.rules.play import apply, chance, start
from diablerie.games.underworld.rules.state import OUTCOMES, Node, State
from diablerie.games.underworld.rules.turns import returns
