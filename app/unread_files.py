"""Files that are still being read for a draft, so that the next start reads them again."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from app.store.jobs import save_unread
from app.transcript import Conversation

if TYPE_CHECKING:
    from app.store.orders import Job


class UnreadFiles:
    """Keeps the paths of `Conversation.draft_paths`. Main thread only."""

    def __init__(
        self,
        chats: Callable[[], Sequence[Conversation]],
        keep_draft: Callable[[Conversation], None],
        write: Callable[[str, "Job"], None],
    ) -> None:
        """Be those of `chats`; a chat that changes is handed to `keep_draft`."""
        self._chats = chats
        self._keep_draft = keep_draft
        self._write = write

    def set(self, chat: Conversation, paths: Sequence[str]) -> None:
        """Have these files be read for a chat. One without anything else is kept for them, too."""
        if tuple(paths) == chat.draft_paths or chat not in self._chats():
            return
        chat.draft_paths = tuple(paths)
        unread = {each.chat_id: each.draft_paths for each in self._chats() if each.draft_paths}
        self._write("unread files", partial(save_unread, unread))
        self._keep_draft(chat)
