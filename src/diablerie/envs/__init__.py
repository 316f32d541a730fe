"""The games as environments for research: batches, Gymnasium, PettingZoo, OpenSpiel."""
