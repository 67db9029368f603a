"""The oldest turns are left out where a conversation does not fit, and never more than it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.backends.scripted import Script
from engine.errors import ErrorCode
from engine.events import PromptReady
from engine.fitting import answer_room, fitting
from engine.values import Role
from tests.engine.scripting import LoopDriver, assistant, failed, finished, system, user

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.values import ChatMessage


def length(messages: Sequence[ChatMessage]) -> int:
    return sum(len(message.content) for message in messages)


def talk(*lengths: int) -> list[ChatMessage]:
    return [
        (user if index % 2 == 0 else assistant)("x" * size) for index, size in enumerate(lengths)
    ]


def test_what_fits_is_left_alone() -> None:
    chat = [system("s" * 5), *talk(10, 10, 10)]
    assert fitting(chat, count=length, max_tokens=20, n_ctx=55) == (tuple(chat), 0)


def test_whole_turns_go_and_the_system_prompt_stays() -> None:
    chat = [system("s" * 5), *talk(10, 10, 10, 10, 10)]
    left, n_dropped = fitting(chat, count=length, max_tokens=20, n_ctx=60)
    assert n_dropped == 4
    assert left == (chat[0], chat[-1])
    left, n_dropped = fitting(chat, count=length, max_tokens=6, n_ctx=60)
    assert n_dropped == 2
    assert left == (chat[0], *chat[3:])


def test_the_last_message_stays_even_where_it_is_too_long() -> None:
    chat = talk(10, 10, 500)
    left, n_dropped = fitting(chat, count=length, max_tokens=None, n_ctx=100)
    assert left == (chat[-1],)
    assert n_dropped == 2


def test_a_single_message_cannot_be_cut() -> None:
    chat = talk(500)
    assert fitting(chat, count=length, max_tokens=None, n_ctx=100) == (tuple(chat), 0)


def test_room_for_an_answer_is_at_most_half_of_the_context() -> None:
    assert answer_room(None, 8192) == 2048
    assert answer_room(100, 8192) == 100
    assert answer_room(100_000, 8192) == 4096


@given(
    sizes=st.lists(st.integers(1, 40), min_size=1, max_size=21).filter(lambda s: len(s) % 2 == 1),
    n_ctx=st.integers(64, 400),
    max_tokens=st.none() | st.integers(1, 500),
)
def test_what_is_left_is_an_end_of_the_conversation(
    sizes: list[int], n_ctx: int, max_tokens: int | None
) -> None:
    chat = talk(*sizes)
    left, n_dropped = fitting(chat, count=length, max_tokens=max_tokens, n_ctx=n_ctx)
    room = n_ctx - answer_room(max_tokens, n_ctx)
    assert left == tuple(chat[n_dropped:])
    assert left[0].role is Role.USER
    if length(chat) <= room:
        assert n_dropped == 0
    elif len(left) > 1:
        # Enough is free again, and one turn more would not have left so much.
        assert length(left) <= room * 3 // 4
        assert n_dropped == 0 or length(chat[n_dropped - 2 :]) > room * 3 // 4


def test_the_engine_says_what_it_left_out() -> None:
    driver = LoopDriver(Script(n_ctx=512))
    chat = [system("Be brief."), *talk(150, 150, 150, 150, 20)]
    assert failed(driver.run(*chat)).error.code is ErrorCode.PROMPT_TOO_LONG
    events = driver.run(*chat, drop_oldest=True)
    ready = next(event for event in events if isinstance(event, PromptReady))
    assert ready.n_dropped_messages == 4
    whole = driver.run(chat[0], chat[-1])
    assert ready.n_prompt_tokens == next(
        event.n_prompt_tokens for event in whole if isinstance(event, PromptReady)
    )
    finished(events)


def test_dropping_does_not_help_where_the_last_message_is_too_long() -> None:
    driver = LoopDriver(Script(n_ctx=512))
    error = failed(driver.run(*talk(50, 50, 600), drop_oldest=True)).error
    assert error.code is ErrorCode.PROMPT_TOO_LONG
    assert error.detail("n_messages") == 1


@pytest.mark.parametrize("n", [1, 3, 9])
def test_nothing_is_left_out_where_it_fits(n: int) -> None:
    events = LoopDriver(Script()).run(*talk(*[20] * n), drop_oldest=True)
    ready = next(event for event in events if isinstance(event, PromptReady))
    assert ready.n_dropped_messages == 0
