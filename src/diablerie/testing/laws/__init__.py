"""The laws of the engine, by what they are about."""
