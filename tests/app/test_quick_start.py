"""A start of the window does nothing that is of no use to it."""

import builtins
import gc
import importlib
import linecache
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import main
from app import quick_start
from app.paths import AppPaths

_ROOT = Path(__file__).parents[2]


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


_TYPES_IN_THREADS = """
import sys, threading
from pathlib import Path
from app import quick_start
with quick_start.begun():
    from PySide6 import QtCore, QtGui, QtWidgets
sys.setswitchinterval(1e-6)
names = [
    (module, line.split()[1].split("(")[0].rstrip(":"))
    for module in (QtCore, QtGui, QtWidgets)
    for line in Path(module.__file__).with_name(module.__name__[8:] + ".pyi").open()
    if line.startswith("class ")
]
assert len(names) > 500
def name_all(step):
    for module, name in names[::step]:
        getattr(module, name, None)
threads = [threading.Thread(target=name_all, args=(step,)) for step in (1, -1, 1, -1)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_threads_may_name_the_types_of_qt_at_once() -> None:
    """Qt for Python crashes or hangs there where it makes types as they are named."""
    environ = {key: text for key, text in os.environ.items() if key != "PYSIDE6_OPTION_LAZY"}
    code = [sys.executable, "-c", _TYPES_IN_THREADS]
    for _ in range(2):
        done = subprocess.run(
            code, cwd=_ROOT, env=environ, capture_output=True, check=False, timeout=60
        )
        assert done.returncode == 0, done.stderr.decode()
