"""What one seat sees of TAILS."""
