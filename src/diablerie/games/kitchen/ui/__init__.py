"""What people see and read of KITCHEN."""
