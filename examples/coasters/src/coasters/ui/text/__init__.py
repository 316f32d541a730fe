"""The sentences of COASTERS."""
