"""What tests of the engine share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def starter_template(starter_model_path: Path) -> str:
    """The chat template in the starter model's header, found by its key in the raw bytes."""
    with starter_model_path.open("rb") as file:
        header = file.read(8 << 20)
    at = header.index(b"tokenizer.chat_template") + len(b"tokenizer.chat_template")
    # GGUF: a 4-byte type (8 is string), an 8-byte length, then the text.
    assert int.from_bytes(header[at : at + 4], "little") == 8
    length = int.from_bytes(header[at + 4 : at + 12], "little")
    return header[at + 12 : at + 12 + length].decode("utf-8")
