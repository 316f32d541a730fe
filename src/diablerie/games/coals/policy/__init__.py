"""What good play of COALS looks like: advice and evaluation."""

from diablerie.games.coals.policy.advice import advise
from diablerie.games.coals.policy.evaluation import value
from diablerie.games.coals.policy.features import FEATURES
from diablerie.games.coals.policy.inputs import INPUTS
