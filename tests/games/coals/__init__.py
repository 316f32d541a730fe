"""Tests of COALS."""
