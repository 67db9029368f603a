"""Runs the real window for one measurement and prints the result as one line of JSON.

Usage: window_driver.py startup|decode|stream|idle|soak T_LAUNCH_NS SECONDS
       window_driver.py watching T_LAUNCH_NS 0

Begins as `main.py` does: every engine process imports this file again, so it imports little.
"""

import sys


def run() -> None:
    """Begin as the window does."""
    import main
    from app import quick_start

    main.parse_arguments([])
    with quick_start.begun():
        measure()


def measure() -> None:
    """Start the engine first, then the window."""
    import tempfile
    from pathlib import Path

    import main
    from app.paths import AppPaths, app_paths

    folder = Path(tempfile.mkdtemp(prefix="oscillama-bench-"))
    paths = AppPaths(
        settings_file=folder / "settings.ini",
        log_dir=folder / "log",
        data_dir=folder / "data",
        # The measured thread counts of earlier runs: what a second start finds.
        cache_dir=app_paths().cache_dir,
    )
    start_engine = main.engine_starter(paths)

    if sys.argv[1] == "watching":
        from tests.benchmarks.watching_run import WatchedWindow

        WatchedWindow(paths, start_engine).run()
        return

    from tests.benchmarks.window_run import Driver

    Driver(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), paths, start_engine).run()


if __name__ == "__main__":
    run()
