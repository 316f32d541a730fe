"""What good play of KITCHEN looks like: advice, evaluation."""
