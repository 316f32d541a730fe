"""Position values: observations, features, the value model and its weights files."""
