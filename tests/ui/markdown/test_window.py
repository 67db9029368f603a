"""What is kept of what was looked at takes little room."""

import tracemalloc

from ui.markdown.window import window_of


def test_no_text_is_kept_that_was_looked_at() -> None:
    # Each line goes on with the quote above it, which fills most of what is parsed at once.
    quote = "> " + "\N{SLIGHTLY SMILING FACE}" * 3_900 + "\n"

    def look(number: int) -> None:
        pending = quote + f"(line {number})\n"
        window = window_of(pending, (None,), is_mid_line=False, is_last=False)
        assert window.source.endswith(f"(line {number})\n")

    # With what it imports.
    look(0)
    tracemalloc.start()
    try:
        for number in range(1, 101):
            look(number)
        n_kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # Their texts would be 1.5 MB.
    assert n_kept < 200_000
