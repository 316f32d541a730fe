"""The rules of COASTERS: compiled, and the only place where its clauses live."""
