"""What good play of KITCHEN looks like: advice, evaluation."""

from diablerie.games.kitchen.policy.advice import advise
from diablerie.games.kitchen.policy.evaluation import value
from diablerie.games.kitchen.policy.features import FEATURES
from diablerie.games.kitchen.policy.inputs import INPUTS
