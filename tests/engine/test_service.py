"""A sleep of the machine is told of, wherever in the service of a command it was."""

from __future__ import annotations

import pytest

from engine.backends.scripted import Script
from engine.events import (
    Event,
    GenerateCommand,
    LoadCommand,
    Loaded,
    LoadProgress,
    PromptReady,
    Started,
    Step,
    Suspended,
)
from engine.figures import RequestTrace
from engine.record import load_record
from engine.service import EngineService
from engine.sleep import SleepWatch
from engine.values import GenerateRequest, LoadOptions
from tests.engine.scripting import ListLog, user

_NIGHT_NS = 60_000_000_000


class Machine:
    """A service of a scripted model, on a machine that sleeps when it is told to.

    `sleep_after` is the kind and number, from 1, of the event after which it sleeps.
    """

    def __init__(self) -> None:
        self.asleep_ns = 5_000_000_000
        self.sleep_after: tuple[type[Event], int] | None = None
        self.events: list[Event] = []
        watch = SleepWatch((lambda: self.asleep_ns, lambda: 0))
        self.service = EngineService(
            emit=self._take, last_cancelled=lambda: 0, log=ListLog(), sleep=watch
        )

    def sleep(self) -> None:
        self.asleep_ns += _NIGHT_NS

    def load(self) -> list[Event]:
        self.events.clear()
        path = Script(answer="Hello, world").path()
        options = LoadOptions(model_path=path, backend="scripted")
        self.service.load(LoadCommand(request_id=1, options=options))
        return list(self.events)

    def answer(self, request_id: int, t_submit_ns: int) -> list[Event]:
        self.events.clear()
        request = GenerateRequest(
            request_id=request_id, t_submit_ns=t_submit_ns, messages=(user("Hi"),)
        )
        self.service.generate(GenerateCommand(request=request))
        return list(self.events)

    def _take(self, event: Event) -> None:
        self.events.append(event)
        if self.sleep_after is not None:
            kind, number = self.sleep_after
            if sum(isinstance(each, kind) for each in self.events) == number:
                self.sleep_after = None
                self.sleep()


@pytest.fixture
def machine() -> Machine:
    return Machine()


def traced(events: list[Event], t_submit_ns: int) -> RequestTrace:
    trace = RequestTrace(2, t_submit_ns)
    for event in events:
        trace.add(event)
    return trace


@pytest.mark.parametrize(
    ("kind", "number", "delayed"),
    [(Step, 2, Step), (Started, 1, PromptReady)],
)
def test_it_is_told_before_the_event_that_it_delayed(
    machine: Machine, kind: type[Event], number: int, delayed: type[Event]
) -> None:
    machine.load()
    machine.sleep_after = (kind, number)
    events = machine.answer(2, 0)
    (index,) = (i for i, event in enumerate(events) if isinstance(event, Suspended))
    told = events[index]
    assert told == Suspended(request_id=2, t_ns=events[index + 1].t_ns, asleep_ns=_NIGHT_NS)
    assert isinstance(events[index + 1], delayed)
    figures = traced(events, 0).figures()
    assert (figures.decode_rate_tok_per_s is None) == (kind is Step)
    assert (figures.ttft_ns is None) == (kind is Started)
    assert figures.latency_ns is None


def test_a_load_that_spans_one_has_no_length(machine: Machine) -> None:
    machine.sleep_after = (LoadProgress, 1)
    events = machine.load()
    assert [event.asleep_ns for event in events if isinstance(event, Suspended)] == [_NIGHT_NS]
    loaded = events[-1]
    assert isinstance(loaded, Loaded)
    assert loaded.slept
    assert load_record(loaded, None)["load_ns"] is None


def test_what_was_sent_before_the_load_waited_through_the_sleep(machine: Machine) -> None:
    machine.sleep_after = (LoadProgress, 1)
    loaded = machine.load()[-1]
    assert isinstance(loaded, Loaded)
    waited = machine.answer(2, loaded.t_start_ns - 1)
    assert isinstance(waited[0], Suspended)
    assert isinstance(waited[1], Started)
    figures = traced(waited, loaded.t_start_ns - 1).figures()
    assert (figures.queue_ns, figures.latency_ns) == (None, None)
    assert figures.ttft_ns is not None
    sent_later = machine.answer(3, loaded.t_ns)
    assert not any(isinstance(event, Suspended) for event in sent_later)


def test_what_was_before_a_command_is_no_matter_of_it(machine: Machine) -> None:
    machine.sleep()
    loaded = machine.load()[-1]
    assert isinstance(loaded, Loaded)
    assert not loaded.slept
    machine.sleep()
    events = machine.answer(2, loaded.t_ns)
    assert not any(isinstance(event, Suspended) for event in events)
    assert traced(events, loaded.t_ns).figures().queue_ns is not None
