"""The laboratory: bots against bots, measured."""
