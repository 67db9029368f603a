"""JSON of others is read, or refused in one way."""

import json

import pytest

from engine.foreign_json import json_value


def test_a_value_is_what_it_says() -> None:
    value = {"a": [1, 2.5, None, {"b": "é"}], "c": True}
    assert json_value(json.dumps(value)) == value
    assert json_value(json.dumps(value).encode("utf-16")) == value
    assert json_value("Infinity") == float("inf")


def test_numbers_are_made_by_whoever_asks() -> None:
    def refuse(text: str) -> float:
        raise ValueError(text)

    for text in ("NaN", "-Infinity", "1.5", "1e999"):
        with pytest.raises(ValueError, match=text):
            json_value(text, number=refuse)
    assert json_value("[15]", number=refuse) == [15]


@pytest.mark.parametrize("n", [101, 500, 100_000])
def test_what_is_nested_deeply_is_refused(n: int) -> None:
    for begin, end in ("[", "]"), ('{"a":', "}"):
        with pytest.raises(ValueError, match="nested too deeply"):
            json_value(begin * n + "1" + end * n)


def test_what_is_nested_a_little_is_read() -> None:
    value = json_value("[" * 99 + "]" * 99)
    assert json.dumps(value) == "[" * 99 + "]" * 99
    assert json_value("[" * 99 + "1" + "]" * 99) is not None


@pytest.mark.parametrize("text", ["", "[", "{1: 2}", "nothing", b"\xff\xfe\xff", "9" * 5_000])
def test_what_is_no_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        json_value(text)
