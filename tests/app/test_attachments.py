"""Files go along with a message as things of their own, and the model gets them in a fence."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.attachments import (
    Attachment,
    AttachmentKind,
    fit_name,
    from_json,
    named_apart,
    problem_in,
    to_json,
    with_attachments,
)
from app.requests import prompt_if_sent
from app.transcript import Conversation, UserTurn

FENCE = re.compile(r"^(`{3,})(.*)$")

attachments = st.builds(
    Attachment,
    name=st.text(max_size=20),
    text=st.text(max_size=60),
    kind=st.sampled_from(AttachmentKind),
    size_bytes=st.integers(0, 1 << 40),
    encoding=st.sampled_from(["", "utf-8", "utf-16", "windows-1252"]),
    n_pages=st.none() | st.integers(0, 5000),
    n_pages_without_text=st.integers(0, 5000),
)


def test_a_message_is_what_was_typed_and_then_the_files() -> None:
    files = [Attachment(name="a.py", text="print(1)\n"), Attachment(name="b", text="x")]
    assert with_attachments("Why?", files) == (
        "Why?\n\na.py:\n```py\nprint(1)\n```\n\nb:\n```\nx\n```"
    )
    assert with_attachments(" \n", files[1:]) == "b:\n```\nx\n```"
    assert with_attachments("Why?", []) == "Why?"
    pdf = Attachment(name="a.pdf", text="--- page 1 ---\nx", kind=AttachmentKind.PDF)
    assert with_attachments("", [pdf]) == "a.pdf:\n```\n--- page 1 ---\nx\n```"


def test_the_model_is_given_the_files_of_every_turn() -> None:
    chat = Conversation()
    chat.add(UserTurn(text="Why?", attachments=(Attachment(name="a.md", text="x"),)))
    prompt = prompt_if_sent(chat, "", [Attachment(name="b", text="y")])
    assert [message.content for message in prompt] == [
        "Why?\n\na.md:\n```md\nx\n```\n\nb:\n```\ny\n```"
    ]


@given(text=st.text(alphabet="`~a\n", max_size=60))
def test_no_text_closes_its_own_fence(text: str) -> None:
    lines = Attachment(name="a.md", text=text).block.split("\n")
    opening = FENCE.match(lines[1])
    assert opening is not None
    fence = opening[1]
    assert lines[-1] == fence
    assert all(fence not in line for line in lines[2:-1])
    assert "\n".join(lines[2:-1]) == text.removesuffix("\n")


def test_a_name_cannot_break_the_message() -> None:
    name = fit_name("a\n```\nb\u202etxt.py" + "x" * 500)
    assert "\n" not in name
    assert "\u202e" not in name
    assert len(name) == 120


def test_files_of_the_same_name_are_told_apart() -> None:
    first = Attachment(name="notes.md", text="1")
    second = named_apart(Attachment(name="notes.md", text="2"), [first])
    assert second == Attachment(name="notes (2).md", text="2")
    assert named_apart(first, [second]) == first
    third = named_apart(Attachment(name="notes.md", text="3"), [first, second])
    assert third.name == "notes (3).md"
    plain = Attachment(name=".profile", text="1")
    assert named_apart(plain, [plain]).name == ".profile (2)"


@given(files=st.lists(attachments, max_size=3))
def test_json_gives_the_same_back(files: list[Attachment]) -> None:
    text = to_json(files)
    assert from_json(text) == tuple(files)
    assert (text is None) == (not files)
    assert text is None or problem_in(json.loads(text)) is None


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({}, ""),
        (["x"], "[0]"),
        ([{"name": "a", "text": "b"}], "[0]"),
        ([*json.loads(to_json([Attachment(name="a", text="b")]) or ""), 7], "[1]"),
        (
            [json.loads(to_json([Attachment(name="a", text="b")]) or "")[0] | {"text": 1}],
            "[0].text",
        ),
        (
            [json.loads(to_json([Attachment(name="a", text="b")]) or "")[0] | {"kind": "x"}],
            "[0].kind",
        ),
    ],
)
def test_what_a_file_says_wrongly_is_found(value: object, problem: str) -> None:
    assert problem_in(value) == problem


@pytest.mark.parametrize("text", ["{", "7", '["x"]', '[{"name": "a"}]', "[" * 100_000])
def test_damaged_json_is_no_files(text: str) -> None:
    assert from_json(text) == ()
