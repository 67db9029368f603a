"""Counts in words, for what is printed in a terminal."""


def counted(n: int | None, thing: str) -> str:
    """For example "1 run", "2 runs"; "—" stands for an unknown number."""
    return f"{'—' if n is None else n} {thing}{'' if n == 1 else 's'}"
