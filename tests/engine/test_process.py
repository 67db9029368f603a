"""Real engine processes: their answers, their stops, and every way they may die."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from engine.backends.scripted import DEFAULT_ANSWER, Script
from engine.errors import ErrorCode
from engine.events import (
    CellsFound,
    CountCommand,
    Counted,
    Event,
    Failed,
    Finished,
    FinishReason,
    GenerateCommand,
    LoadCommand,
    Loaded,
    LoadProgress,
    PrefillDone,
    PrefillProgress,
    PromptReady,
    Started,
    Step,
)
from engine.process import EngineProcess
from engine.values import GenerateRequest, LoadOptions, NoticeCode
from tests.engine.scripting import text_of, user

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.errors import ErrorInfo

LONG_S = 30.0
ROOT = Path(__file__).parents[2]
SLOW = Script(tok_per_s=100, prefill_tok_per_s=500, answer="word " * 2000)
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@pytest.fixture
def process(tmp_path: Path) -> Iterator[EngineProcess]:
    engine = EngineProcess(log_path=tmp_path / "engine.log")
    engine.start()
    yield engine
    engine.close(grace_s=5)


def next_event(engine: EngineProcess) -> Event | None:
    """The next but for `CellsFound`, which may still come of the request before."""
    while True:
        assert engine.poll(LONG_S), "the engine says nothing"
        event = engine.receive()
        if not isinstance(event, CellsFound):
            return event


def until(engine: EngineProcess, found: Callable[[Event], bool]) -> list[Event]:
    """Events up to the one that is looked for, or up to the death of the process."""
    events: list[Event] = []
    while (event := next_event(engine)) is not None:
        events.append(event)
        if found(event):
            break
    return events


def ends(event: Event) -> bool:
    return isinstance(event, Loaded | Finished | Failed)


def start_load(engine: EngineProcess, script: Script, request_id: int = 1) -> None:
    options = LoadOptions(model_path=script.path(), backend="scripted")
    engine.send(LoadCommand(request_id=request_id, options=options))


def load(engine: EngineProcess, script: Script, request_id: int = 1) -> Event:
    start_load(engine, script, request_id)
    return until(engine, ends)[-1]


def ask(engine: EngineProcess, request_id: int = 2, *, n_prompt: int = 0) -> None:
    request = GenerateRequest(
        request_id=request_id,
        t_submit_ns=time.perf_counter_ns(),
        messages=() if n_prompt else (user("Hi"),),
        prompt_tokens=(7,) * n_prompt,
    )
    engine.send(GenerateCommand(request=request))


def death_of(engine: EngineProcess) -> ErrorInfo:
    while next_event(engine) is not None:
        pass
    return engine.death()


def test_a_model_loads_and_answers(process: EngineProcess) -> None:
    loaded = load(process, Script())
    assert isinstance(loaded, Loaded)
    assert loaded.t_start_ns < loaded.t_ns <= time.perf_counter_ns()
    assert loaded.kv.reserved_tokens == loaded.engine.n_ctx == 8192
    ask(process)
    events = until(process, ends)
    assert text_of(events) == DEFAULT_ANSWER
    assert isinstance(events[-1], Finished)


def test_requests_that_came_early_are_answered_in_turn(process: EngineProcess) -> None:
    load(process, Script())
    ask(process, 2)
    ask(process, 3)
    first, second = until(process, ends), until(process, ends)
    assert {event.request_id for event in first} == {2}
    assert {event.request_id for event in second} == {3}
    assert text_of(first) == text_of(second) == DEFAULT_ANSWER


def test_what_the_load_found_out_is_in_its_notices(process: EngineProcess) -> None:
    loaded = load(process, Script(template="none"))
    assert isinstance(loaded, Loaded)
    assert [notice.code for notice in loaded.engine.notices] == [NoticeCode.NO_CHAT_TEMPLATE]


def test_progress_of_a_load_rises(process: EngineProcess) -> None:
    start_load(process, Script(load_s=0.3))
    events = until(process, ends)
    fractions = [event.fraction for event in events if isinstance(event, LoadProgress)]
    assert len(fractions) > 2
    assert fractions == sorted(fractions, key=lambda part: part or 0)
    assert fractions[-1] == 1.0


def test_a_load_can_be_cancelled(process: EngineProcess) -> None:
    start_load(process, Script(load_s=600))
    until(process, lambda event: isinstance(event, LoadProgress))
    process.cancel(1)
    failed = until(process, ends)[-1]
    assert isinstance(failed, Failed)
    assert failed.error.code is ErrorCode.LOAD_CANCELLED


def test_a_second_model_is_refused(process: EngineProcess) -> None:
    load(process, Script())
    failed = load(process, Script(), request_id=2)
    assert isinstance(failed, Failed)
    assert failed.error.code is ErrorCode.BUSY
    ask(process, 3)
    assert text_of(until(process, ends)) == DEFAULT_ANSWER


def test_a_failed_load_says_what_the_library_wrote(process: EngineProcess) -> None:
    script = Script(fault="error", at="load", error=ErrorCode.LOAD_FAILED.value)
    failed = load(process, script)
    assert isinstance(failed, Failed)
    assert failed.error.code is ErrorCode.LOAD_FAILED
    assert "scripted:" in failed.error.log_tail
    assert isinstance(load(process, Script(), request_id=2), Loaded)


def test_nothing_is_answered_without_a_model(process: EngineProcess) -> None:
    ask(process)
    failed = until(process, ends)[-1]
    assert isinstance(failed, Failed)
    assert failed.error.code is ErrorCode.NO_MODEL


def test_an_unknown_backend_is_named(process: EngineProcess) -> None:
    process.send(LoadCommand(request_id=1, options=LoadOptions(model_path="x", backend="abacus")))
    failed = until(process, ends)[-1]
    assert isinstance(failed, Failed)
    assert failed.error.code is ErrorCode.BACKEND_MISSING
    assert failed.error.detail("backend") == "abacus"


def test_a_cancel_stops_a_prefill(process: EngineProcess) -> None:
    load(process, SLOW)
    ask(process, 2, n_prompt=8000)
    until(process, lambda event: isinstance(event, PrefillProgress))
    process.cancel(2)
    last = until(process, ends)[-1]
    assert isinstance(last, Finished)
    assert last.reason is FinishReason.CANCELLED


def test_a_cancel_stops_an_answer_and_the_next_request_runs(process: EngineProcess) -> None:
    load(process, SLOW)
    ask(process, 2)
    until(process, lambda event: isinstance(event, Step))
    process.cancel(2)
    last = until(process, ends)[-1]
    assert isinstance(last, Finished)
    assert last.reason is FinishReason.CANCELLED
    ask(process, 3)
    assert isinstance(until(process, lambda event: isinstance(event, Step))[-1], Step)


def test_a_cancel_is_never_taken_back(process: EngineProcess) -> None:
    load(process, SLOW)
    process.cancel(3)
    process.cancel(2)
    ask(process, 3)
    last = until(process, ends)[-1]
    assert isinstance(last, Finished)
    assert last.reason is FinishReason.CANCELLED
    assert last.n_output_tokens == 0


def test_cancels_from_many_threads_keep_the_highest(process: EngineProcess) -> None:
    threads = [threading.Thread(target=process.cancel, args=(n,)) for n in range(1, 40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert process._cancelled.value == 39


@posix
@pytest.mark.parametrize(("kind", "n_prompt"), [(PrefillProgress, 8000), (Step, 0)])
def test_a_killed_engine_is_reported_with_its_signal(
    process: EngineProcess, kind: type, n_prompt: int
) -> None:
    load(process, SLOW)
    ask(process, n_prompt=n_prompt)
    until(process, lambda event: isinstance(event, kind))
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    error = death_of(process)
    assert error.code is ErrorCode.ENGINE_DIED
    assert error.detail("signal") == "SIGKILL"
    assert error.detail("exit_code") == -9
    assert error.detail("reason") == "out_of_memory"
    assert not process.is_alive()


@posix
@pytest.mark.parametrize(
    ("name", "reason"),
    [("SIGABRT", "assertion"), ("SIGBUS", "file_changed"), ("SIGSEGV", "crash")],
)
@pytest.mark.parametrize("at", ["load", "prefill", "decode"])
def test_a_crash_is_told_by_its_signal_with_the_last_words_of_the_log(
    process: EngineProcess, name: str, reason: str, at: str
) -> None:
    start_load(process, Script(fault="die", at=at, signal=name))
    if at != "load":
        until(process, ends)
        ask(process)
    error = death_of(process)
    assert error.detail("signal") == name
    assert error.detail("reason") == reason
    assert f"dying of {name}" in error.log_tail
    # faulthandler says where Python was.
    assert "_fault" in error.log_tail


def test_an_engine_that_we_killed_is_not_called_out_of_memory(process: EngineProcess) -> None:
    load(process, Script(fault="hang", at="decode"))
    ask(process)
    until(process, lambda event: isinstance(event, PrefillDone))
    process.kill()
    assert death_of(process).detail("reason") == "killed"


def test_an_engine_that_hangs_is_closed_by_force(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = EngineProcess(log_path=tmp_path / "engine.log")
    engine.start()
    load(engine, Script(fault="hang", at="prefill"))
    ask(engine)
    until(engine, lambda event: isinstance(event, PrefillProgress))
    assert engine.pid is not None
    child = psutil.Process(engine.pid)
    # Between that event and the hang, a cancel would still be heard.
    monkeypatch.setattr(engine, "cancel", lambda request_id: None)
    engine.close(grace_s=0.1)
    assert not child.is_running()
    assert engine.death().detail("reason") == "killed"


def test_an_engine_is_closed_in_the_middle_of_an_answer(process: EngineProcess) -> None:
    load(process, Script(tok_per_s=5000, answer="word " * 20_000))
    ask(process)
    until(process, lambda event: isinstance(event, Step))
    process.close(grace_s=LONG_S)
    assert process.death().detail("exit_code") == 0
    assert process.death().detail("reason") == "exit"


@posix
def test_an_engine_that_nobody_reads_from_still_closes(process: EngineProcess) -> None:
    load(process, Script(answer="word " * 20_000))
    ask(process)
    until(process, lambda event: isinstance(event, Step))
    assert process.pid is not None
    # It fills the pipe, and then waits there.
    child = psutil.Process(process.pid)
    while child.status() == psutil.STATUS_RUNNING:
        os.sched_yield()
    process.close(grace_s=LONG_S)
    assert process.death().detail("exit_code") == 0


def test_everything_may_be_called_again_and_on_the_dead(tmp_path: Path) -> None:
    engine = EngineProcess(log_path=tmp_path / "engine.log")
    assert engine.receive() is None
    assert not engine.is_alive()
    engine.send(LoadCommand(request_id=1, options=LoadOptions(model_path="x")))
    engine.kill()
    engine.close()
    engine.start()
    with pytest.raises(RuntimeError):
        engine.start()
    engine.kill()
    for _ in range(2000):
        ask(engine)
    assert next_event(engine) is None
    assert engine.receive() is None
    for _ in range(2):
        engine.close()
        engine.kill()
        engine.cancel(9)
        ask(engine)
        assert engine.receive() is None
        assert engine.poll(0)
        assert engine.connection is None
        assert engine.sentinel is None
        assert engine.death().detail("reason") == "killed"


@posix
def test_closed_engines_leave_no_descriptor_and_no_zombie(tmp_path: Path) -> None:
    me = psutil.Process()

    def once() -> None:
        engine = EngineProcess(log_path=tmp_path / "engine.log")
        engine.start()
        load(engine, Script())
        engine.close(grace_s=LONG_S)

    once()  # the resource tracker and the heap of shared values stay, on purpose
    before = me.num_fds()
    for _ in range(3):
        once()
    assert me.num_fds() == before
    assert not [child for child in me.children() if child.status() == psutil.STATUS_ZOMBIE]


def test_output_of_native_code_is_in_the_log_and_not_on_the_terminal(
    process: EngineProcess, capfd: pytest.CaptureFixture[str]
) -> None:
    load(process, Script())
    process.close()
    assert "scripted:" in process.log_path.read_text(encoding="utf-8")
    assert capfd.readouterr() == ("", "")


PARENT = """
import sys
from pathlib import Path
from engine.events import *
from engine.process import EngineProcess
from engine.values import *
from engine.backends.scripted import Script

