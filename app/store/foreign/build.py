"""A conversation of records, from the messages of whatever application."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from app.chat_settings import ChatSettings, to_json
from app.store.records import ChatRecord, MessageRecord
from app.store.stable_id import id_of
from app.text import cut, whole_text
from app.transcript import MOST_TITLE_CHARACTERS, now_ms, title_of

ROLES = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "gpt": "assistant",
    "chatgpt": "assistant",
    "model": "assistant",
    "bing": "assistant",
    "bard": "assistant",
}
_LATEST_MS = 1 << 46

Chat = tuple[ChatRecord, tuple[MessageRecord, ...]]


class UnknownShapeError(Exception):
    """The document is no export that is known, or is one and damaged; the message says where."""


@dataclass(slots=True, kw_only=True)
class Node:
    """A message of any application. One without text is left out.

    Attributes:
        key: Unique in its conversation, without lone surrogates.
        parent: Key of the message before; None, or one that is not there, for the first.
        role: Of any application's words; others than those of `ROLES` are left out.
        text: What was said.
        thoughts: What the model thought before.
        created_ms: Unix time in milliseconds.
        model: What answered.
    """

    key: str
    parent: str | None
    role: str
    text: str
    thoughts: list[str] = field(default_factory=list)
    created_ms: int | None = None
    model: str | None = None

    @property
    def whole(self) -> str:
        """What is kept: the thoughts in marks, and the text."""
        thoughts = "\n\n".join(self.thoughts)
        if not thoughts:
            return self.text
        # A mark within would end the thoughts before their end.
        thoughts = thoughts.replace("</think>", "")
        return f"<think>\n{thoughts}\n</think>\n\n{self.text}"


@dataclass(slots=True, kw_only=True)
class Source:
    """A conversation as another application has it.

    Attributes:
        name: Its id there; None where it has none.
        title: Its title; its first words are taken where it has none.
        nodes: All messages.
        leaf: Key of the last message of the branch that is shown.
        created_ms: Unix time in milliseconds.
        changed_ms: Unix time in milliseconds.
        pinned: Whether it stays on top.
        archived: Whether it is out of the way.
        system_prompt: What the model was told before all messages.
    """

    name: str | None
    title: str | None
    nodes: list[Node]
    leaf: str | None
    created_ms: int | None = None
    changed_ms: int | None = None
    pinned: bool = False
    archived: bool = False
    system_prompt: str = ""


def build(source: Source) -> Chat:
    """The records of a conversation: the same each time, parents before those that follow them.

    Raises:
        UnknownShapeError: Messages follow each other in a circle.
    """
    by_key = {node.key: node for node in source.nodes}
    taken = [
        node for node in source.nodes if node.role in ROLES and (node.text.strip() or node.thoughts)
    ]
    parents, joined = _parents(taken, by_key)
    taken = [node for node in taken if node.key not in joined]
    seed = source.name or repr([(node.key, node.role, node.text) for node in taken])
    chat_id = id_of(f"oscillama import {whole_text(seed)}")

    @cache
    def identity(key: str) -> str:
        return id_of(f"{chat_id} {key}")

    times = list(_times(taken))
    began = _first(source.created_ms, min(times, default=None), now_ms())
    messages = []
    for node in _parents_first(taken, parents):
        parent = parents[node.key]
        role = ROLES[node.role]
        messages.append(
            MessageRecord(
                message_id=identity(node.key),
                parent_id=identity(parent) if parent is not None else None,
                role=role,
                text=whole_text(node.whole if role == "assistant" else node.text),
                created_ms=_first(node.created_ms, began),
                phase="done" if role == "assistant" else None,
                model=node.model if role == "assistant" else None,
            )
        )
    leaf = _nearest(by_key, {node.key for node in taken} | set(joined))(source.leaf)
    leaf = joined.get(leaf or "", leaf)
    first = next((node.text for node in taken if ROLES[node.role] == "user"), "")
    title = cut(" ".join(whole_text(source.title or "").split()), MOST_TITLE_CHARACTERS)
    record = ChatRecord(
        chat_id=chat_id,
        title=title or title_of(whole_text(first)),
        created_ms=began,
        changed_ms=_first(source.changed_ms, max([began, *times])),
        pinned=source.pinned,
        archived=source.archived,
        leaf_id=identity(leaf) if leaf is not None else None,
        settings=_settings(source.system_prompt),
    )
    return record, tuple(messages)


def mapping(value: object, where: str) -> dict[str, object]:
    """`value` if it is an object; else UnknownShapeError."""
    if not isinstance(value, dict):
        raise UnknownShapeError(where)
    return value


def part_of(value: object, *names: str) -> object:
    """What stands under `names` in objects within objects; None where there is no such thing."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def objects(value: object) -> list[dict[str, object]]:
    """The objects of a list; none where it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_or_none(value: object) -> str | None:
    """A text that can be written; None for what is none."""
    return whole_text(value) if isinstance(value, str) else None


def ms(value: object) -> int | None:
    """Milliseconds of a Unix time in seconds or, where it is that large, in milliseconds."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < _LATEST_MS:
        return None
    return int(value if value > 1e11 else value * 1000)


