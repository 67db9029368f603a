"""Which file is written for what was chosen in a dialog."""

from pathlib import Path

import pytest

from ui.dialogs import with_ending

JSON, MARKDOWN = "JSON (*.json)", "Markdown (*.md)"
ENDINGS = {JSON: ".json", MARKDOWN: ".md"}


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        ("chat.json", JSON, "chat.json"),
        ("chat.json", MARKDOWN, "chat.md"),
        ("chat.md", JSON, "chat.md"),
        ("chat.MD", MARKDOWN, "chat.MD"),
        ("chat", MARKDOWN, "chat.md"),
        ("chat v1.2", JSON, "chat v1.2.json"),
        ("chat", "", "chat.json"),
    ],
)
def test_the_ending_tells_the_kind_and_the_kind_the_ending(
    tmp_path: Path, name: str, kind: str, expected: str
) -> None:
    assert with_ending(str(tmp_path / name), kind, ".json", ENDINGS) == str(tmp_path / expected)


def test_a_file_that_nobody_was_asked_about_is_not_replaced(tmp_path: Path) -> None:
    for name in ("chat.md", "chat (2).md"):
        (tmp_path / name).touch()
    for name in ("chat", "chat.json"):
        found = with_ending(str(tmp_path / name), MARKDOWN, ".json", ENDINGS)
        assert found == str(tmp_path / "chat (3).md")
    asked = str(tmp_path / "chat.md")
    assert with_ending(asked, MARKDOWN, ".json", ENDINGS) == asked
