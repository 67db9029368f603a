"""A load that is stopped, wherever it is."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from engine.backends.torch_hf.backend import TorchBackend
from engine.errors import EngineError, ErrorCode
from engine.events import Failed, LoadCommand, Loaded, LoadProgress, LoadStage
from engine.process import EngineProcess
from tests.engine.backends.torch_hf.conftest import answer
from tests.engine.backends.torch_hf.tiny_files import options_for, save_gguf
from tests.engine.scripting import ListLog

if TYPE_CHECKING:
    from pathlib import Path

    from engine.events import Event
    from engine.values import LoadOptions

LONG_S = 60.0


class Stop:
    """Says stop at the call with this number, and counts those that come after it."""

    def __init__(self, at: int) -> None:
        self._at = at
        self._n_calls = 0
        self.stage: LoadStage | None = None
        self.n_after = 0

    def __call__(self, stage: LoadStage, _fraction: float | None) -> bool:
        self._n_calls += 1
        if self.stage is not None:
            self.n_after += 1
        elif self._n_calls == self._at:
            self.stage = stage
        return self.stage is None


def stopped_everywhere(options: LoadOptions) -> list[LoadStage]:
    """Stops a load at every call of its callback, one after the other; the stages in order."""
    stages: list[LoadStage] = []
    for at in itertools.count(1):
        stop = Stop(at)
        code = load_and_close(options, stop)
        if stop.stage is None:
            assert code is None
            return list(dict.fromkeys(stages))
        assert code is ErrorCode.LOAD_CANCELLED, stop.stage
        assert not stop.n_after, stop.stage
        stages.append(stop.stage)
    raise AssertionError


def load_and_close(options: LoadOptions, stop: Stop) -> ErrorCode | None:
    backend = TorchBackend(ListLog())
    try:
        backend.load(options, stop)
    except EngineError as error:
        return error.info.code
    finally:
        backend.close()
    return None


def test_a_folder_is_left_at_every_step(tiny_folder: Path) -> None:
    assert stopped_everywhere(options_for(tiny_folder, n_threads=None)) == [
        LoadStage.IMPORT,
        LoadStage.READ,
        LoadStage.CONTEXT,
        LoadStage.WARM_UP,
        LoadStage.MEASURE_THREADS,
    ]


def test_a_conversion_is_left_at_every_step(tmp_path: Path) -> None:
    path = save_gguf(tmp_path / "model.gguf")
    assert stopped_everywhere(options_for(path)) == [
        LoadStage.IMPORT,
        LoadStage.READ,
        LoadStage.CONVERT,
        LoadStage.CONTEXT,
        LoadStage.WARM_UP,
    ]


def test_kept_weights_survive_a_load_that_is_stopped(tmp_path: Path) -> None:
    path = save_gguf(tmp_path / "model.gguf")
    options = options_for(path, cache_dir=str(tmp_path / "cache"))
    assert LoadStage.CONVERT in stopped_everywhere(options)
    kept = list((tmp_path / "cache" / "weights").iterdir())
    assert len(kept) == 1
    # Now that they are kept there is nothing to convert, and stopping does not lose them.
    assert LoadStage.CONVERT not in stopped_everywhere(options)
    assert list((tmp_path / "cache" / "weights").iterdir()) == kept


def test_a_backend_that_was_stopped_can_load(tiny_folder: Path) -> None:
    backend = TorchBackend(ListLog())
    options = options_for(tiny_folder)
    try:
        with pytest.raises(EngineError):
            backend.load(options, lambda stage, _fraction: stage is not LoadStage.WARM_UP)
        backend.load(options, lambda _stage, _fraction: True)
        assert len(answer(backend, [1, 2, 3], 3)) == 3
        with pytest.raises(EngineError) as raised:
            backend.load(options, lambda _stage, _fraction: True)
        assert raised.value.info.code is ErrorCode.INTERNAL
    finally:
        backend.close()
    backend.close()
    with pytest.raises(EngineError) as raised:
        backend.tokenize("a", add_special=False)
    assert raised.value.info.code is ErrorCode.NO_MODEL


@pytest.mark.slow
def test_the_import_of_torch_is_shown_and_can_be_stopped(tiny_folder: Path, tmp_path: Path) -> None:
    engine = EngineProcess(log_path=tmp_path / "engine.log")
    engine.start()
    try:
        options = options_for(tiny_folder)
        engine.send(LoadCommand(request_id=1, options=options))
        events = until_end(engine, cancel_after=3)
        *progress, last = events
        assert isinstance(last, Failed)
        assert last.error.code is ErrorCode.LOAD_CANCELLED
        fractions = [e.fraction for e in progress if isinstance(e, LoadProgress)]
        assert {e.stage for e in progress if isinstance(e, LoadProgress)} == {LoadStage.IMPORT}
        assert fractions == sorted(fraction for fraction in fractions if fraction is not None)
        assert fractions[-1] is not None
        assert fractions[-1] < 0.9
    finally:
        engine.close(grace_s=5)


@pytest.mark.slow
def test_the_import_of_torch_comes_to_its_end(tiny_folder: Path, tmp_path: Path) -> None:
    engine = EngineProcess(log_path=tmp_path / "engine.log")
    engine.start()
    try:
        engine.send(LoadCommand(request_id=1, options=options_for(tiny_folder)))
        *progress, last = until_end(engine)
    finally:
        engine.close(grace_s=5)
    assert isinstance(last, Loaded)
    importing = [
        e.fraction for e in progress if isinstance(e, LoadProgress) and e.stage is LoadStage.IMPORT
    ]
    assert importing[0] == 0
    assert importing[-1] == 1
    # A bar that jumps from half to whole would be of no use.
    assert importing[-2] is not None
    assert importing[-2] > 0.5
    assert len(importing) > 20


def until_end(engine: EngineProcess, *, cancel_after: int | None = None) -> list[Event]:
    """Events up to the end of request 1, which is cancelled after some of them."""
    events: list[Event] = []
    while True:
        assert engine.poll(LONG_S), "the engine says nothing"
        event = engine.receive()
        assert event is not None, engine.death()
        events.append(event)
        if len(events) == cancel_after:
            engine.cancel(1)
        if isinstance(event, Failed | Loaded):
            return events
