"""Text files go along with a message as they are; what is no text is refused with the reason."""

import os
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.attachments import (
    MOST_BYTES,
    Attachment,
    AttachmentError,
    read_attachment,
    with_attachments,
)

FENCE = re.compile(r"^(`{3,})(.*)$")


def refused(path: Path) -> str:
    with pytest.raises(AttachmentError) as caught:
        read_attachment(path)
    return f"{caught.value.message.title} {caught.value.message.text}"


@pytest.mark.parametrize(
    "data",
    [
        "# Été\r\nligne\rfin".encode(),
        "# Été\nligne\nfin".encode("utf-8-sig"),
        "# Été\nligne\nfin".encode("utf-16"),
        b"\xfe\xff" + "# Été\nligne\nfin".encode("utf-16-be"),
    ],
)
def test_text_is_read_in_the_usual_encodings(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "notes.md"
    path.write_bytes(data)
    assert read_attachment(path) == Attachment(name="notes.md", text="# Été\nligne\nfin")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "nothing in it"),
        (b" \n\t", "nothing in it"),
        (b"%PDF-1.7\n\xe2\xe3\xcf\xd3\n", "not text in UTF-8"),
        (b"a\0b", "not text in UTF-8"),
        ("no\xebl".encode("latin-1"), "not text in UTF-8"),
        (b"\xff\xfea", "not text in UTF-8"),
        (b"x" * (MOST_BYTES + 1), "at most"),
    ],
)
def test_what_cannot_be_attached_is_refused_with_the_reason(
    tmp_path: Path, data: bytes, reason: str
) -> None:
    path = tmp_path / "file.bin"
    path.write_bytes(data)
    assert reason in refused(path)
    assert "file.bin" in refused(path)


def test_a_file_as_large_as_allowed_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_bytes(b"x" * MOST_BYTES)
    assert len(read_attachment(path).text) == MOST_BYTES


def test_folders_missing_files_and_pipes_are_refused(tmp_path: Path) -> None:
    assert "not a file" in refused(tmp_path)
    assert "could not be read" in refused(tmp_path / "gone.txt")
    if sys.platform != "win32":
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        assert "not a file" in refused(pipe)


@pytest.mark.skipif(sys.platform == "win32", reason="file names of POSIX")
def test_a_name_cannot_break_the_message(tmp_path: Path) -> None:
    path = tmp_path / "a\n```\nb\u202etxt.py"
    path.write_text("print(1)")
    name = read_attachment(path).name
    assert "\n" not in name
    assert "\u202e" not in name


def test_a_message_is_what_was_typed_and_then_the_files() -> None:
    files = [Attachment(name="a.py", text="print(1)\n"), Attachment(name="b", text="x")]
    assert with_attachments("Why?", files) == (
        "Why?\n\na.py:\n```py\nprint(1)\n```\n\nb:\n```\nx\n```"
    )
    assert with_attachments(" \n", files[1:]) == "b:\n```\nx\n```"
    assert with_attachments("Why?", []) == "Why?"


@given(text=st.text(alphabet="`~a\n", max_size=60))
def test_no_text_closes_its_own_fence(text: str) -> None:
    lines = Attachment(name="a.md", text=text).block.split("\n")
    opening = FENCE.match(lines[1])
    assert opening is not None
    fence = opening[1]
    assert lines[-1] == fence
    assert all(fence not in line for line in lines[2:-1])
    assert "\n".join(lines[2:-1]) == text.removesuffix("\n")
