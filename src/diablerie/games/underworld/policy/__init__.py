"""What good play of UNDERWORLD looks like: advice, evaluation, features, forgetting."""

from diablerie.games.underworld.policy.advice import advise, forget
from diablerie.games.underworld.policy.evaluation import value
from diablerie.games.underworld.policy.features import FEATURES
from diablerie.games.underworld.policy.inputs import INPUTS
