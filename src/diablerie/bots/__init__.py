"""The bots: players that see only what their seat may see."""
