"""The table: seats, the event log and its storage, live news, and the driver of bots."""
