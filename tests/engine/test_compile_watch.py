"""Compilations of the engine's library, told of beside the steps that waited for them."""

from __future__ import annotations

import itertools
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from engine.backends.scripted import Script
from engine.compile_watch import CompileWatch
from engine.events import Compiled, Step
from engine.loop import DecodeLoop
from tests.engine.scripting import LoopDriver, user

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.backend import KeepGoing


class Handler:
    """What torch calls when it compiles, as `torch._dynamo.callback` has it."""

    def __init__(self) -> None:
        self.starts: list[Callable[[object], None]] = []
        self.ends: list[Callable[[object], None]] = []

    def register_start_callback(self, callback: Callable[[object], None]) -> None:
        self.starts.append(callback)

    def register_end_callback(self, callback: Callable[[object], None]) -> None:
        self.ends.append(callback)

    def remove_start_callback(self, callback: Callable[[object], None]) -> None:
        self.starts.remove(callback)

    def remove_end_callback(self, callback: Callable[[object], None]) -> None:
        self.ends.remove(callback)

    def compile(self) -> None:
        for callback in (*self.starts, *self.ends):
            callback(None)


def test_a_compilation_is_told_of_before_the_step_that_waited_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    handler = Handler()
    module = SimpleNamespace(callback_handler=handler)
    monkeypatch.setitem(sys.modules, "torch._dynamo.callback", module)
    driver = LoopDriver(Script(answer="one two three"))
    driver.loop = DecodeLoop(
        driver.backend, driver.loaded, driver.chat_format, pauses=(CompileWatch(),)
    )
    step, is_first = driver.backend.step, itertools.chain([True], itertools.repeat(False))

    def compile_and_step(keep_going: KeepGoing) -> tuple[int, ...]:
        if next(is_first):
            handler.compile()
        return step(keep_going)

    driver.backend.step = compile_and_step  # type: ignore[method-assign] # compiles once
    events = driver.run(user("Hi"))
    kinds = [type(event) for event in events]
    assert kinds.count(Compiled) == 1
    assert kinds[kinds.index(Compiled) + 1] is Step
    assert kinds.index(Compiled) == kinds.index(Step) - 1
    stamps = [event.t_ns for event in events]
    assert stamps == sorted(stamps)
    # It is not asked to tell any more.
    assert not handler.starts
    assert not handler.ends


def test_without_torch_nothing_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "torch._dynamo.callback", raising=False)
    watch = CompileWatch()
    watch.start()
    watch.stop()
    assert not watch.events(2, 1 << 60)


@pytest.mark.parametrize("removed", ["starts", "ends", "both"])
def test_an_answer_ends_well_where_torch_was_reset_meanwhile(
    monkeypatch: pytest.MonkeyPatch, removed: str
) -> None:
    handler = Handler()
    module = SimpleNamespace(callback_handler=handler)
    monkeypatch.setitem(sys.modules, "torch._dynamo.callback", module)
    watch = CompileWatch()
    watch.start()
    handler.compile()
    if removed != "ends":
        handler.starts.clear()
    if removed != "starts":
        handler.ends.clear()
    watch.stop()
    assert not handler.starts
    assert not handler.ends
    assert len(watch.events(2, 1 << 62)) == 1
