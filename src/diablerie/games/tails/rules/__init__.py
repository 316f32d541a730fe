"""The rules of TAILS: compiled, and the only place where its clauses live."""
