"""The sentences of COALS."""
