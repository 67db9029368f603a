"""Exports of other applications: ChatGPT, Open WebUI, LM Studio and ShareGPT.

Each is recognised by its own shape. Only what people and models said is taken: messages of the
system, of tools and without text are left out, and what followed them follows what was before.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from uuid import NAMESPACE_URL, uuid5

from app.store.codec import whole_text
from app.store.records import ChatRecord, MessageRecord
from app.transcript import now_ms, title_of

_ROLES = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "gpt": "assistant",
    "chatgpt": "assistant",
    "bing": "assistant",
    "bard": "assistant",
}

Chat = tuple[ChatRecord, tuple[MessageRecord, ...]]


class UnknownShapeError(Exception):
    """The document is none of these, or is one and damaged; the message says where."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Node:
    """A message of any application, before what is not taken is left out."""

    key: str
    parent: str | None
    role: str
    text: str
    created_ms: int | None = None
    model: str | None = None


def read_foreign(document: object) -> list[Chat]:
    """The chats of an export; an object that has one chat counts as a list of one.

    The same chat gets the same ids each time, so that a second import finds it there.

    Raises:
        UnknownShapeError: It is no export that is known.
    """
    items = document if isinstance(document, list) else [document]
    if not items:
        raise UnknownShapeError("[]")
    chats = [_chat(item, f"[{index}]") for index, item in enumerate(items)]
    return [(chat, messages) for chat, messages in chats if messages]


def _chat(item: object, where: str) -> Chat:
    if isinstance(item, dict):
        if isinstance(item.get("mapping"), dict):
            return _chatgpt(item, where)
        if isinstance(item.get("chat"), dict):
            return _open_webui(item, where)
        if isinstance(item.get("conversations"), list):
            return _sharegpt(item, where)
        if isinstance(item.get("messages"), list):
            return _lm_studio(item, where)
    raise UnknownShapeError(where)


def _chatgpt(item: Mapping[str, object], where: str) -> Chat:
    nodes = []
    for key, value in _mapping(item.get("mapping"), where).items():
        node = _mapping(value, f"{where}.mapping.{key}")
        message = node.get("message")
        said = message if isinstance(message, dict) else {}
        author, content = said.get("author"), said.get("content")
        parts = content.get("parts") if isinstance(content, dict) else None
        metadata = said.get("metadata")
        nodes.append(
            _Node(
                key=key,
                parent=_text_or_none(node.get("parent")),
                role=str(author.get("role")) if isinstance(author, dict) else "",
                text=_joined(parts),
                created_ms=_ms(said.get("create_time")),
                model=_text_or_none(metadata.get("model_slug"))
                if isinstance(metadata, dict)
                else None,
            )
        )
    return _built(
        nodes,
        name=_text_or_none(item.get("conversation_id")) or _text_or_none(item.get("id")),
        title=item.get("title"),
        created=_ms(item.get("create_time")),
        changed=_ms(item.get("update_time")),
        leaf=_text_or_none(item.get("current_node")),
    )


def _open_webui(item: Mapping[str, object], where: str) -> Chat:
    chat = _mapping(item.get("chat"), f"{where}.chat")
    history = _mapping(chat.get("history"), f"{where}.chat.history")
    nodes = []
    messages = _mapping(history.get("messages"), f"{where}.chat.history.messages")
    for key, value in messages.items():
        message = _mapping(value, f"{where}.chat.history.messages.{key}")
        nodes.append(
            _Node(
                key=key,
                parent=_text_or_none(message.get("parentId")),
                role=str(message.get("role")),
                text=_text_or_none(message.get("content")) or "",
                created_ms=_ms(message.get("timestamp")),
                model=_text_or_none(message.get("model")),
            )
        )
    return _built(
        nodes,
        name=_text_or_none(item.get("id")),
        title=item.get("title") or chat.get("title"),
        created=_ms(item.get("created_at")),
        changed=_ms(item.get("updated_at")),
        leaf=_text_or_none(history.get("currentId")),
    )


def _sharegpt(item: Mapping[str, object], where: str) -> Chat:
    said = item.get("conversations")
    nodes: list[_Node] = []
    for index, value in enumerate(said if isinstance(said, list) else []):
        message = _mapping(value, f"{where}.conversations[{index}]")
        if "from" not in message:
            raise UnknownShapeError(f"{where}.conversations[{index}].from")
        nodes.append(
            _Node(
                key=str(index),
                parent=str(index - 1) if index else None,
                role=str(message.get("from")),
                text=_text_or_none(message.get("value")) or "",
            )
        )
    leaf = nodes[-1].key if nodes else None
    return _built(nodes, name=_text_or_none(item.get("id")), title=item.get("title"), leaf=leaf)


