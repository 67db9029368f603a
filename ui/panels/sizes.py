"""Sizes of the column, of its strip and of its panels, for those who paint before these are made.

All are pixels of the usual look.
"""

COLUMN_MARGIN = 15
COLUMN_TOP, COLUMN_BOTTOM = 10, 12
HEADER_HEIGHT = 28
BELOW_HEADER, BELOW_STRIP = 4, 8
# As the style sheet has it.
SEPARATOR = 8

PLOT_LEFT, PLOT_RIGHT = 52, 10
TICKS_HEIGHT = 17
"""Room for the moments below a graph or a bar."""

BAR_TOP, BAR_HEIGHT = 3, 14
LEGEND_TOP, LEGEND_HEIGHT = BAR_TOP + BAR_HEIGHT + TICKS_HEIGHT, 16
STRIP_HEIGHT = LEGEND_TOP + LEGEND_HEIGHT + 2

CARD_RADIUS = 10
CARD_PADDING = 14
# So far from the edge what is square does not cover the round corners, this low.
CARD_SIDE, CARD_BOTTOM = 4, 2
TITLE_TOP, TITLE_HEIGHT = 7, 17
VALUE_HEIGHT = 25


def body_side(text: float) -> int:
    """From the side of what is below the head to words that begin below those of the head."""
    return round(CARD_PADDING * text) - CARD_SIDE
