"""The window of recorded runs, and replaying one."""
