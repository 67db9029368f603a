"""Text that any encoding can write."""


def whole_text(text: str) -> str:
    """The text with lone surrogates replaced: no encoding can write them."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
