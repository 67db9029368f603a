"""Reads JSON that anything may have written: people, other programs, a damaged disk."""

import json
from collections.abc import Callable
from typing import Any

# Far more than anything nests that is read here, and few enough to write and print it again.
_MOST_LEVELS = 100


def json_value(text: str | bytes, *, number: Callable[[str], float] = float) -> Any:  # noqa: ANN401 # as `json.loads`
    """What a JSON text says; bytes are UTF-8, -16 or -32.

    Args:
        text: All of it.
        number: Makes numbers that are not whole; also of "NaN", "Infinity" and "-Infinity".

    Raises:
        ValueError: It is no JSON, or is nested too deeply.
    """
    try:
        value = json.loads(text, parse_float=number, parse_constant=number)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    level = [value]
    for _ in range(_MOST_LEVELS):
        level = [part for each in level for part in _parts(each)]
        if not level:
            return value
    raise ValueError("nested too deeply")


def _parts(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
