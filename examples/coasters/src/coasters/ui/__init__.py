"""What people see and read of COASTERS."""
