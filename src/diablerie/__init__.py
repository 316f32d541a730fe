"""diablerie: four out-of-print devil games, to play, to simulate and to learn on."""
