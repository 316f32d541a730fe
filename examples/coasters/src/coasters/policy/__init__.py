"""What good play of COASTERS looks like: advice, evaluation."""
