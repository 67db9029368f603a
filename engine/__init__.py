"""Running language models and measuring them. No Qt: it works on a server with no display."""
