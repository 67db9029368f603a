"""How long a test waits for what is sure to come."""

WAIT_MS = 60_000
"""Far beyond what a busy machine needs, so that only a fault lets it pass."""
