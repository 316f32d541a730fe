"""Tests of KITCHEN."""
