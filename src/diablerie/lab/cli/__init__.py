"""The commands of the laboratory: they play many games, learn and measure."""
