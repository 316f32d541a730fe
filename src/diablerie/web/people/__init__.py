"""The person at a browser: identity, preferences, language, mutes."""
