"""What good play of TAILS looks like: advice, evaluation, features."""
