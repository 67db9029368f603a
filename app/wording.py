"""What a sentence for a person is made of."""

from app.actions import Action

Sentence = tuple[str, str, tuple[Action, ...]]
"""Title, text, actions; `{name}` in them stands for a detail of what is said."""
