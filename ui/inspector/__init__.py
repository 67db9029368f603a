"""Looks into the tokens of answers: what they took, how they were chosen."""
