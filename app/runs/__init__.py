"""Recorded requests: what is kept of each, the files, the list of them, and what reads them."""
