"""A count is what the prompt of the answer then has, and leaves no trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.backends.scripted import CHATML, Script
from engine.errors import ErrorCode
from engine.events import CountCommand, Counted, Event, Failed, PromptReady
from tests.engine.scripting import LoopDriver, assistant, system, text_of, user

if TYPE_CHECKING:
    from engine.values import ChatMessage


def count(driver: LoopDriver, *messages: ChatMessage, texts: tuple[str, ...] = ()) -> Counted:
    events: list[Event] = []
    command = CountCommand(request_id=77, messages=messages, texts=texts)
    driver.loop.count(command, emit=events.append)
    assert len(events) == 1
    assert isinstance(events[0], Counted), events[0]
    assert events[0].request_id == 77
    return events[0]


def test_what_an_answer_would_leave_out_is_told_before() -> None:
    driver = LoopDriver(Script(n_ctx=400))
    chat = [system("Be brief.")]
    for turn in range(6):
        chat += [user(f"Question {turn}? " + "x" * 30), assistant("An answer.")]
    chat.append(user("And now?"))
    events: list[Event] = []
    command = CountCommand(request_id=1, messages=tuple(chat), drop_oldest=True, max_tokens=50)
    driver.loop.count(command, emit=events.append)
    (counted,) = events
    assert isinstance(counted, Counted)
    assert 0 < counted.n_dropped_messages < len(chat) - 1
    assert counted.n_left_tokens < counted.n_tokens
    ready = prompt(driver.run(*chat, drop_oldest=True, max_tokens=50))
    assert ready.n_dropped_messages == counted.n_dropped_messages
    assert ready.n_prompt_tokens == counted.n_left_tokens
    kept = count(driver, *chat)
    assert kept.n_dropped_messages == 0
    assert kept.n_left_tokens == kept.n_tokens == counted.n_tokens


def prompt(events: list[Event]) -> PromptReady:
    return next(event for event in events if isinstance(event, PromptReady))


@pytest.mark.parametrize(
    "script",
    [
        Script(),
        Script(template="none", answer=" and so on. " * 4),
        Script(template="{{ bos_token }}" + CHATML),
        Script(answer="漢字🚀" * 20, bytes_per_token=3),
    ],
    ids=["plain", "no template", "bos", "multi-byte tokens"],
)
def test_counts_are_those_of_the_answers_that_follow(script: Script) -> None:
    driver, silent = LoopDriver(script), LoopDriver(script)
    chat = [system("Be brief.")]
    for turn in range(4):
        chat.append(user(f"Question {turn}? 🚀"))
        counted = count(driver, *chat)
        count(driver, *chat[:-1], user("something else that is not sent"))
        assert count(driver, *chat) == counted or count(driver, *chat).n_tokens == counted.n_tokens
        events, unspied = driver.run(*chat), silent.run(*chat)
        assert prompt(events).n_prompt_tokens == counted.n_tokens
        # The prefix in the cache is what it would be, had nobody counted.
        assert prompt(events).n_cached_tokens == prompt(unspied).n_cached_tokens
        chat.append(assistant(text_of(events)))


def test_texts_are_counted_by_themselves() -> None:
    counted = count(LoopDriver(Script()), texts=("abc", "", "é\ud800"))
    assert counted.n_tokens == 0
    assert counted.n_text_tokens == (3, 0, 2 + 3)


def test_a_conversation_that_the_template_refuses_fails_by_itself() -> None:
    refuses = "{{ raise_exception('no') if messages|length > 1 }}" + CHATML
    driver = LoopDriver(Script(template=refuses))
    events: list[Event] = []
    driver.loop.count(
        CountCommand(request_id=5, messages=(user("a"), assistant("b"))), emit=events.append
    )
    assert isinstance(events[0], Failed)
    assert events[0].error.code is ErrorCode.TEMPLATE_FAILED
    assert count(driver, user("a")).n_tokens > 0
