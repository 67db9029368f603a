"""A start of the window does nothing that is of no use to it."""

import builtins
import gc
import importlib
import linecache
import signal
from pathlib import Path

import pytest

import main
from app import quick_start
from app.paths import AppPaths


def test_sources_are_not_read_when_modules_are_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builtins, "__import__", builtins.__import__)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "oscillama_plain.py").write_text("import json\nVALUE = 1\n")
    (tmp_path / "oscillama_plain_too.py").write_text("import oscillama_plain\n")
    with quick_start.begun():
        assert not gc.isenabled()
    assert gc.isenabled()
    importlib.import_module("oscillama_plain_too")
    assert not [name for name in linecache.cache if "oscillama_plain" in name]


def test_python_collects_again_where_the_window_cannot_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(builtins, "__import__", builtins.__import__)
    monkeypatch.setattr(signal, "signal", lambda *_arguments: None)

    def fails(_paths: AppPaths) -> AppPaths:
        assert not gc.isenabled()
        raise OSError("no folder")

    monkeypatch.setattr("app.paths.with_writable_logs", fails)
    with pytest.raises(OSError, match="no folder"):
        main.run_window(None)
    assert gc.isenabled()
