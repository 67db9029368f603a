"""The telemetry side of the window. Import `ui.panels.column` after the window's first paint."""
