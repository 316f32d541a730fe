"""What good play of COASTERS looks like: advice, evaluation."""

from coasters.policy.advice import advise
from coasters.policy.evaluation import value
