"""What people see and read of TAILS."""
