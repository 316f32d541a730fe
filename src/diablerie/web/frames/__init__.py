"""Frames: the regions of a table's page, and what is sent when they change."""
