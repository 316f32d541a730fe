"""The rules of KITCHEN: compiled, and the only place where its clauses live."""
