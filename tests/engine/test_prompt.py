"""The tokens of a turn begin with those of the turn before, however the model chose them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.backends.scripted import CHATML, Script, ScriptedBackend
from engine.errors import ErrorCode
from engine.events import Event, PromptReady
from engine.prompt import AnswerRecord, PromptMemory, common_length
from tests.engine.scripting import (
    ListLog,
    LoopDriver,
    assistant,
    failed,
    finished,
    system,
    text_of,
    user,
)

STRIPS = CHATML.replace("+ message['content'] +", "+ (message['content'] | trim) +")


def cached(events: list[Event]) -> tuple[int, int]:
    event = next(event for event in events if isinstance(event, PromptReady))
    return event.n_prompt_tokens, event.n_cached_tokens


def talk(driver: LoopDriver, n_turns: int, **request: Any) -> list[tuple[int, int]]:  # noqa: ANN401
    """(prompt tokens, of which from the cache) of each turn."""
    chat = [system("Be brief.")]
    counts = []
    for turn in range(n_turns):
        chat.append(user(f"Question {turn}?"))
        events = driver.run(*chat, **request)
        counts.append(cached(events))
        chat.append(assistant(text_of(events)))
    return counts


@pytest.mark.parametrize(
    ("script", "request_options"),
    [
        (Script(), {}),
        (Script(answer="漢字🚀" * 20), {}),
        (Script(template=STRIPS, answer="  \n An answer \n\n"), {}),
        (Script(template="none", answer=" and so on. " * 4), {}),
        (Script(), {"stop": ("emoji",)}),
        (Script(), {"max_tokens": 13}),
        (Script(answer="abcdefg🚀" * 20, bytes_per_token=3), {"max_tokens": 30}),
        (Script(template="{{ bos_token }}" + CHATML), {}),
    ],
    ids=["plain", "cjk", "strips", "no template", "stop", "length", "cut character", "bos"],
)
def test_turn_ten_computes_only_what_is_new(
    script: Script, request_options: dict[str, object]
) -> None:
    counts = talk(LoopDriver(script), 10, **request_options)
    for (p, c), (p_before, _c_before) in zip(counts[1:], counts, strict=False):
        assert c >= p_before - 2
        assert p > p_before
    # A question and the marks around it are some 60 of these one-byte tokens.
    assert counts[-1][0] - counts[-1][1] < 80


def test_a_whole_answer_comes_from_the_cache() -> None:
    driver = LoopDriver(Script(answer="漢字🚀" * 200))
    counts = talk(driver, 10)
    assert counts[-1][1] / counts[-1][0] >= 0.95


def test_asking_again_computes_one_token() -> None:
    driver = LoopDriver(Script())
    p, _ = cached(driver.run(user("Hi")))
    assert cached(driver.run(user("Hi"))) == (p, p - 1)


@pytest.mark.parametrize(
    "script",
    [
        Script(answer="漢字🚀" * 20),
        Script(template=STRIPS, answer="  \n An answer \n\n of several lines"),
        Script(template="none", answer=" and so on. " * 4),
        Script(template="{{ bos_token }}" + CHATML),
    ],
    ids=["cjk", "strips", "no template", "bos"],
)
def test_continuing_an_answer_computes_one_token(script: Script) -> None:
    driver = LoopDriver(script)
    first = driver.run(user("Hi"), max_tokens=10)
    p_before, _ = cached(first)
    begun = text_of(first)
    p, c = cached(driver.run(user("Hi"), assistant(begun), continues=True))
    assert p - c == 1
    assert p_before < p <= p_before + 10


def test_an_answer_without_text_is_not_continued() -> None:
    driver = LoopDriver(Script())
    error = failed(driver.run(user("Hi"), assistant(" \n"), continues=True)).error
    assert error.code is ErrorCode.EMPTY_PROMPT


def test_an_edited_question_keeps_the_turns_before_it() -> None:
    driver = LoopDriver(Script())
    answer = text_of(driver.run(user("one")))
    p, _ = cached(driver.run(user("one"), assistant(answer), user("two")))
    _, c = cached(driver.run(user("one"), assistant(answer), user("three")))
    assert c >= p - len("wo<|im_end|>\n<|im_start|>assistant\n")


def test_an_edited_answer_is_not_what_the_model_said() -> None:
    driver = LoopDriver(Script(answer="The sky is blue today."))
    driver.run(user("one"))
    driver.run(user("one"), assistant("The sky is green today."), user("two"))
    text = b"".join(map(driver.backend.token_bytes, driver.backend._cache)).decode()
    assert "The sky is green today." in text
    assert "blue today.user" not in text


def test_begin_token_is_there_once() -> None:
    for template in (CHATML, "{{ bos_token }}" + CHATML):
        driver = LoopDriver(Script(template=template))
        driver.run(user("Hi"), max_tokens=1)
        bos = driver.backend.tokenize("<s>", add_special=False)
        assert driver.backend._cache.count(bos[0]) == 1
        assert driver.backend._cache[:1] == bos


def test_a_tokenizer_that_adds_a_space_to_every_text_does_not_add_one_inside() -> None:
    class Spacing(ScriptedBackend):
        def tokenize(self, text: str, *, add_special: bool) -> list[int]:
            space = "" if not text or text.startswith("<|") else " "
            return super().tokenize(space + text, add_special=add_special)

    backend = Spacing(ListLog())
    memory = PromptMemory(backend, bos_text="", is_plain=False)
    memory.tokenize("<|im_start|>Q")
    answer = AnswerRecord()
    for token in (1024 + 0x0161, 1024 + 0x0162):
        answer.add(token, backend.token_bytes(token).decode(), at_boundary=True)
    answer.show("ab")
    memory.add_answer(answer)
    tokens = memory.tokenize("<|im_start|>Qab and more")
    assert b"".join(map(backend.token_bytes, tokens)) == b"Qab and more"
    memory.add_answer(AnswerRecord())
    tokens = memory.tokenize("<|im_start|>Qab and more<|im_end|>")
    assert b"".join(map(backend.token_bytes, tokens)) == b"Qab and more"


@given(
    answer=st.text("ab 漢🚀\n", max_size=20),
    bytes_per_token=st.integers(1, 5),
    tail=st.text("ab 漢🚀\n", max_size=6),
    keep=st.integers(0, 20),
    max_tokens=st.integers(1, 12),
    is_plain=st.booleans(),
)
def test_tokens_always_spell_the_prompt(
    answer: str, bytes_per_token: int, tail: str, keep: int, max_tokens: int, is_plain: bool
) -> None:
    script = Script(
        answer=answer,
        bytes_per_token=bytes_per_token,
        template="none" if is_plain else "chatml",
    )
    driver = LoopDriver(script)
    shown = text_of(driver.run(user("Q"), max_tokens=max_tokens))
    chat = (user("Q"), assistant(shown[:keep] + tail), user("R"))
    driver.run(*chat, max_tokens=1)
    tokens = driver.backend._cache
    spelled = b"".join(map(driver.backend.token_bytes, tokens)).decode()
    expected = driver.backend.tokenize(driver.loop._format.render(chat), add_special=True)
    assert spelled == b"".join(map(driver.backend.token_bytes, expected)).decode()


@given(st.text("ab", max_size=20), st.text("ab", max_size=20))
def test_common_length_is_that_of_the_shared_beginning(left: str, right: str) -> None:
    n = common_length(left, right)
    assert left[:n] == right[:n]
    assert n == min(len(left), len(right)) or left[n] != right[n]


def test_requests_of_token_ids_leave_the_conversation_remembered() -> None:
    driver = LoopDriver(Script(answer="漢字" * 50))
    answer = text_of(driver.run(user("Hi")))
    assert finished(driver.run(prompt_tokens=(7,) * 50, max_tokens=1)).n_output_tokens == 1
    chat = (user("Hi"), assistant(answer), user("More"))
    packed = driver.loop._prompts.tokenize(driver.loop._format.render(chat))
    assert len(packed) < len(answer.encode())
