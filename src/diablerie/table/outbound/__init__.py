"""Requests this server sends: checked addresses and HTTPS posts."""
