"""Open WebUI: the export of one chat or of all is a list of rows of its table of chats.

`chat.history.messages` is a tree, as `parentId` has it. Very old chats have `chat.messages` alone.
What a model thought and what tools said stand in the text, as `<details>`.
"""

import re
from collections.abc import Mapping
from html import unescape
from itertools import pairwise

from app.store.foreign.build import (
    Chat,
    Node,
    Source,
    build,
    joined_text,
    mapping,
    ms,
    objects,
    part_of,
    text_or_none,
)
from app.text import whole_text

# Bounded, so that no text makes the search slow: tags as Open WebUI writes them are short.
_DETAILS = re.compile(r"<details\b[^<>]{0,4096}>")
_TYPE = re.compile(r'\btype="([a-z_]+)"')
_END = "</details>"
_SPACE = re.compile(r"\s*")
_QUOTE = re.compile(r"^> ?", re.MULTILINE)


def read(item: Mapping[str, object], where: str) -> Chat:
    """One chat."""
    chat = mapping(item.get("chat"), f"{where}.chat")
    history = chat.get("history")
    messages = part_of(history, "messages")
    leaf = text_or_none(part_of(history, "currentId"))
    if isinstance(messages, dict) and messages:
        nodes = [
            _node(whole_text(key), mapping(value, f"{where}.chat.history.messages.{key}"))
            for key, value in messages.items()
        ]
    else:
        listed = chat.get("messages")
        mapping(history if listed is None else {}, f"{where}.chat.history")
        nodes = [_node(str(at), message) for at, message in enumerate(objects(listed))]
        for before, node in pairwise(nodes):
            node.parent = before.key
        leaf = nodes[-1].key if nodes else None
    return build(
        Source(
            name=text_or_none(item.get("id")),
            title=text_or_none(item.get("title")) or text_or_none(chat.get("title")),
            nodes=nodes,
            leaf=leaf,
            created_ms=ms(item.get("created_at")) or ms(chat.get("timestamp")),
            changed_ms=ms(item.get("updated_at")),
            pinned=item.get("pinned") is True,
            archived=item.get("archived") is True,
            system_prompt=text_or_none(part_of(chat, "params", "system"))
            or text_or_none(chat.get("system"))
            or "",
        )
    )


def _node(key: str, message: Mapping[str, object]) -> Node:
    text, thoughts = _apart(joined_text(message.get("content")))
    marks = [_file_mark(file) for file in objects(message.get("files"))]
    return Node(
        key=key,
        parent=text_or_none(message.get("parentId")),
        role=str(message.get("role")),
        text="\n".join(part for part in (*marks, text) if part),
        thoughts=thoughts,
        created_ms=ms(message.get("timestamp")),
        model=text_or_none(message.get("model")),
    )


def _file_mark(file: Mapping[str, object]) -> str:
    if file.get("type") == "image":
        return "[image]"
    name = text_or_none(file.get("name"))
    return f"[file: {name}]" if name else "[file]"


def _apart(text: str) -> tuple[str, list[str]]:
    """The text without its details, and the thoughts that were in them."""
    thoughts: list[str] = []
    rest: list[str] = []
    place = 0
    while (tag := _DETAILS.search(text, place)) and (end := text.find(_END, tag.end())) >= 0:
        kind = _TYPE.search(tag[0])
        name = "" if kind is None else kind[1]
        after = end + len(_END)
        if name == "reasoning":
            inside = _without_summary(text[tag.end() : end])
            thoughts.append(_QUOTE.sub("", unescape(inside)).strip())
        is_left_out = name in ("reasoning", "tool_calls", "code_interpreter")
        rest.append(text[place : tag.start() if is_left_out else after])
        place = after
        if is_left_out and (space := _SPACE.match(text, after)):
            place = space.end()
    rest.append(text[place:])
    return "".join(rest), [thought for thought in thoughts if thought]


def _without_summary(text: str) -> str:
    """What is folded, without the line that stands for it."""
    begin = text.find("<summary>")
    end = text.find("</summary>", begin)
    if begin < 0 or end < 0:
        return text
    return f"{text[:begin].rstrip()}{text[end + len('</summary>') :].lstrip()}"
