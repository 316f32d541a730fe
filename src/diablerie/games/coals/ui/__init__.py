"""What people see and read of COALS."""
