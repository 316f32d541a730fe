"""What good play of TAILS looks like: advice, evaluation, features."""

from diablerie.games.tails.policy.advice import advise
from diablerie.games.tails.policy.appraisal import appraise
from diablerie.games.tails.policy.evaluation import value
from diablerie.games.tails.policy.features import FEATURES
from diablerie.games.tails.policy.inputs import INPUTS
