"""The rules of COALS: compiled, and the only place where its clauses live."""
