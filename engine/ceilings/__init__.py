"""What a machine can do at most: memory bandwidth and matrix rate, measured in two seconds."""
