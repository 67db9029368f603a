"""Hugging Face causal language models, run by torch with a decode step of our own."""
