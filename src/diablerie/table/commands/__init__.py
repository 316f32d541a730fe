"""What people and programs can do: every command that changes or reads tables."""
