"""What the application knows and does, without widgets."""
