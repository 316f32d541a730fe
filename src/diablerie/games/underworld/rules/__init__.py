"""The rules of UNDERWORLD: compiled, and the only place where its clauses live."""
