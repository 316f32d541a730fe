"""What good play of COALS looks like: advice and evaluation."""
