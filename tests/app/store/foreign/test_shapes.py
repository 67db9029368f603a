"""Exports of other applications come with their branches, models, times, and what was thought."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from app.store.foreign import chatgpt as chatgpt_reader
from app.store.foreign import open_webui
from app.store.foreign.build import UnknownShapeError
from app.store.foreign.shapes import read_foreign
from tests.app.store.foreign.exports import (
    CHATGPT,
    LM_STUDIO,
    MESSAGES,
    OPEN_WEBUI,
    OPEN_WEBUI_OLD,
    SHAREGPT,
    T0,
    VOICE,
    chatgpt,
    gpt_node,
    text,
)

if TYPE_CHECKING:
    from app.store.records import ChatRecord, MessageRecord


def read(item: object) -> tuple[ChatRecord, list[MessageRecord]]:
    chat, messages = read_foreign(item, "[0]")
    return chat, list(messages)


def shown(item: object) -> list[tuple[str, str]]:
    """The branch that is shown: who, and what."""
    chat, messages = read(item)
    by_id = {message.message_id: message for message in messages}
    branch: list[tuple[str, str]] = []
    message = by_id.get(chat.leaf_id or "")
    while message is not None:
        branch.insert(0, (message.role, message.text))
        message = by_id.get(message.parent_id or "")
    return branch


def system_prompt(chat: ChatRecord) -> object:
    return json.loads(chat.settings)["system_prompt"] if chat.settings else None


class TestChatGpt:
    def test_what_the_page_showed(self) -> None:
        assert shown(CHATGPT) == [
            ("user", "[image]\nWhy is it blue?"),
            (
                "assistant",
                "<think>\n**Looking**\n\nIs it  day?\n</think>\n\nLight scatters, said Rayleigh.",
            ),
            ("user", "And the sea?"),
            ("assistant", "**sea.py**\n\n```python\nprint(`x`)\n```\n\nThere it is."),
        ]

    def test_branches_models_and_times(self) -> None:
        chat, messages = read(CHATGPT)
        question, answer, _, _, variant = sorted(
            messages, key=lambda message: ("Another" in message.text, messages.index(message))
        )
        assert variant.text == "Another"
        assert variant.parent_id == answer.parent_id == question.message_id
        assert question.parent_id is None
        assert (question.model, answer.model, variant.model) == (
            None,
            "gpt-5-thinking",
            "gpt-5-thinking",
        )
        assert variant.created_ms == int((T0 + 9.5) * 1000)
        assert (chat.created_ms, chat.changed_ms) == (int(T0 * 1000), int((T0 + 100) * 1000))
        assert (chat.title, chat.archived, chat.pinned) == ("Sky", True, False)

    def test_custom_instructions_are_the_system_prompt(self) -> None:
        assert system_prompt(read(CHATGPT)[0]) == "I am Ann.\n\nBe short."

    def test_spoken_words_and_null_everywhere(self) -> None:
        chat, messages = read(VOICE)
        assert [message.text for message in messages] == ["Say it aloud."]
        assert (chat.title, chat.leaf_id) == ("Say it aloud.", None)
        assert chat.created_ms > 1_700_000_000_000
        assert system_prompt(chat) is None

    def test_a_starred_chat_is_pinned(self) -> None:
        assert read(CHATGPT | {"is_starred": True})[0].pinned

    def test_a_rewritten_canvas(self) -> None:
        call = {"updates": [{"pattern": ".*", "multiple": False, "replacement": "All ```new```."}]}
        item = chatgpt(
            [
                gpt_node("q", None, "user", text("Write.")),
                gpt_node(
                    "d",
                    "q",
                    "assistant",
                    text(json.dumps(call)),
                    recipient="canmore.update_textdoc",
                ),
            ],
            "d",
        )
        assert shown(item)[-1] == ("assistant", "All ```new```.")

    def test_an_answer_that_branches_in_its_middle_stays_in_parts(self) -> None:
        item = chatgpt(
            [
                gpt_node("q", None, "user", text("Why?")),
                gpt_node("a", "q", "assistant", text("First")),
                gpt_node("b", "a", "assistant", text("so")),
                gpt_node("c", "a", "assistant", text("or so")),
            ],
            "c",
        )
        assert shown(item) == [("user", "Why?"), ("assistant", "First"), ("assistant", "or so")]

    def test_the_leaf_may_be_what_is_not_taken(self) -> None:
        item = chatgpt(
            [
                gpt_node("q", None, "user", text("Why?")),
                gpt_node("a", "q", "assistant", text("So.")),
                gpt_node("t", "a", "tool", text("x")),
                gpt_node("b", "q", "assistant", text("Or so.")),
            ],
            "t",
        )
        assert shown(item) == [("user", "Why?"), ("assistant", "So.")]


class TestOpenWebUi:
    def test_what_was_said_and_thought(self) -> None:
        assert shown(OPEN_WEBUI) == [
            ("user", "[image]\n[file: sea.pdf]\nSalty?"),
            ("assistant", "<think>\nIs a < b?\nYes.\n</think>\n\nRivers."),
        ]
        chat, messages = read(OPEN_WEBUI)
        assert len(messages) == 2
        assert messages[1].model == "llama3.2:1b"
        assert (chat.pinned, chat.archived, chat.changed_ms) == (True, True, 1_700_000_100_000)
        assert system_prompt(chat) == "Be kind."

    def test_an_old_chat_without_a_tree(self) -> None:
        assert shown(OPEN_WEBUI_OLD) == [("user", "Hello"), ("assistant", "Hi")]
        assert read(OPEN_WEBUI_OLD)[0].created_ms == 1_690_000_000_000


class TestLmStudio:
    def test_versions_steps_and_thoughts(self) -> None:
        chat, messages = read(LM_STUDIO)
        assert [(message.role, message.text) for message in messages] == [
            ("user", "High?\n[image]\n[file: hill.txt]"),
            ("assistant", "<think>\nHow high?\n</think>\n\nNo.\n\nNot at all."),
            ("assistant", "Yes."),
            ("user", "So?"),
        ]
        assert shown(LM_STUDIO)[1:] == [("assistant", "Yes."), ("user", "So?")]
        assert [message.model for message in messages[1:3]] == ["test-model-7b", "other-model"]
        assert (chat.title, chat.pinned) == ("Hills", True)
        assert (chat.created_ms, chat.changed_ms) == (1_700_000_000_000, 1_700_000_060_000)
        assert system_prompt(chat) == "Be brief."


class TestShareGpt:
    def test_turns_in_order(self) -> None:
        assert shown(SHAREGPT) == [
            ("user", "Hello\nthere"),
            ("assistant", "Hi\n\nIt is 3."),
        ]
        chat, _ = read(SHAREGPT)
        assert (chat.title, system_prompt(chat)) == ("Hello there", "Be kind.")

    def test_roles_and_contents_instead(self) -> None:
        assert shown(MESSAGES) == [("user", "Hello"), ("assistant", "Hi")]

    def test_parts_of_a_data_set_with_one_id(self) -> None:
        other = SHAREGPT | {"conversations": [{"from": "human", "value": "More"}]}
        assert read(other)[0].chat_id != read(SHAREGPT)[0].chat_id


@pytest.mark.parametrize("item", [CHATGPT, OPEN_WEBUI, LM_STUDIO, SHAREGPT])
def test_a_second_time_it_has_the_same_ids(item: object) -> None:
    first, second = read(item), read(item)
    assert first[0].chat_id == second[0].chat_id
    assert [one.message_id for one in first[1]] == [one.message_id for one in second[1]]


def test_lone_surrogates_can_be_written() -> None:
    item = {"id": "\ud800", "conversations": [{"from": "human", "value": "a\udc00b"}]}
    _, [message] = read(item)
    assert message.text == "a\ufffdb"


def test_a_key_that_cannot_be_written_is_taken() -> None:
    item = chatgpt([gpt_node("\ud800", None, "user", text("x"))], "\ud800")
    chat, [message] = read(item)
    assert (message.text, chat.leaf_id) == ("x", message.message_id)


def _circle(*, said: bool) -> dict[str, Any]:
    content = text("x") if said else None
    return chatgpt(
        [
            gpt_node("a", "b", "user", content),
            gpt_node("b", "a", "user", content),
            gpt_node("q", "a", "user", text("x")),
        ],
        None,
    )


@pytest.mark.parametrize(
    "item",
    [
        {},
        3,
        None,
        "text",
        {"mapping": {"a": 3}},
        {"chat": {}},
        {"chat": {"history": {"messages": {"a": 1}}}},
        {"conversations": [1]},
        {"conversations": [{"value": "x"}]},
        {"messages": [{"versions": []}]},
        _circle(said=False),
        _circle(said=True),
    ],
)
def test_what_is_damaged_is_refused(item: object) -> None:
    with pytest.raises(UnknownShapeError):
        read_foreign(item, "[0]")


def test_no_text_makes_the_search_for_marks_slow() -> None:
    """Each took minutes where the search began anew at every mark."""
    many = 200_000
    for hostile in (
        "<details " * many,
        '<details type="reasoning">' * many,
        '<details type="reasoning"><summary>' * many,
    ):
        assert open_webui._apart(hostile) == (hostile, [])
    for hostile in ("【†" * many, "【" * many + "†"):
        assert chatgpt_reader._without_marks(hostile, {}) == hostile


def test_details_of_open_webui_are_taken_apart() -> None:
    text = (
        'A <details type="reasoning" done="true">\n<summary>Thought</summary>\n'
        "&gt; Hm.\n</details>\n"
        'B <details type="tool_calls">x</details> C <details type="other">kept</details> D'
    )
    assert open_webui._apart(text) == ('A B C <details type="other">kept</details> D', ["Hm."])
