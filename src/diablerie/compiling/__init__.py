"""Rules, bots and their searches, compiled before somebody waits for them."""
