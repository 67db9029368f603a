"""A step of another shape makes torch compile once more: that is noted, and only then."""

import time

import torch

from engine.compile_watch import CompileWatch
from engine.events import Compiled


def test_a_recompilation_is_noted_and_what_is_compiled_already_is_not() -> None:
    doubled = torch.compile(lambda x: x * 2, backend="eager", dynamic=False)
    doubled(torch.ones(3))
    watch = CompileWatch()
    watch.start()
    try:
        doubled(torch.ones(3))
        assert not watch.events(2, time.perf_counter_ns())
        before_ns = time.perf_counter_ns()
        doubled(torch.ones(4))
        (told,) = watch.events(2, time.perf_counter_ns())
        assert isinstance(told, Compiled)
        assert told.duration_ns > 0
        assert before_ns < told.t_ns - told.duration_ns
        doubled(torch.ones(4))
        assert not watch.events(2, time.perf_counter_ns())
    finally:
        watch.stop()
    doubled(torch.ones(5))
    assert not watch.events(2, time.perf_counter_ns())
    torch.compiler.reset()
