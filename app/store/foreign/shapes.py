"""Which application a conversation of an export comes from."""

from collections.abc import Mapping

from app.store.foreign import chatgpt, lm_studio, open_webui, sharegpt
from app.store.foreign.build import Chat, UnknownShapeError


def read_foreign(item: object, where: str) -> Chat:
    """One conversation of an export, which stands at `where` in it.

    The same conversation gets the same ids each time, so that a second import finds it there.

    Raises:
        UnknownShapeError: It is of no application that is known.
    """
    if isinstance(item, dict):
        if isinstance(item.get("mapping"), dict):
            return chatgpt.read(item, where)
        if isinstance(item.get("chat"), dict):
            return open_webui.read(item, where)
        if _has_versions(item):
            return lm_studio.read(item, where)
        if any(isinstance(item.get(name), list) for name in sharegpt.LISTS):
            return sharegpt.read(item, where)
    raise UnknownShapeError(where)


def _has_versions(item: Mapping[str, object]) -> bool:
    messages = item.get("messages")
    if not isinstance(messages, list):
        return False
    first = messages[0] if messages else None
    return (isinstance(first, dict) and "versions" in first) or "lastUsedModel" in item
