"""What every request passes: limits, forms, errors, security headers, logs, metrics."""
