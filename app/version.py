"""The version of Oscillama, the same as in `pyproject.toml`."""

VERSION = "0.1.0"
