"""Position values: observations, features and inputs of networks."""
