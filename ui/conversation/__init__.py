"""The conversation: turns, what they are made of, and the view that scrolls them."""
