"""What the text of answers can be coloured by, and how strongly."""

from enum import StrEnum


class Tint(StrEnum):
    """What the text of answers is coloured by."""

    NONE = "none"
    LATENCY = "latency"
    PROBABILITY = "probability"


# The strongest level is the slowest, and the least likely. Latency as a ratio to the median.
LATENCY_BOUNDS = (1.1, 1.5, 2.0, 4.0)
PROBABILITY_BOUNDS = (0.9, 0.5, 0.2, 0.05)
N_LEVELS = 5
