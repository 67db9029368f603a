"""What a timeline shows of requests: the stretches of each, and what lies between two moments."""
