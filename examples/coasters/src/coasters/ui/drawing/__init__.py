"""The picture of COASTERS."""
