"""The daily challenge: one position for each UTC day, the same for everybody without a server.

`challenge` says what a challenge is, reads the list that comes with the package, and says which day
has which. `tools/daily/` makes such a list.
"""
