"""What can be measured: families, conventions, notation."""
