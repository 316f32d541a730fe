"""What good play of UNDERWORLD looks like: advice, evaluation, features, forgetting."""
