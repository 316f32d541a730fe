"""What people see and read of UNDERWORLD."""
