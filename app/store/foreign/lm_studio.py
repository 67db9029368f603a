"""LM Studio: one `*.conversation.json` for each conversation.

Each message has `versions`, one of which is `currentlySelected`. A version of the person has
`content`; one of the model has `steps`, of which those of type contentBlock have `content`.
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
    objects,
    part_of,
    text_or_none,
)

_SYSTEM_PROMPT = "llm.prediction.systemPrompt"


def read(item: Mapping[str, object], where: str) -> Chat:
    """One conversation."""
    nodes: list[Node] = []
    shown: str | None = None
    said = item.get("messages")
    for index, value in enumerate(said if isinstance(said, list) else []):
        message = mapping(value, f"{where}.messages[{index}]")
        versions = message.get("versions")
        if not isinstance(versions, list) or not versions:
            raise UnknownShapeError(f"{where}.messages[{index}].versions")
        parent = shown
        selected = message.get("currentlySelected")
        for number, version in enumerate(versions):
            node = _node(
                f"{index}/{number}",
                parent,
                mapping(version, f"{where}.messages[{index}].versions[{number}]"),
            )
            nodes.append(node)
            if number == 0 or number == selected:
                shown = node.key
    created = item.get("createdAt")
    return build(
        Source(
            name=f"lm studio {created}" if isinstance(created, int) else None,
            title=text_or_none(item.get("name")),
            nodes=nodes,
            leaf=shown,
            created_ms=ms(created),
            changed_ms=max(
                filter(None, map(ms, (item.get(f"{who}LastMessagedAt") for who in _SPEAKERS))),
                default=None,
            ),
            pinned=item.get("pinned") is True,
            system_prompt=_system_prompt(item),
        )
    )


_SPEAKERS = ("user", "assistant")


def _node(key: str, parent: str | None, version: Mapping[str, object]) -> Node:
    texts = [joined_text(version.get("content"))]
    thoughts: list[str] = []
    model = text_or_none(part_of(version, "senderInfo", "senderName"))
    for step in objects(version.get("steps")):
        if step.get("type") != "contentBlock":
            continue
        model = model or text_or_none(part_of(step, "genInfo", "identifier"))
        text = joined_text(step.get("content"))
        is_thought = part_of(step, "style", "type") == "thinking"
        (thoughts if is_thought else texts).append(text.strip() if is_thought else text)
    return Node(
        key=key,
        parent=parent,
        role=str(version.get("role")),
        text="\n\n".join(text for text in texts if text.strip()),
        thoughts=[thought for thought in thoughts if thought],
        model=model,
    )


def _system_prompt(item: Mapping[str, object]) -> str:
    given = text_or_none(item.get("systemPrompt"))
    if given:
        return given
    for setting in objects(part_of(item, "perChatPredictionConfig", "fields")):
        if setting.get("key") == _SYSTEM_PROMPT:
            return text_or_none(setting.get("value")) or ""
    return ""
