"""The log of an engine process: bounded, one file a process, readable at its end."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from engine.log import FileLog, new_log_path, read_tail

if TYPE_CHECKING:
    from pathlib import Path


def test_the_tail_has_lines_of_python_and_of_native_code(tmp_path: Path) -> None:
    log = FileLog(tmp_path / "logs" / "engine.log")
    log.write("one\ntw")
    os.write(log.fileno(), b"o\nGGML_ASSERT(x) failed\n")
    assert log.tail() == "one\ntwo\nGGML_ASSERT(x) failed"
    assert log.tail(max_lines=1) == "GGML_ASSERT(x) failed"
    log.close()
    log.close()


def test_a_log_starts_over_when_it_is_full(tmp_path: Path) -> None:
    path = tmp_path / "engine.log"
    log = FileLog(path, max_bytes=1000)
    for number in range(500):
        log.write(f"line {number}\n")
    log.close()
    assert path.stat().st_size <= 1000
    assert read_tail(path, 1) == "line 499"


def test_a_log_takes_any_text(tmp_path: Path) -> None:
    log = FileLog(tmp_path / "engine.log")
    log.write("漢\ud800\n")
    os.write(log.fileno(), b"\xff\n")
    assert log.tail() == "漢?\n\ufffd"
    log.close()


def test_a_missing_log_has_no_tail(tmp_path: Path) -> None:
    assert read_tail(tmp_path / "none.log") == ""


def test_a_tail_is_short_whatever_was_written(tmp_path: Path) -> None:
    path = tmp_path / "engine.log"
    path.write_text("x" * 200_000, encoding="utf-8")
    assert len(read_tail(path)) <= 500


def test_old_logs_go_when_new_ones_come(tmp_path: Path) -> None:
    (tmp_path / "other.txt").touch()
    paths = [new_log_path(tmp_path, keep=3) for _ in range(6)]
    assert len(set(paths)) == 6
    left = sorted(tmp_path.glob("*.log"))
    assert left == sorted(paths)[-3:]
    assert (tmp_path / "other.txt").exists()
