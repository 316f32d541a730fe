"""What good play of KITCHEN looks like: advice, evaluation, inputs."""

from diablerie.games.kitchen.policy import inputs
from diablerie.games.kitchen.policy.advice import advise
from diablerie.games.kitchen.policy.evaluation import value
from diablerie.games.kitchen.policy.features import FEATURES
