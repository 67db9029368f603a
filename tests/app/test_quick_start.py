"""A start of the window does nothing that is of no use to it."""

import builtins
import gc
import importlib
import linecache
from pathlib import Path

import pytest

from app import quick_start


def test_sources_are_not_read_when_modules_are_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builtins, "__import__", builtins.__import__)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "oscillama_plain.py").write_text("import json\nVALUE = 1\n")
    (tmp_path / "oscillama_plain_too.py").write_text("import oscillama_plain\n")
    try:
        quick_start.begin()
        assert not gc.isenabled()
    finally:
        gc.enable()
    importlib.import_module("oscillama_plain_too")
    assert not [name for name in linecache.cache if "oscillama_plain" in name]
