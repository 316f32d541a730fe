"""The picture of COALS."""