def joined_text(parts: object) -> str:
    """The text of parts: strings, objects with a text, and a word for pictures and files."""
    if not isinstance(parts, list):
        return parts if isinstance(parts, str) else ""
    texts = [_part_text(part) for part in parts]
    return "\n".join(text for text in texts if text)


def fenced(text: str, language: str) -> str:
    """Code as Markdown has it, whatever it contains."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text}\n{fence}"


def _part_text(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    text = part.get("text")
    if isinstance(text, str):
        return text
    kind = f"{part.get('content_type') or part.get('type')} {part.get('fileType') or ''}"
    name = text_or_none(part.get("name"))
    if "image" in kind:
        return "[image]"
    if kind.startswith("file"):
        return f"[file: {name}]" if name else "[file]"
    return ""


def _first(*values: int | None) -> int:
    return next((value for value in values if value is not None), 0)


def _settings(system_prompt: str) -> str | None:
    if not system_prompt.strip():
        return None
    settings = ChatSettings(system_prompt=whole_text(system_prompt).strip())
    return json.dumps(to_json(settings), ensure_ascii=False)


def _parents(
    taken: Sequence[Node], by_key: Mapping[str, Node]
) -> tuple[dict[str, str | None], dict[str, str]]:
    """The message before each that is taken, and which were joined to which.

    An answer that alone follows an answer goes on with it: between them a tool was called.
    """
    nearest = _nearest(by_key, {node.key for node in taken})
    above = {node.key: nearest(node.parent) for node in taken}
    parents = dict(above)
    n_children: dict[str | None, int] = {}
    for parent in parents.values():
        n_children[parent] = n_children.get(parent, 0) + 1
    joined: dict[str, str] = {}
    going_on: dict[str, list[Node]] = {}
    for node in _parents_first(taken, parents):
        parent = parents[node.key]
        if parent is not None:
            parent = parents[node.key] = joined.get(parent, parent)
        before = by_key[parent] if parent is not None else None
        if before is None or not _goes_on(before, node) or n_children[above[node.key]] > 1:
            continue
        joined[node.key] = before.key
        going_on.setdefault(before.key, [before]).append(node)
    for nodes in going_on.values():
        _join(nodes)
    return {key: parent for key, parent in parents.items() if key not in joined}, joined


def _join(nodes: Sequence[Node]) -> None:
    """Have the first say what all of them say."""
    first = nodes[0]
    first.text = "\n\n".join(node.text for node in nodes if node.text.strip())
    first.thoughts = [thought for node in nodes for thought in node.thoughts]
    first.model = next((node.model for node in nodes if node.model), first.model)


def _goes_on(before: Node, node: Node) -> bool:
    return ROLES[before.role] == ROLES[node.role] == "assistant"


def _nearest(by_key: Mapping[str, Node], keys: set[str]) -> Callable[[str | None], str | None]:
    """Finds the node itself or the next one above it that is in `keys`; None where there is none.

    What was found once is remembered, so that all together take no longer than there are nodes.
    """
    known: dict[str, str | None] = {}

    def nearest(key: str | None) -> str | None:
        passed: dict[str, None] = {}
        while key is not None and key not in keys and key not in known:
            if key in passed:
                raise UnknownShapeError(key)
            passed[key] = None
            key = by_key[key].parent if key in by_key else None
        found = known[key] if key is not None and key in known else key
        known.update(dict.fromkeys(passed, found))
        return found

    return nearest


def _parents_first(taken: Sequence[Node], parents: Mapping[str, str | None]) -> list[Node]:
    children: dict[str | None, list[Node]] = {}
    for node in taken:
        children.setdefault(parents[node.key], []).append(node)
    ordered: list[Node] = []
    waiting = children.get(None, [])[::-1]
    while waiting:
        node = waiting.pop()
        ordered.append(node)
        waiting += children.get(node.key, [])[::-1]
    if len(ordered) != len(taken):
        raise UnknownShapeError("parent")
    return ordered


def _times(nodes: Iterable[Node]) -> Iterator[int]:
    return (node.created_ms for node in nodes if node.created_ms is not None)
