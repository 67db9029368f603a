"""Exports of other applications, as they really look: all of their parts, short and with no names.

Keys that nobody reads are kept where they could be mistaken for something.
"""

from __future__ import annotations

from typing import Any

T0 = 1_762_989_084.391352


def gpt_node(
    key: str, parent: str | None, role: str, content: dict[str, Any] | None, **more: object
) -> dict[str, Any]:
    """A node of `mapping`, as ChatGPT writes it."""
    message = None
    if content is not None:
        message = {
            "id": key,
            "author": {"role": role, "name": None, "metadata": {}},
            "create_time": None,
            "update_time": None,
            "content": content,
            "status": "finished_successfully",
            "end_turn": None,
            "weight": 1,
            "metadata": {},
            "recipient": "all",
            "channel": None,
            **more,
        }
    return {"id": key, "message": message, "parent": parent, "children": []}


def text(*parts: object) -> dict[str, Any]:
    return {"content_type": "text", "parts": list(parts)}


def chatgpt(nodes: list[dict[str, Any]], leaf: str | None, **more: object) -> dict[str, Any]:
    mapping = {node["id"]: node for node in nodes}
    for node in nodes:
        if node["parent"] in mapping:
            mapping[node["parent"]]["children"].append(node["id"])
    return {
        "title": "Sky",
        "create_time": T0,
        "update_time": T0 + 100,
        "mapping": mapping,
        "moderation_results": [],
        "current_node": leaf,
        "conversation_id": "abc",
        "id": "abc",
        "default_model_slug": "gpt-5-thinking",
        "gizmo_id": None,
        "is_archived": False,
        "is_starred": None,
        **more,
    }


HIDDEN = {"is_visually_hidden_from_conversation": True}
CHATGPT = chatgpt(
    [
        gpt_node("client-created-root", None, "", None),
        gpt_node("s", "client-created-root", "system", text(""), metadata=HIDDEN, weight=0),
        gpt_node(
            "i",
            "s",
            "user",
            {
                "content_type": "user_editable_context",
                "user_profile": "The user provided the following ... ```Preferred name: Ann```",
                "user_instructions": "... ```Be short.```",
            },
            metadata={
                **HIDDEN,
                "is_user_system_message": True,
                "user_context_message_data": {
                    "about_user_message": "I am Ann.\n",
                    "about_model_message": "Be short.",
                },
            },
        ),
        gpt_node(
            "q",
            "i",
            "user",
            {
                "content_type": "multimodal_text",
                "parts": [
                    {
                        "content_type": "image_asset_pointer",
                        "asset_pointer": "sediment://file_1",
                        "width": 3,
                        "height": 2,
                    },
                    "Why is it blue?",
                ],
            },
            create_time=T0 + 1,
            metadata={"attachments": [{"id": "file_1", "name": "sky.png"}]},
        ),
        gpt_node(
            "t",
            "q",
            "assistant",
            {
                "content_type": "thoughts",
                "thoughts": [
                    {"summary": "Looking", "content": "Is it </think> day?", "finished": True},
                    {"summary": "", "content": "", "chunks": []},
                ],
                "source_analysis_msg_id": "x",
            },
            create_time=T0 + 2,
            metadata={"model_slug": "gpt-5-thinking"},
        ),
        gpt_node(
            "c",
            "t",
            "assistant",
            {"content_type": "code", "language": "unknown", "text": '{"search_query": []}'},
            recipient="web.run",
            channel="commentary",
        ),
        gpt_node("r", "c", "tool", text("a page"), create_time=T0 + 3),
        gpt_node(
            "e",
            "r",
            "assistant",
            {"content_type": "reasoning_recap", "content": "Thought for 5s"},
        ),
        gpt_node(
            "a",
            "e",
            "assistant",
            text(
                "Light scatters\ue200cite\ue202turn0search0\ue201, said \ue200entity\ue202x\ue201."
            ),
            create_time=T0 + 4,
            channel="final",
            metadata={
                "model_slug": "gpt-5",
                "content_references": [
                    {"matched_text": "\ue200entity\ue202x\ue201", "alt": "Rayleigh"},
                    {"matched_text": " ", "alt": "x"},
                ],
            },
        ),
        gpt_node("v", "q", "assistant", text("Another", None), create_time=T0 + 9.5),
        gpt_node("n", "a", "user", text("And the sea?"), create_time=T0 + 10),
        gpt_node(
            "d",
            "n",
            "assistant",
            {
                "content_type": "code",
                "language": "json",
                "text": '{"name": "sea.py", "type": "code/python", "content": "print(`x`)"}',
            },
            recipient="canmore.create_textdoc",
        ),
        gpt_node("dt", "d", "tool", text("Successfully created text document"), weight=0),
        gpt_node("f", "dt", "assistant", text("There it is."), create_time=T0 + 12),
    ],
    "f",
    is_archived=True,
)
VOICE = chatgpt(
    [
        gpt_node(
            "q",
            None,
            "user",
            {
                "content_type": "multimodal_text",
                "parts": [
                    {
                        "content_type": "audio_transcription",
                        "text": "Say it aloud.",
                        "direction": "in",
                        "decoding_id": None,
                    },
                    {
                        "content_type": "real_time_user_audio_video_asset_pointer",
                        "audio_asset_pointer": {"content_type": "audio_asset_pointer"},
                    },
                ],
            },
        ),
        gpt_node("x", "q", "assistant", {"content_type": "text", "parts": None}),
        gpt_node("y", "x", "assistant", {"content_type": "system_error", "text": "oh"}),
    ],
    None,
    title=None,
    create_time=None,
    update_time=None,
    conversation_id="voice",
)

