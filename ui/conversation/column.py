"""Where the text of a conversation stands."""

COLUMN_WIDEST = 720
COLUMN_MARGIN = 60
_COLUMN_MARGIN_LEAST = 20


def column_in(width: int) -> tuple[int, int]:
    """Left edge and width of the text column in a view of this width; pixels."""
    margin = min(COLUMN_MARGIN, max(_COLUMN_MARGIN_LEAST, width // 12))
    column = max(120, min(COLUMN_WIDEST, width - 2 * margin))
    return (width - column) // 2, column
