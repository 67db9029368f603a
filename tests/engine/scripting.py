"""Drives a decode loop in this process, with the scripted backend below it."""

from __future__ import annotations

import dataclasses
import itertools
from typing import TYPE_CHECKING, Any

from engine.backends.scripted import Script, ScriptedBackend
from engine.chat_format import ChatFormat
from engine.events import Event, Failed, Finished, Step
from engine.loop import DecodeLoop
from engine.values import ChatMessage, GenerateRequest, LoadOptions, Role

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.backend import LoadedModel


class ListLog:
    """An engine log that keeps what is written."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text

    def tail(self, max_lines: int = 40) -> str:
        return "\n".join(self.text.splitlines()[-max_lines:])


def user(text: str) -> ChatMessage:
    return ChatMessage(role=Role.USER, content=text)


def assistant(text: str) -> ChatMessage:
    return ChatMessage(role=Role.ASSISTANT, content=text)


def system(text: str) -> ChatMessage:
    return ChatMessage(role=Role.SYSTEM, content=text)


def load(backend: ScriptedBackend, script: Script, **options: Any) -> LoadedModel:  # noqa: ANN401
    path_only = LoadOptions(model_path=script.path(), backend="scripted")
    return backend.load(dataclasses.replace(path_only, **options), lambda _stage, _part: True)


class LoopDriver:
    """A loop with a scripted model, whose answers are collected."""

    def __init__(
        self,
        script: Script,
        **options: Any,  # noqa: ANN401
    ) -> None:
        self.backend = ScriptedBackend(ListLog())
        self.loaded = load(self.backend, script, **options)
        self.chat_format = ChatFormat(
            self.loaded.model.chat_template,
            bos_text=self.loaded.bos_text,
            eos_text=self.loaded.eos_text,
        )
        self.loop = DecodeLoop(self.backend, self.loaded, self.chat_format)
        self._ids = itertools.count(1)

    def run(
        self,
        *messages: ChatMessage,
        cancel_when: Callable[[list[Event]], bool] = lambda _events: False,
        **request: Any,  # noqa: ANN401
    ) -> list[Event]:
        """All events of one request; it is cancelled once `cancel_when` says so."""
        events: list[Event] = []
        base = GenerateRequest(request_id=next(self._ids), t_submit_ns=0, messages=messages)
        self.loop.run(
            dataclasses.replace(base, **request),
            emit=events.append,
            is_cancelled=lambda: cancel_when(events),
        )
        return events


def text_of(events: list[Event]) -> str:
    return "".join(e.text for e in events if isinstance(e, Step | Finished))


def last_of(events: list[Event]) -> Finished | Failed:
    last = events[-1]
    assert isinstance(last, Finished | Failed)
    return last


def finished(events: list[Event]) -> Finished:
    last = last_of(events)
    assert isinstance(last, Finished), last
    return last


def failed(events: list[Event]) -> Failed:
    last = last_of(events)
    assert isinstance(last, Failed), last
    return last
