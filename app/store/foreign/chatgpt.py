"""ChatGPT: `conversations.json`, or its shards `conversations-000.json`, ... of the ZIP export.

Each conversation has `mapping`, a tree of nodes. A node's message has an author (user, assistant,
system, tool), a recipient ("all", or the tool that is called), and content of some `content_type`.
"""

import re
from collections.abc import Mapping

from app.store.foreign.build import (
    Chat,
    Node,
    Source,
    build,
    fenced,
    joined_text,
    mapping,
    ms,
    objects,
    part_of,
    text_or_none,
)
from app.text import whole_text
from engine.foreign_json import json_value

# Where the page showed a source: marks of private use around it, or brackets with a dagger.
# Their length is bounded, so that no text makes the search slow.
_MARKED = re.compile("\ue200[^\ue201]*\ue201?|【[^】†\n]{0,200}†[^】\n]{0,200}】")
_CREATE, _UPDATE = "canmore.create_textdoc", "canmore.update_textdoc"


def read(item: Mapping[str, object], where: str) -> Chat:
    """One conversation."""
    default_model = text_or_none(item.get("default_model_slug"))
    nodes, system_prompt = [], ""
    for key, value in mapping(item.get("mapping"), f"{where}.mapping").items():
        node = mapping(value, f"{where}.mapping.{key}")
        message = node.get("message")
        said = message if isinstance(message, dict) else {}
        role = str(part_of(said, "author", "role"))
        text, thoughts = _said(said) if role in ("user", "assistant") else ("", [])
        system_prompt = system_prompt or _instructions(said)
        nodes.append(
            Node(
                key=whole_text(key),
                parent=text_or_none(node.get("parent")),
                role=role,
                text=text,
                thoughts=thoughts,
                created_ms=ms(said.get("create_time")),
                model=text_or_none(part_of(said, "metadata", "model_slug")) or default_model,
            )
        )
    return build(
        Source(
            name=text_or_none(item.get("conversation_id")) or text_or_none(item.get("id")),
            title=text_or_none(item.get("title")),
            nodes=nodes,
            leaf=text_or_none(item.get("current_node")),
            created_ms=ms(item.get("create_time")),
            changed_ms=ms(item.get("update_time")),
            pinned=item.get("is_starred") is True or item.get("pinned_time") is not None,
            archived=item.get("is_archived") is True,
            system_prompt=system_prompt,
        )
    )


def _said(message: Mapping[str, object]) -> tuple[str, list[str]]:
    """What the page showed of a message: text, and thoughts."""
    content, kind = message.get("content"), part_of(message, "content", "content_type")
    recipient = message.get("recipient") or "all"
    if part_of(message, "metadata", "is_visually_hidden_from_conversation") is True:
        return "", []
    if recipient in (_CREATE, _UPDATE):
        return _canvas(content), []
    if recipient != "all":
        return "", []
    if kind == "thoughts":
        thoughts = [_thought(one) for one in objects(part_of(content, "thoughts"))]
        return "", [thought for thought in thoughts if thought]
    if kind == "code":
        text = text_or_none(part_of(content, "text")) or ""
        language = str(part_of(content, "language") or "")
        return (fenced(text, "" if language == "unknown" else language), []) if text else ("", [])
    if kind in ("text", "multimodal_text", None):
        return _without_marks(joined_text(part_of(content, "parts")), message), []
    return "", []


def _thought(thought: Mapping[str, object]) -> str:
    summary, text = text_or_none(thought.get("summary")), text_or_none(thought.get("content"))
    return "\n\n".join(part for part in (f"**{summary}**" if summary else "", text) if part)


def _canvas(content: object) -> str:
    """A document beside the conversation: whole where it was written, else what replaced it."""
    source = text_or_none(part_of(content, "text")) or joined_text(part_of(content, "parts"))
    try:
        call = json_value(source)
    except ValueError:
        return ""
    text = text_or_none(part_of(call, "content"))
    for update in objects(part_of(call, "updates")):
        if update.get("pattern") == ".*":
            text = text_or_none(update.get("replacement"))
    if text is None:
        return ""
    name, kind = text_or_none(part_of(call, "name")), str(part_of(call, "type") or "")
    body = fenced(text, kind.removeprefix("code/")) if kind.startswith("code/") else text
    return f"**{name}**\n\n{body}" if name else body


def _without_marks(text: str, message: Mapping[str, object]) -> str:
    """The text with its sources as words, where the export has words for them."""
    for reference in objects(part_of(message, "metadata", "content_references")):
        marked, words = reference.get("matched_text"), reference.get("alt")
        if isinstance(marked, str) and marked.startswith("\ue200"):
            text = text.replace(marked, words if isinstance(words, str) else "")
    return _MARKED.sub("", text)


def _instructions(message: Mapping[str, object]) -> str:
    """The custom instructions, which are a hidden message of the person."""
    content = message.get("content")
    if part_of(content, "content_type") != "user_editable_context":
        return ""
    asked = part_of(message, "metadata", "user_context_message_data")
    texts = [
        text_or_none(part_of(asked, "about_user_message")),
        text_or_none(part_of(asked, "about_model_message")),
    ]
    if not any(texts):
        texts = [
            text_or_none(part_of(content, "user_profile")),
            text_or_none(part_of(content, "user_instructions")),
        ]
    return "\n\n".join(text.strip() for text in texts if text and text.strip())
