"""The routes, by topic; the list of all of them is in `app`."""
