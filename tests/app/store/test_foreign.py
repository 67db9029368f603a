"""Exports of other applications come with their branches, models and times."""

import pytest

from app.store.foreign import UnknownShapeError, read_foreign
from app.store.records import ChatRecord, MessageRecord

CHATGPT = {
    "title": "Sky",
    "create_time": 1_700_000_000.5,
    "update_time": 1_700_000_100.0,
    "conversation_id": "abc",
    "current_node": "a2",
    "mapping": {
        "root": {"id": "root", "message": None, "parent": None, "children": ["s"]},
        "s": {
            "message": {"author": {"role": "system"}, "content": {"parts": ["be kind"]}},
            "parent": "root",
        },
        "a2": {
            "message": {
                "author": {"role": "assistant"},
                "content": {"content_type": "text", "parts": ["Second ", "answer"]},
                "create_time": 1_700_000_050,
                "metadata": {"model_slug": "gpt-4o"},
            },
            "parent": "q",
        },
        "q": {
            "message": {
                "author": {"role": "user"},
                "content": {"parts": ["Why?", {"content_type": "image_asset_pointer"}]},
                "create_time": 1_700_000_001,
            },
            "parent": "s",
        },
        "a1": {
            "message": {"author": {"role": "assistant"}, "content": {"parts": ["First answer"]}},
            "parent": "q",
        },
    },
}
OPEN_WEBUI = {
    "id": "w1",
    "title": "Sea",
    "created_at": 1_700_000_000,
    "updated_at": 1_700_000_100,
    "chat": {
        "history": {
            "currentId": "2",
            "messages": {
                "1": {"id": "1", "parentId": None, "role": "user", "content": "Salty?"},
                "2": {
                    "id": "2",
                    "parentId": "1",
                    "role": "assistant",
                    "content": "Rivers.",
                    "model": "llama3.2:1b",
                    "timestamp": 1_700_000_002,
                },
            },
        }
    },
}
LM_STUDIO = {
    "name": "Hills",
    "createdAt": 1_700_000_000_000,
    "messages": [
        {
            "versions": [
                {
                    "type": "singleStep",
                    "role": "user",
                    "content": [{"type": "text", "text": "High?"}],
                }
            ],
            "currentlySelected": 0,
        },
        {
            "versions": [
                {
                    "type": "multiStep",
                    "role": "assistant",
                    "steps": [
                        {"type": "contentBlock", "content": [{"type": "text", "text": "No."}]},
                        {"type": "debugInfoBlock", "debugInfo": "x"},
                    ],
                },
                {
                    "type": "multiStep",
                    "role": "assistant",
                    "steps": [
                        {"type": "contentBlock", "content": [{"type": "text", "text": "Yes."}]}
                    ],
                },
            ],
            "currentlySelected": 1,
        },
    ],
}
SHAREGPT = {
    "id": "s1",
    "conversations": [
        {"from": "system", "value": "be kind"},
        {"from": "human", "value": "Hello\nthere"},
        {"from": "gpt", "value": "Hi"},
    ],
}


def only(document: object) -> tuple[ChatRecord, dict[str, MessageRecord]]:
    [(chat, messages)] = read_foreign(document)
    return chat, {message.text: message for message in messages}


def test_chatgpt() -> None:
    chat, said = only([CHATGPT])
    assert list(said) == ["Why?", "Second answer", "First answer"]
    assert said["Why?"].parent_id is None
    assert said["First answer"].parent_id == said["Why?"].message_id
    assert said["Second answer"].parent_id == said["Why?"].message_id
    assert said["Second answer"].model == "gpt-4o"
    assert said["Second answer"].created_ms == 1_700_000_050_000
    assert chat.leaf_id == said["Second answer"].message_id
    assert (chat.title, chat.created_ms, chat.changed_ms) == (
        "Sky",
        1_700_000_000_500,
        1_700_000_100_000,
    )


def test_open_webui() -> None:
    chat, said = only([OPEN_WEBUI])
    assert chat.title == "Sea"
    assert said["Rivers."].parent_id == said["Salty?"].message_id
    assert said["Rivers."].model == "llama3.2:1b"
    assert chat.leaf_id == said["Rivers."].message_id


def test_lm_studio_with_its_versions() -> None:
    chat, said = only(LM_STUDIO)
    assert chat.title == "Hills"
    assert said["No."].parent_id == said["Yes."].parent_id == said["High?"].message_id
    assert chat.leaf_id == said["Yes."].message_id
    assert chat.created_ms == 1_700_000_000_000


def test_sharegpt() -> None:
    chat, said = only([SHAREGPT])
    assert chat.title == "Hello there"
    assert [message.role for message in said.values()] == ["user", "assistant"]
    assert said["Hi"].parent_id == said["Hello\nthere"].message_id


@pytest.mark.parametrize("document", [CHATGPT, OPEN_WEBUI, LM_STUDIO])
def test_a_second_import_has_the_same_ids(document: object) -> None:
    assert read_foreign(document) == read_foreign(document)


def test_a_chat_without_words_is_left_out() -> None:
    empty = {"id": "e", "conversations": [{"from": "human", "value": " "}]}
    assert [chat.title for chat, _ in read_foreign([empty, SHAREGPT])] == ["Hello there"]


@pytest.mark.parametrize(
    "document",
    [
        [],
        {},
        3,
        None,
        ["text"],
        [{"mapping": {"a": 3}}],
        [{"chat": {}}],
        [{"conversations": [1]}],
        [{"messages": [{"versions": []}]}],
        [CHATGPT, {"other": 1}],
        {
            "mapping": {
                "a": {"parent": "b"},
                "b": {"parent": "a"},
                "q": {
                    "parent": "a",
                    "message": {"author": {"role": "user"}, "content": {"parts": ["x"]}},
                },
            }
        },
        {
            "mapping": {
                name: {
                    "parent": other,
                    "message": {"author": {"role": "user"}, "content": {"parts": ["x"]}},
                }
                for name, other in (("a", "b"), ("b", "a"))
            }
        },
    ],
)
def test_what_is_damaged_is_refused(document: object) -> None:
    with pytest.raises(UnknownShapeError):
        read_foreign(document)
