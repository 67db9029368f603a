"""The backends: one module or package each, loaded when a model asks for it."""