def until(engine, kind):
    event = None
    while not isinstance(event, kind):
        assert engine.poll({patience_s}), "the engine says nothing"
        event = engine.receive()
        assert event is not None, engine.death()

def main():
    engine = EngineProcess(log_path=Path(sys.argv[1]))
    engine.start()
    options = LoadOptions(model_path=Script({script}).path(), backend="scripted")
    engine.send(LoadCommand(request_id=1, options=options))
    until(engine, Loaded)
    message = ChatMessage(role=Role.USER, content="Hi")
    request = GenerateRequest(request_id=2, t_submit_ns=0, messages=(message,))
    engine.send(GenerateCommand(request=request))
    until(engine, {kind})
    print(engine.pid, flush=True)
    sys.stdin.read()

if __name__ == "__main__":
    main()
"""


@posix
@pytest.mark.parametrize(
    ("script", "kind"),
    [
        ("fault='hang', at='prefill'", "PrefillProgress"),
        ("fault='hang', at='decode'", "PrefillDone"),
        ("tok_per_s=100, answer='word ' * 2000", "Step"),
        ("answer='', load_s=0.1", "Finished"),
    ],
    ids=["hangs in prefill", "hangs in decode", "decodes", "idle"],
)
def test_an_engine_leaves_when_its_parent_is_killed(tmp_path: Path, script: str, kind: str) -> None:
    main = tmp_path / "parent.py"
    main.write_text(PARENT.format(script=script, kind=kind, patience_s=LONG_S), encoding="utf-8")
    parent = subprocess.Popen(
        [sys.executable, str(main), str(tmp_path / "engine.log")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
    )
    with parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
        child.wait(timeout=LONG_S)
    assert not child.is_running()


@posix
def test_ctrl_c_in_the_terminal_is_the_parents_to_handle(process: EngineProcess) -> None:
    load(process, SLOW)
    ask(process)
    until(process, lambda event: isinstance(event, Started))
    assert process.pid is not None
    os.kill(process.pid, signal.SIGINT)
    last = until(process, lambda event: isinstance(event, Step))[-1]
    assert isinstance(last, Step)
    assert process.is_alive()


def test_a_count_is_that_of_the_answer_that_follows(process: EngineProcess) -> None:
    load(process, Script())
    process.send(CountCommand(request_id=2, messages=(user("Hi"),), texts=("Hi",)))
    counted = next_event(process)
    assert isinstance(counted, Counted)
    assert counted.n_text_tokens == (2,)
    ask(process, 3)
    ready = next(event for event in until(process, ends) if isinstance(event, PromptReady))
    assert ready.n_prompt_tokens == counted.n_tokens


def test_a_count_without_a_model_is_refused(process: EngineProcess) -> None:
    process.send(CountCommand(request_id=1, messages=(user("Hi"),)))
    refused = next_event(process)
    assert isinstance(refused, Failed)
    assert refused.error.code is ErrorCode.NO_MODEL
