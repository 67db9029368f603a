"""Views that explain: what the KV cache holds, and where memory goes."""
