"""Telling what a model thinks from what it answers."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.reasoning import MARKS, ReasoningWatch, answer_in, reasoning_figures, without_reasoning
from app.transcript import Answer
from engine.events import PrefillDone, Step
from engine.figures import RequestTrace


@pytest.mark.parametrize("opening", MARKS)
def test_every_pair_of_marks(opening: str) -> None:
    text = f"\n{opening}\nHm.\n{MARKS[opening]}\n\nYes."
    assert without_reasoning(text) == "Yes."


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Yes.", "Yes."),
        ("<think>Hm", ""),
        ("<thin", "<thin"),
        ("<b>Yes", "<b>Yes"),
        ("Hm.\n</think>\nYes.", "Yes."),
        ("Write `</think>` at the end.", "Write `</think>` at the end."),
        ("Like this:\n```\n<think>\n</think>\n```", "Like this:\n```\n<think>\n</think>\n```"),
        ("Then <think> begins.\n", "Then <think> begins.\n"),
        ("<think></think>Yes", "Yes"),
        ("", ""),
    ],
)
def test_the_answer_proper(text: str, answer: str) -> None:
    assert without_reasoning(text) == answer


@given(
    text=st.sampled_from(
        [
            "<think>\nHm </thin\n</think>\n\nYes </think> no",
            "Hm\n  </think>\nYes",
            "[THINK]a[/THINK]b",
            "<|no|>x\n<think>",
        ]
    ),
    cuts=st.lists(st.integers(0, 50), max_size=10),
)
def test_a_text_is_said_without_its_reasoning_and_else_as_it_is(text: str, cuts: list[int]) -> None:
    for cut in cuts:
        part = text[:cut]
        said = answer_in(part)
        assert said.lstrip("\n") == without_reasoning(part)
        assert said == part or said == without_reasoning(part)


@given(
    text=st.sampled_from(
        [
            "<think>\nHm </thin\n</think>\n\nYes </think> no",
            "Hm\n  </think>\nYes",
            "[THINK]a[/THINK]b",
            "Use this:\n```\n</think>\n```\nmore\n</think>\nAnswer",
            "talk of </think> here\n```\n",
            "<|no|>x\n<think>",
        ]
    ),
    cuts=st.lists(st.integers(0, 50), max_size=10),
)
def test_chunks_do_not_matter(text: str, cuts: list[int]) -> None:
    watch = ReasoningWatch()
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    begin: int | None = None
    for _, end in pairwise(places):
        begin = watch.look(text[:end], is_last=end == len(text))
    at_once = ReasoningWatch()
    assert begin == at_once.look(text, is_last=True)
    assert watch.span == at_once.span


def test_a_mark_in_code_is_passed_over_on_the_way_to_the_one_that_closes() -> None:
    text = "Use this:\n```\n</think>\n```\nmore\n</think>\nAnswer"
    assert without_reasoning(text) == "Answer"
    watch = ReasoningWatch()
    for end in range(len(text)):
        watch.look(text[:end], is_last=False)
    assert watch.look(text, is_last=True) == text.index("\nAnswer")
    assert without_reasoning("Use this:\n```\n</think>\n```\nmore") == text[:31]


def test_tokens_and_time_are_those_of_its_steps() -> None:
    answer = Answer(turn_id="1", trace=RequestTrace(1, 0))
    answer.trace.add(PrefillDone(request_id=1, t_ns=1_000))
    watch = ReasoningWatch()
    for number, piece in enumerate(["<think>", "Let", " me", "</think>", "\nYes", "."]):
        answer.text += piece
        answer.step_ends.append(len(answer.text))
        answer.trace.add(Step(request_id=1, t_ns=2_000 + 100 * number, n_tokens=2, text=piece))
        watch.look(answer.text, is_last=False)
        if number == 2:
            assert watch.span is not None
            assert reasoning_figures(answer, watch.span) == (6, 1_200)
    assert watch.span is not None
    assert reasoning_figures(answer, watch.span) == (8, 1_300)
