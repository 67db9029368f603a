"""Which tokens of a prompt hold which message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.backends.scripted import Script
from engine.cells import CellMap, Prompt
from engine.events import CellKind, CellsFound, CellSpan, PromptReady
from engine.values import Role
from tests.engine.scripting import LoopDriver, assistant, finished, system, text_of, user

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.events import Event
    from engine.values import ChatMessage

HELLO = Script(answer="Hello, world!")
TALK = (system("Be kind."), user("Hi"), assistant("Hé, 漢字!"), user("And \N{ROCKET}?"))


def texts(driver: LoopDriver, spans: Sequence[CellSpan], tokens: list[int]) -> list[str]:
    shown = driver.backend.shown_bytes
    return [b"".join(map(shown, tokens[span.begin : span.end])).decode() for span in spans]


def spans_of(driver: LoopDriver, *messages: ChatMessage, **request: Any) -> list[CellSpan]:  # noqa: ANN401
    finished(driver.run(*messages, **request))
    return found_in(driver)


def found_in(driver: LoopDriver, *, is_awaited: bool = False) -> list[CellSpan]:
    """What is told after an answer."""
    told: list[Event] = []
    driver.loop.find_cells(emit=told.append, is_awaited=lambda: is_awaited)
    return [span for event in told if isinstance(event, CellsFound) for span in event.cells]


def answer_number(events: list[Event]) -> int:
    return next(event.answer_number for event in events if isinstance(event, PromptReady))


def spans_with(shown_bytes: Callable[[int], bytes], prompt: Prompt) -> tuple[CellSpan, ...]:
    """Without a template."""
    cells = CellMap(shown_bytes)
    cells.prompt = prompt
    return cells.spans(lambda messages, *, continues=False: messages[0].content)


def test_each_message_has_its_cells_and_the_rest_is_the_template() -> None:
    driver = LoopDriver(HELLO)
    spans = spans_of(driver, *TALK)
    prompt = driver.loop._cells.prompt
    assert prompt is not None
    named = [span for span in spans if span.kind is not CellKind.TEMPLATE]
    assert [(span.kind, span.number) for span in named] == [
        (CellKind.SYSTEM, 1),
        (CellKind.USER, 1),
        (CellKind.ANSWER, 1),
        (CellKind.USER, 2),
    ]
    assert texts(driver, named, prompt.tokens) == [message.content for message in TALK]
    assert "".join(texts(driver, spans, prompt.tokens)) == f"<s>{prompt.text}"


@settings(max_examples=25)
@example(contents=["漢", "字"])
@given(contents=st.lists(st.text(st.characters(codec="utf-8")), min_size=1, max_size=5))
def test_cells_cover_the_prompt_without_gaps(contents: list[str]) -> None:
    driver = LoopDriver(Script(answer="x", n_ctx=100_000))
    messages = [user(text) for text in contents]
    if not contents[-1].strip():
        return
    spans = spans_of(driver, *messages)
    prompt = driver.loop._cells.prompt
    assert prompt is not None
    assert [span.begin for span in spans] == [0, *[span.end for span in spans[:-1]]]
    assert spans[-1].end == len(prompt.tokens)
    named = [span for span in spans if span.kind is CellKind.USER]
    assert texts(driver, named, prompt.tokens) == [text for text in contents if text]


def test_a_conversation_that_grows_is_told_again() -> None:
    driver = LoopDriver(HELLO)
    first = spans_of(driver, user("Hi"))
    longer = spans_of(driver, user("Hi"), assistant("Hello, world!"), user("More"))
    # The last span of the first, the head of the answer, goes on to be the same template text.
    assert longer[: len(first) - 1] == first[:-1]
    kinds = [span.kind for span in longer if span.kind is not CellKind.TEMPLATE]
    assert kinds == [CellKind.USER, CellKind.ANSWER, CellKind.USER]
    other = spans_of(driver, user("Something else"))
    assert [span.number for span in other if span.kind is CellKind.USER] == [1]


def test_messages_that_were_left_out_are_counted() -> None:
    driver = LoopDriver(Script(answer="x", n_ctx=400))
    turns = [message for n in range(8) for message in (user(f"Q{n} " * 9), assistant(f"A{n}"))]
    talk = (system("S"), *turns, user("Last"))
    events = driver.run(*talk, drop_oldest=True, max_tokens=50)
    spans = found_in(driver)
    assert answer_number(events) == 9
    users = [span.number for span in spans if span.kind is CellKind.USER]
    assert spans[1].kind is CellKind.SYSTEM
    assert users[-1] == 9
    assert users == list(range(users[0], 10))
    assert users[0] > 1


def test_messages_that_were_left_out_before_are_counted() -> None:
    driver = LoopDriver(HELLO)
    earlier = ((Role.USER, 3), (Role.ASSISTANT, 3))
    talk = (system("S"), user("Q4"), assistant("A4"), user("Q5"))
    events = driver.run(*talk, n_earlier=earlier)
    named = [
        (span.kind, span.number) for span in found_in(driver) if span.kind is not CellKind.TEMPLATE
    ]
    assert named == [
        (CellKind.SYSTEM, 1),
        (CellKind.USER, 4),
        (CellKind.ANSWER, 4),
        (CellKind.USER, 5),
    ]
    assert answer_number(events) == 5
    going_on = driver.run(*talk, assistant("Hello"), n_earlier=earlier, continues=True)
    assert answer_number(going_on) == 5
    last = found_in(driver)[-1]
    assert (last.kind, last.number) == (CellKind.ANSWER, 5)


def test_an_answer_that_goes_on_is_the_last_message() -> None:
    spans = spans_of(LoopDriver(HELLO), user("Hi"), assistant("Hello, "), continues=True)
    assert (spans[-1].kind, spans[-1].number) == (CellKind.ANSWER, 1)


def test_a_template_that_trims_and_forgets_reasoning_is_followed() -> None:
    template = (
        "{% for m in messages %}<|im_start|>{{ m.role }}\n"
        "{{ (m.content.split('</think>')[-1]) | trim }}<|im_end|>\n{% endfor %}"
    )
    driver = LoopDriver(Script(answer="x", template=template))
    spans = spans_of(driver, user("  Hi  "), assistant("<think>hm</think>\n\nYes"), user("So"))
    prompt = driver.loop._cells.prompt
    assert prompt is not None
    named = [span for span in spans if span.kind is not CellKind.TEMPLATE]
    assert texts(driver, named, prompt.tokens) == ["Hi", "Yes", "So"]


def test_what_a_template_changes_otherwise_is_unknown_from_there_on() -> None:
    template = (
        "{% for m in messages %}<|im_start|>{{ m.content | replace('so', 'no') }}\n{% endfor %}"
    )
    spans = spans_of(LoopDriver(Script(answer="x", template=template)), user("HI"), user("so"))
    assert [span.kind for span in spans] == [CellKind.TEMPLATE, CellKind.USER, CellKind.UNKNOWN]


def test_tokens_that_do_not_spell_the_prompt_are_unknown() -> None:
    prompt = Prompt(
        messages=(user("abc"),), numbers=(1,), answer_number=1, text="abc", tokens=[97, 98]
    )
    spans = spans_with(lambda token: bytes((token,)), prompt)
    assert spans == (CellSpan(kind=CellKind.UNKNOWN, begin=0, end=2),)


def test_a_space_and_a_mark_that_a_tokenizer_adds_take_no_place() -> None:
    pieces = {1: b"<s>", 2: b" Hello", 3: b" you"}
    prompt = Prompt(
        messages=(user("Hello you"),),
        numbers=(1,),
        answer_number=1,
        text="Hello you",
        tokens=[1, 2, 3],
    )
    spans = spans_with(pieces.__getitem__, prompt)
    assert [(span.kind, span.begin, span.end) for span in spans] == [
        (CellKind.TEMPLATE, 0, 1),
        (CellKind.USER, 1, 3),
    ]


@pytest.mark.parametrize("bytes_per_token", [1, 2, 3, 5])
def test_answers_cut_within_a_character_are_found_again(bytes_per_token: int) -> None:
    driver = LoopDriver(Script(answer="漢字かな🚀!", bytes_per_token=bytes_per_token))
    chat = [user("Hi")]
    for n in range(1, 6):
        events = driver.run(*chat, max_tokens=n)
        chat += [assistant(text_of(events)), user("More")]
    spans = spans_of(driver, *chat)
    assert CellKind.UNKNOWN not in [span.kind for span in spans]
    assert sum(span.kind is CellKind.USER for span in spans) == 6


def test_tokens_without_a_conversation_have_no_cells() -> None:
    driver = LoopDriver(HELLO)
    events = driver.run(prompt_tokens=(72, 105))
    assert answer_number(events) == 0
    assert found_in(driver) == []


def test_they_are_told_of_once_and_not_of_what_was_never_read() -> None:
    driver = LoopDriver(HELLO)
    assert spans_of(driver, *TALK)
    assert found_in(driver) == []
    finished(driver.run(*TALK, cancel_when=lambda _events: True))
    assert found_in(driver) == []


def test_nothing_waits_for_them_and_the_next_search_goes_on_from_there() -> None:
    driver = LoopDriver(HELLO, n_ctx=20_000)
    question = user("x" * 10_000)
    finished(driver.run(question))
    seen = 0

    def shown_bytes(token: int) -> bytes:
        nonlocal seen
        seen += 1
        return shown(token)

    shown, driver.loop._cells._shown_bytes = driver.loop._cells._shown_bytes, shown_bytes
    assert found_in(driver, is_awaited=True) == []
    assert 0 < seen < 5_000
    before, seen = seen, 0
    spans = spans_of(driver, question)
    assert CellKind.UNKNOWN not in [span.kind for span in spans]
    prompt = driver.loop._cells.prompt
    assert prompt is not None
    assert before + seen == len(prompt.tokens)


def test_a_system_prompt_that_the_template_adds_by_itself_is_told_apart() -> None:
    template = (
        "{% if messages[0].role != 'system' %}<|im_start|>system\nYou are kind.<|im_end|>\n"
        "{% endif %}{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n"
        "{% endfor %}<|im_start|>assistant\n"
    )
    driver = LoopDriver(Script(answer="x", template=template))
    spans = spans_of(driver, user("Hi"))
    prompt = driver.loop._cells.prompt
    assert prompt is not None
    named = [span for span in spans if span.kind is not CellKind.TEMPLATE]
    assert [(span.kind, span.number) for span in named] == [
        (CellKind.ADDED_SYSTEM, 0),
        (CellKind.USER, 1),
    ]
    assert texts(driver, named, prompt.tokens) == ["You are kind.", "Hi"]
    own = [span.kind for span in spans_of(driver, system("Be brief."), user("Hi"))]
    assert CellKind.SYSTEM in own
    assert CellKind.ADDED_SYSTEM not in own


@pytest.mark.parametrize(
    "template",
    [
        "{{ bos_token }}{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}<a>",
        "<system>Today is Monday.{{ messages[0].content if messages[0].role == 'system' }}</s>"
        "{% for m in messages if m.role != 'system' %}<user>{{ m.content }}</s>{% endfor %}<a>",
        "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no') }}{% endif %}"
        "<{{ m.role }}>{{ m.content }}</s>{% endfor %}<a>",
    ],
    ids=["none", "only marks of its own", "refuses one"],
)
def test_marks_of_a_template_are_no_system_prompt(template: str) -> None:
    kinds = [span.kind for span in spans_of(LoopDriver(Script(template=template)), user("Hi"))]
    assert kinds == [CellKind.TEMPLATE, CellKind.USER, CellKind.TEMPLATE]
