"""Reads JSON that anything may have written: people, other programs, a damaged disk."""

import json
from typing import Any


def json_value(text: str | bytes) -> Any:  # noqa: ANN401 # as `json.loads`
    """What a JSON text says; bytes are UTF-8, -16 or -32.

    Raises:
        ValueError: It is no JSON, or is nested too deeply to be read.
    """
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
