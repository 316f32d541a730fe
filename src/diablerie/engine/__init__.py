"""The engine: records, verbs, matches. It knows no game."""
