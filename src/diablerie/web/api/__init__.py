"""The table for programs, `/api/v1`: what a page can do, as JSON, with a token."""
