"""Conversations as pages to read elsewhere."""
