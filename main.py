"""Composes the application and runs it: the window by default, sub-commands without a display."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from PySide6.QtCore import QLocale
    from PySide6.QtWidgets import QApplication, QWidget

    from app.paths import AppPaths
    from app.torch_install import TorchInstall
    from engine.process import EngineProcess
    from engine.values import LoadOptions
    from ui.panels.live import LivePanels


def main(arguments: Sequence[str]) -> int:
    """Run what the command line asks for; returns the exit code."""
    options = parse_arguments(arguments)
    if options.command == "bench":
        from app.paths import app_paths, starter_model_path
        from engine import bench

        options.model = options.model or starter_model_path()
        if options.model is None:
            print("oscillama: name a model with --model PATH.", file=sys.stderr)
            return 2
        return bench.run(options, app_paths().cache_dir)
    if options.command == "devices":
        from engine import devices

        return devices.run(measure=options.measure)
    return run_window(options.model)


def parse_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line; `command` is None for the window."""
    import argparse

    from engine import bench

    parser = argparse.ArgumentParser(
        prog="oscillama",
        description="Chat with a language model on this machine and watch it answer.",
    )
    parser.add_argument(
        "--model", metavar="PATH", help="model file (GGUF) or folder (safetensors) to open"
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    bench.add_arguments(commands.add_parser("bench", help="measure a model, without a window"))
    devices = commands.add_parser("devices", help="list what can run a model here")
    devices.add_argument(
        "--measure", action="store_true", help="measure memory bandwidth and matrix rates as well"
    )
    return parser.parse_args(arguments)


def run_window(model: str | None) -> int:
    """Open the window; returns when it is closed."""
    import os

    if not has_display(sys.platform, os.environ):
        print(
            "oscillama: there is no display here (DISPLAY and WAYLAND_DISPLAY are not set), so the "
            "window cannot open. Without one, `devices` and `bench` work: see --help.",
            file=sys.stderr,
        )
        return 1

    import signal

    from app import quick_start
    from app.paths import app_paths, with_writable_logs

    with quick_start.begun():
        # Ctrl+C in the terminal ends the window; the engine notices that its pipe has closed.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        usual = app_paths()
        paths = with_writable_logs(usual)

        from ui.single_instance import SingleInstance, hand_over

        instance = SingleInstance(paths.data_dir)
        if not instance.claim():
            code = hand_over(instance, None if model is None else str(model_path(model)))
            if code is not None:
                return code
        start_engine = engine_starter(paths)

        from PySide6.QtWidgets import QApplication

        from app.logs import WindowLog

        log = WindowLog(paths.log_dir)
        application = QApplication([sys.argv[0]])
        window = WindowApplication(
            application,
            paths,
            start_engine,
            first_load(model, paths),
            locale=person_locale(),
            on_first_paint=instance.listen,
        )
        instance.raised.connect(window.come_forward)
        application.aboutToQuit.connect(instance.stop_listening)
        try:
            window.show()
            if paths is not usual:
                window.tell_logs_are_elsewhere(usual.log_dir)
            return application.exec()
        finally:
            window.close()
            instance.close()
            log.close()


def has_display(system: str, environ: Mapping[str, str]) -> bool:
    """Whether a window can open; Qt itself would abort where it cannot."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return not system.startswith("linux") or any(environ.get(name) for name in names)


def engine_starter(paths: AppPaths) -> Callable[[], EngineProcess]:
    """What starts engine processes for the window.

    The first is started here and handed out at the first call: it gets ready while Qt loads.
    """
    from contextlib import suppress

    from engine.log import new_log_path
    from engine.process import EngineProcess

    def start() -> EngineProcess:
        engine = EngineProcess(log_path=new_log_path(paths.log_dir))
        engine.start()
        return engine

    early: list[EngineProcess] = []
    # Where the system refuses, the call refuses again, and somebody is there to say it.
    with suppress(OSError):
        early.append(start())
    return lambda: early.pop() if early else start()


def person_locale() -> QLocale:
    """The system's language; English where it names none (`LANG=C`)."""
    from PySide6.QtCore import QLocale

    system = QLocale.system()
    return QLocale("en_US") if system.language() is QLocale.Language.C else system


def first_load(model: str | None, paths: AppPaths) -> LoadOptions | None:
    """What to load at the start: the model asked for, else the starter model."""
    from app.paths import starter_model_path

    path = model_path(model) if model is not None else starter_model_path()
    return load_options(str(path), paths) if path is not None else None


def model_path(named: str) -> Path:
    """The whole path of a model that was named on the command line."""
    from contextlib import suppress
    from pathlib import Path

    # "~nobody" is nobody's folder, and may be the name of one.
    with suppress(RuntimeError):
        return Path(named).expanduser().absolute()
    return Path(named).absolute()


def load_options(model_path: str, paths: AppPaths) -> LoadOptions:
    """How a model is loaded while the person has chosen nothing else."""
    from app.model_choice import options_for
    from engine.values import LoadOptions

    default = LoadOptions(model_path=model_path, cache_dir=str(paths.cache_dir))
    return options_for(model_path, default)


class WindowApplication:
    """The window and all that works for it, put together. Main thread only."""

    def __init__(
        self,
        application: QApplication,
        paths: AppPaths,
        start_engine: Callable[[], EngineProcess],
        first: LoadOptions | None,
        *,
        locale: QLocale,
        on_first_paint: Callable[[], None] = lambda: None,
    ) -> None:
        """Begin to load `first`, then make the window."""
        self._on_first_paint = on_first_paint
        from PySide6.QtCore import Qt

        from app.collector import QuietCollector
        from app.inference import InferenceThread
        from app.library import ChatLibrary
        from app.runs.recording import Recording
        from app.session import ChatSession
        from app.store.thread import StoreThread
        from app.version import VERSION

        application.setApplicationName("Oscillama")
        application.setApplicationVersion(VERSION)
        self._collector = QuietCollector(
            lambda: self.session.running_answer is None,
            lambda: application.applicationState() is not Qt.ApplicationState.ApplicationActive,
        )
        self._collector.start()
        inference = InferenceThread(start_engine)
        store = StoreThread(paths.database_file)
        self.session = ChatSession(inference, ChatLibrary(store))
        self.recording = Recording(self.session, inference, paths.runs_dir)
        inference.start()
        store.start()
        if first is not None:
            self.session.load(first)
        try:
            self._build(application, paths, locale)
        except BaseException:
            # Qt aborts a process that drops a running thread.
            self.session.shutdown()
            self.recording.close()
            self._collector.close()
            raise

    def _build(self, application: QApplication, paths: AppPaths, locale: QLocale) -> None:
        """Make the window and what feeds it, around the session."""
        from PySide6.QtCore import QSettings

        from app.chat_defaults import ChatDefaults
        from app.preload import Preload
        from app.presets import PresetStore
        from app.relay import SessionRelay
        from app.translation import Translation
        from ui.main_window import MainWindow, WindowServices
        from ui.theme import Theme

        translations = _root() / "resources" / "translations"
        self._translation = Translation(application, translations, locale)
        self._log_dir, self._cache_dir = paths.log_dir, paths.cache_dir
        self._settings = QSettings(str(paths.settings_file), QSettings.Format.IniFormat)
        self._presets = PresetStore(paths.presets_file)
        self.theme = Theme(application, self._settings)
        self._relay = SessionRelay(self.session)
        self._engine_pid = 0
        self.session.engine_process_changed.connect(self._on_engine_process_changed)
        self.live_panels: LivePanels | None = None
        self._torch_install: TorchInstall | None = None
        self._preload = Preload("ui.panels.live", "app.runs.library", "app.runs.recorder")
        # What the first answer needs, which would stop the window for a moment then.
        self._later = Preload(
            "ui.conversation.editable_answer",
            "markdown_it",
            "mdit_py_plugins.tasklists",
            "pygments",
            "ziamath",
            then=_warm_up,
        )
        self._later.finished.connect(self._collector.resume)
        self.window = MainWindow(
            self.session,
            WindowServices(
                theme=self.theme,
                chat_defaults=ChatDefaults(self.session, self._settings, self._presets),
                settings=self._settings,
                options_for=lambda path: load_options(path, paths),
                telemetry_factory=self._make_telemetry,
                runs=lambda: self.recording.library,
                torch_install=self._make_torch_install,
                log_dir=paths.log_dir,
                on_first_paint=self._begin_later_work,
                on_close=application.quit,
            ),
        )
        self._preload.finished.connect(self._on_preloaded)

    def show(self) -> None:
        """Put the window on screen, and say what could not be read."""
        from app import messages

        self.window.show()
        if (problem := self._presets.problem) is not None:
            self.session.message_raised.emit(messages.presets_unread(problem))

    def come_forward(self, model: str) -> None:
        """Bring the window to the front, and open `model` where one is named and there."""
        from PySide6.QtCore import Qt

        window = self.window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()
        if model:
            window.open_model(model)

    def tell_logs_are_elsewhere(self, wanted: Path) -> None:
        """Say that `wanted` cannot hold the logs."""
        from app import messages

        self.session.message_raised.emit(messages.logs_elsewhere(wanted, self._log_dir))

    def close(self) -> None:
        """End the engine, the sampler and an install that runs, and wait for them."""
        self._preload.finished.disconnect(self._on_preloaded)
        self.session.shutdown()
        self.recording.close()
        if self._torch_install is not None:
            self._torch_install.close()
        self._preload.wait()
        self._later.finished.disconnect(self._collector.resume)
        self._later.wait()
        self._collector.close()
        if self.live_panels is not None:
            self.live_panels.close()
        self._settings.sync()
        self._translation.close()

    def _begin_later_work(self) -> None:
        from ui.panels.coming import ComingPanels

        self.window.columns.announce_telemetry(ComingPanels(self.theme, self._settings))
        self._preload.start()
        self._on_first_paint()

    def _on_preloaded(self) -> None:
        from ui.panels_missing import said_in

        with said_in(self.session):
            self._make_live_panels()
        self.window.columns.allow_telemetry()
        # Not before: two threads that run Python hold each other up.
        self._later.start()

    def _make_live_panels(self) -> None:
        from ui.panels.live import LivePanels

        self.live_panels = LivePanels(
            self.session, self._relay, self._settings, self.window, _root(), self._cache_dir
        )
        self.live_panels.reader.set_engine_pid(self._engine_pid)
        self.recording.listen_to(self.live_panels.reader)
        self.window.timeline.attach(self.live_panels)

    def _make_telemetry(self) -> QWidget:
        from ui.panels_missing import MissingPanels, said_in

        if self.live_panels is not None:
            with said_in(self.session):
                return self.live_panels.make_column(self.theme)
        return MissingPanels(self.theme)

    def _make_torch_install(self) -> TorchInstall:
        if self._torch_install is None:
            from app.torch_install import TorchInstall

            self._torch_install = TorchInstall(_root())
        return self._torch_install

    def _on_engine_process_changed(self, pid: int) -> None:
        self._engine_pid = pid
        if self.live_panels is not None:
            self.live_panels.reader.set_engine_pid(pid)


def _root() -> Path:
    from pathlib import Path

    return Path(__file__).resolve().parent


def _warm_up() -> None:
    from ui.markdown.warm import warm_up

    warm_up()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
