"""The clock and the background threads that table and web share."""