OPEN_WEBUI = {
    "id": "w1",
    "user_id": "u",
    "title": "Sea",
    "created_at": 1_700_000_000,
    "updated_at": 1_700_000_100,
    "share_id": None,
    "archived": True,
    "pinned": True,
    "meta": {"tags": ["science"]},
    "folder_id": None,
    "chat": {
        "id": "",
        "title": "Sea",
        "models": ["llama3.2:1b"],
        "params": {"system": "Be kind.", "temperature": 0.2},
        "tags": [],
        "timestamp": 1_700_000_000_000,
        "files": [],
        "history": {
            "currentId": "3",
            "messages": {
                "1": {
                    "id": "1",
                    "parentId": None,
                    "childrenIds": ["2", "3"],
                    "role": "user",
                    "content": "Salty?",
                    "files": [
                        {"type": "image", "url": "data:image/png;base64,AAAA"},
                        {"type": "file", "name": "sea.pdf", "file": {}},
                    ],
                    "timestamp": 1_700_000_001,
                    "models": ["llama3.2:1b"],
                },
                "2": {
                    "id": "2",
                    "parentId": "1",
                    "childrenIds": [],
                    "role": "assistant",
                    "content": "",
                    "error": {"content": "model not found"},
                    "done": True,
                    "model": "llama3.2:1b",
                },
                "3": {
                    "id": "3",
                    "parentId": "1",
                    "childrenIds": [],
                    "role": "assistant",
                    "content": '<details type="reasoning" done="true" duration="2">\n'
                    "<summary>Thought for 2 seconds</summary>\n> Is a &lt; b?\n> Yes.\n</details>\n"
                    '<details type="tool_calls" done="true" id="1" name="f" result="&quot;">\n'
                    "<summary>Tool Executed</summary>\n</details>\nRivers.",
                    "model": "llama3.2:1b",
                    "modelName": "Llama",
                    "timestamp": 1_700_000_002,
                    "usage": {"total_tokens": 9},
                    "statusHistory": [],
                },
            },
        },
        "messages": [{"role": "user", "content": "Salty?"}],
    },
}
OPEN_WEBUI_OLD = {
    "id": "w0",
    "title": "Old",
    "chat": {
        "title": "Old",
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Hello"}]},
            {"role": "assistant", "content": None},
            {"role": "assistant", "content": "Hi"},
        ],
        "timestamp": 1_690_000_000_000,
    },
    "timestamp": 1_690_000_000,
}

LM_STUDIO = {
    "name": "Hills",
    "pinned": True,
    "createdAt": 1_700_000_000_000,
    "preset": "",
    "tokenCount": 12,
    "userLastMessagedAt": 1_700_000_050_000,
    "assistantLastMessagedAt": 1_700_000_060_000,
    "systemPrompt": "",
    "perChatPredictionConfig": {
        "fields": [{"key": "llm.prediction.systemPrompt", "value": "Be brief."}]
    },
    "lastUsedModel": {"identifier": "test-model-7b"},
    "messages": [
        {
            "versions": [
                {
                    "type": "singleStep",
                    "role": "user",
                    "content": [
                        {"type": "text", "text": "High?"},
                        {"type": "file", "fileType": "image", "name": "hill.png"},
                        {"type": "file", "fileType": "text/plain", "name": "hill.txt"},
                    ],
                }
            ],
            "currentlySelected": 0,
        },
        {
            "versions": [
                {
                    "type": "multiStep",
                    "role": "assistant",
                    "senderInfo": {"senderName": "test-model-7b"},
                    "steps": [
                        {
                            "type": "contentBlock",
                            "style": {"type": "thinking", "ended": True, "title": "Thought"},
                            "prefix": "<think>",
                            "suffix": "</think>",
                            "content": [{"type": "text", "text": "\nHow high?\n"}],
                        },
                        {
                            "type": "contentBlock",
                            "genInfo": {"identifier": "x", "stats": {"tokensPerSecond": 1.0}},
                            "content": [
                                {"type": "text", "text": "No.", "isStructural": False},
                                {"type": "toolCallRequest", "name": "f", "parameters": {}},
                            ],
                        },
                        {"type": "toolStatus", "statusState": {}},
                        {"type": "contentBlock", "content": [{"type": "toolCallResult"}]},
                        {
                            "type": "contentBlock",
                            "content": [{"type": "text", "text": "Not at all."}],
                        },
                        {"type": "debugInfoBlock", "debugInfo": "x"},
                    ],
                },
                {
                    "type": "multiStep",
                    "role": "assistant",
                    "steps": [
                        {
                            "type": "contentBlock",
                            "genInfo": {"identifier": "other-model"},
                            "content": [{"type": "text", "text": "Yes."}],
                        }
                    ],
                },
            ],
            "currentlySelected": 1,
        },
        {
            "versions": [
                {"type": "singleStep", "role": "user", "content": [{"type": "text", "text": "So?"}]}
            ],
            "currentlySelected": 7,
        },
    ],
}

SHAREGPT = {
    "id": "s1_0",
    "conversations": [
        {"from": "system", "value": "Be kind."},
        {"from": "human", "value": "Hello\nthere"},
        {"from": "gpt", "value": "Hi"},
        {"from": "function_call", "value": "{}"},
        {"from": "observation", "value": "3"},
        {"from": "gpt", "value": "It is 3."},
        {"from": "human", "value": None},
    ],
}
MESSAGES = {
    "messages": [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": [{"type": "text", "text": "Hello"}]},
        {"role": "assistant", "content": "Hi"},
    ]
}
