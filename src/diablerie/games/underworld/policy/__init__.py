"""What good play of UNDERWORLD looks like: advice, evaluation, features, forgetting, inputs."""

from diablerie.games.underworld.policy import inputs
from diablerie.games.underworld.policy.advice import advise, forget
from diablerie.games.underworld.policy.evaluation import value
from diablerie.games.underworld.policy.features import FEATURES
