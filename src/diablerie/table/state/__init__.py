"""One table as immutable state, and the pure functions from one state to the next."""