def _lm_studio(item: Mapping[str, object], where: str) -> Chat:
    nodes: list[_Node] = []
    shown: str | None = None
    said = item.get("messages")
    for index, value in enumerate(said if isinstance(said, list) else []):
        message = _mapping(value, f"{where}.messages[{index}]")
        versions = message.get("versions")
        if not isinstance(versions, list) or not versions:
            raise UnknownShapeError(f"{where}.messages[{index}].versions")
        parent = shown
        selected = message.get("currentlySelected")
        for number, value_ in enumerate(versions):
            version = _mapping(value_, f"{where}.messages[{index}].versions[{number}]")
            key = f"{index}/{number}"
            nodes.append(
                _Node(
                    key=key,
                    parent=parent,
                    role=str(version.get("role")),
                    text=_lm_studio_text(version),
                )
            )
            if number == 0 or number == selected:
                shown = key
    return _built(
        nodes,
        name=None,
        title=item.get("name"),
        created=_ms(item.get("createdAt")),
        changed=_ms(item.get("userLastMessagedAt")),
        leaf=shown,
    )


def _lm_studio_text(version: Mapping[str, object]) -> str:
    steps = version.get("steps")
    blocks = [step for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []
    contents = [block.get("content") for block in blocks if block.get("type") == "contentBlock"]
    return "".join(_joined(content) for content in [version.get("content"), *contents])


def _built(
    nodes: list[_Node],
    *,
    name: str | None,
    title: object,
    created: int | None = None,
    changed: int | None = None,
    leaf: str | None = None,
) -> Chat:
    """A chat of what is taken of its nodes, parents before those that follow them."""
    by_key = {node.key: node for node in nodes}
    taken = [node for node in nodes if node.role in _ROLES and node.text.strip()]
    kept = {node.key for node in taken}
    seed = name or repr([(node.key, node.role, node.text) for node in taken])
    chat_id = uuid5(NAMESPACE_URL, f"oscillama import {seed}").hex

    def identity(key: str) -> str:
        return uuid5(NAMESPACE_URL, f"{chat_id} {key}").hex

    def nearest(key: str | None) -> str | None:
        """The node itself or the next one above it that is taken; None where there is none."""
        seen: set[str] = set()
        while key is not None and key not in kept:
            if key in seen:
                raise UnknownShapeError(key)
            seen.add(key)
            key = by_key[key].parent if key in by_key else None
        return key

    parents = {node.key: nearest(node.parent) for node in taken}
    began = created if created is not None else next(_times(taken), now_ms())
    messages = []
    for node in _parents_first(taken, parents):
        parent = parents[node.key]
        messages.append(
            MessageRecord(
                message_id=identity(node.key),
                parent_id=identity(parent) if parent is not None else None,
                role=_ROLES[node.role],
                text=whole_text(node.text),
                created_ms=node.created_ms if node.created_ms is not None else began,
                phase="done" if _ROLES[node.role] == "assistant" else None,
                model=node.model,
            )
        )
    shown = nearest(leaf)
    first = next((node.text for node in taken if _ROLES[node.role] == "user"), "")
    record = ChatRecord(
        chat_id=chat_id,
        title=" ".join(whole_text(title).split()) if isinstance(title, str) else title_of(first),
        created_ms=began,
        changed_ms=changed if changed is not None else max([began, *_times(taken)]),
        leaf_id=identity(shown) if shown is not None else None,
    )
    return record, tuple(messages)


def _parents_first(taken: list[_Node], parents: Mapping[str, str | None]) -> list[_Node]:
    children: dict[str | None, list[_Node]] = {}
    for node in taken:
        children.setdefault(parents[node.key], []).append(node)
    ordered: list[_Node] = []
    waiting = children.get(None, [])[::-1]
    while waiting:
        node = waiting.pop()
        ordered.append(node)
        waiting += children.get(node.key, [])[::-1]
    if len(ordered) != len(taken):
        raise UnknownShapeError("parent")
    return ordered


def _times(nodes: Iterable[_Node]) -> Iterator[int]:
    return (node.created_ms for node in nodes if node.created_ms is not None)


def _mapping(value: object, where: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise UnknownShapeError(where)
    return value


def _joined(parts: object) -> str:
    """The text of parts that are strings, or objects with a text."""
    if not isinstance(parts, list):
        return parts if isinstance(parts, str) else ""
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    return "".join(text for text in texts if isinstance(text, str))


def _text_or_none(value: object) -> str | None:
    return whole_text(value) if isinstance(value, str) else None


def _ms(value: object) -> int | None:
    """Milliseconds of a Unix time in seconds or, where it is that large, in milliseconds."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < 1e14:
        return None
    return int(value if value > 1e11 else value * 1000)
