"""Windows and widgets."""
