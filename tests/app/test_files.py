"""A file is replaced whole or not at all."""

import os
from pathlib import Path

import pytest

from app.files import free_beside, meant, name_from, replace_file


def test_the_folder_is_made_and_the_old_content_goes(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file.json"
    replace_file(path, b"first")
    replace_file(path, b"second")
    assert path.read_bytes() == b"second"
    assert [each.name for each in path.parent.iterdir()] == ["file.json"]


def test_what_cannot_be_replaced_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.mkdir()
    with pytest.raises(OSError, match=r"."):
        replace_file(path, b"new")
    assert [each.name for each in tmp_path.iterdir()] == ["file.json"]


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file.json"
    replace_file(path, b"old")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        replace_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["file.json"]


def test_of_two_files_that_a_name_may_mean_neither_is_taken(tmp_path: Path) -> None:
    shown = tmp_path / "t\ufffdst.txt"
    assert meant(shown) == shown
    first = tmp_path / "t\udce9st.txt"
    try:
        first.touch()
    except OSError:
        pytest.skip("this system has no such names")
    assert meant(shown) == first
    (tmp_path / "t\udce8st.txt").touch()
    assert meant(shown) == shown
    shown.touch()
    assert meant(shown) == shown


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("Why is the sky blue?", "Why is the sky blue"),
        ('a/b\\c: <d> | "e" * 1', "a b c d e 1"),
        ("Ça va… 天空", "Ça va… 天空"),
        ("..hidden. ", "hidden"),
        ("con", "con_"),
        ("COM1.txt", "COM1.txt_"),
        ("console", "console"),
        ("x\u202egnp.exe\n\x00y", "x gnp.exe y"),
        ("\udce9", ""),
        ("?", ""),
        ("w" * 300, "w" * 80),
        ("天" * 300, "天" * 60),
        ("a" * 78 + "👨‍👩‍👧‍👦", "a" * 78),
    ],
)
def test_every_system_takes_the_name(words: str, name: str) -> None:
    assert name_from(words) == name


def test_a_name_that_is_taken_gets_a_number(tmp_path: Path) -> None:
    assert free_beside(tmp_path / "a.json") == tmp_path / "a.json"
    (tmp_path / "a.json").touch()
    (tmp_path / "a (2).json").touch()
    assert free_beside(tmp_path / "a.json") == tmp_path / "a (3).json"
    too_long = tmp_path / ("a" * 300)
    assert free_beside(too_long) == too_long
