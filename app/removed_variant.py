"""The variant of a turn that was deleted last, which can be brought back."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from app.store.jobs import save_turns
from app.transcript import Conversation, Turn

if TYPE_CHECKING:
    from app.store.orders import Job


class RemovedVariant:
    """Takes a variant and what follows it away, and brings it back. Main thread only.

    That can be done until the next one is deleted.
    """

    def __init__(
        self,
        write_chat: Callable[[Conversation], None],
        write: Callable[[str, "Job"], None],
    ) -> None:
        """Write with these what changes."""
        self._write_chat = write_chat
        self._write = write
        self._removed: tuple[Conversation, list[tuple[int, Turn]]] | None = None

    def delete(self, chat: Conversation, turn: Turn) -> None:
        """Take a variant and what follows it away; `undo` brings it back."""
        self.finish()
        self._removed = (chat, chat.remove_variant(turn))
        self._write_chat(chat)

    def undo(self) -> Conversation | None:
        """Bring back the variant deleted last; returns its chat."""
        removed, self._removed = self._removed, None
        if removed is None:
            return None
        chat, turns = removed
        chat.restore(turns)
        self._write_chat(chat)
        # They are there still, unless the database was moved aside meanwhile.
        back = tuple(turn for _, turn in turns)
        self._write(f"again {back[0].turn_id}", partial(save_turns, chat.chat_id, back))
        return chat

    def finish(self) -> None:
        """Delete for good the variant that could still be brought back."""
        removed, self._removed = self._removed, None
        if removed is not None:
            ids = tuple(turn.turn_id for _, turn in removed[1])
            self._write(f"without {ids[0]}", lambda database: database.delete_messages(ids))
