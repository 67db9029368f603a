"""ShareGPT, and what data sets made of it: turns in order, with who said what.

Turns stand under `conversations` (or `items`, `conversation`, `messages`), as objects with `from`
and `value`, or with `role` and `content`.
"""

from collections.abc import Mapping

from app.store.foreign.build import (
    Chat,
    Node,
    Source,
    UnknownShapeError,
    build,
    joined_text,
    mapping,
    ms,
    text_or_none,
)

LISTS = ("conversations", "items", "conversation", "messages")


def read(item: Mapping[str, object], where: str) -> Chat:
    """One conversation."""
    name = next(name for name in LISTS if isinstance(item.get(name), list))
    said = item[name]
    nodes: list[Node] = []
    system_prompt = text_or_none(item.get("system")) or ""
    for index, value in enumerate(said if isinstance(said, list) else []):
        message = mapping(value, f"{where}.{name}[{index}]")
        role = message.get("from", message.get("role"))
        if not isinstance(role, str):
            raise UnknownShapeError(f"{where}.{name}[{index}].from")
        text = joined_text(message.get("value", message.get("content")))
        if role == "system":
            system_prompt = system_prompt or text
        nodes.append(
            Node(
                key=str(index),
                parent=str(index - 1) if index else None,
                role=role,
                text=text,
                model=text_or_none(item.get("model")),
            )
        )
    given = text_or_none(item.get("id"))
    # Data sets give parts of one conversation the same id.
    unique = f"{given} {[(node.role, node.text) for node in nodes]}" if given else None
    return build(
        Source(
            name=unique,
            title=text_or_none(item.get("title")),
            nodes=nodes,
            leaf=nodes[-1].key if nodes else None,
            created_ms=ms(item.get("create_time")),
            system_prompt=system_prompt,
        )
    )
