"""The list of conversations: what it shows, how it is painted, and its undo strip."""
