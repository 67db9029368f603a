"""Attaches files to what is typed: has them read, and says which could not be."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app import sentences_attachments as sentences
from app.attachments import MOST_FILES, MOST_TOTAL_BYTES, Attachment, fit_name, named_apart
from app.file_text import FileProblemError
from app.library import ChatLibrary
from app.transcript import Conversation
from ui.attachment_bar import AttachmentBar
from ui.message_area import MessageArea

if TYPE_CHECKING:
    from app.attachment_reader import AttachmentReader


@dataclass(frozen=True, slots=True)
class _Job:
    chat: Conversation
    path: str
    name: str


class Attaching(QObject):
    """Owns the files of every draft. A file goes to the chat that was shown when it was chosen.

    Args:
        library: Keeps drafts.
        bar: Shows the files of the chat that is shown.
        messages: Says what could not be attached.
        parent: Owner.
    """

    def __init__(
        self, library: ChatLibrary, bar: AttachmentBar, messages: MessageArea, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._library = library
        self._bar = bar
        self._messages = messages
        self._chat: Conversation | None = None
        self._jobs: dict[int, _Job] = {}
        self._refused: list[tuple[str, FileProblemError]] = []
        self._reader: AttachmentReader | None = None
        bar.changed.connect(self._keep)
        bar.reading_cancelled.connect(self._cancel)

    def show_chat(self, chat: Conversation) -> None:
        """Show the files of another chat."""
        if chat is self._chat:
            return
        self._chat = None
        self._bar.set_attachments(chat.draft_attachments)
        for number, job in self._jobs.items():
            if job.chat is chat:
                self._bar.add_reading(number, job.name)
        self._chat = chat
        # The application ended while they were read.
        self.attach(chat.draft_paths)

    def attach(self, paths: Sequence[str]) -> None:
        """Read files and attach them."""
        chat = self._chat
        if chat is None:
            return
        if not self._jobs:
            self._refused = []
        for path in paths:
            if any(job.path == path and job.chat is chat for job in self._jobs.values()):
                continue
            if len(self._bar.chips) >= MOST_FILES:
                self._messages.raise_message(sentences.too_many_files())
                break
            name = fit_name(Path(path).name or path)
            number = self._made_reader().begin(path)
            self._jobs[number] = _Job(chat, path, name)
            self._bar.add_reading(number, name)
        self._keep_reading(chat)

    def close(self) -> None:
        """End what still reads; the next start reads it again."""
        self._jobs.clear()
        if self._reader is not None:
            self._reader.close()

    def _made_reader(self) -> "AttachmentReader":
        """What reads files; made for the first one."""
        if self._reader is None:
            from app.attachment_reader import AttachmentReader

            self._reader = AttachmentReader(self)
            self._reader.progressed.connect(self._bar.show_progress)
            self._reader.read.connect(self._on_read)
            self._reader.failed.connect(self._on_failed)
        return self._reader

    def _on_read(self, number: int, attachment: Attachment) -> None:
        job = self._jobs.pop(number)
        others = job.chat.draft_attachments
        taken = self._taken(attachment, others)
        if job.chat is self._chat:
            self._bar.finish_reading(number, taken)
        elif taken is not None and job.chat in self._library.chats:
            self._library.set_draft_attachments(job.chat, (*others, taken))
        self._keep_reading(job.chat)

    def _taken(self, attachment: Attachment, others: Sequence[Attachment]) -> Attachment | None:
        """The file as it is attached; None where it is not, which a message says."""
        if any(attachment.text == other.text and attachment.name == other.name for other in others):
            self._messages.raise_message(sentences.attached_already(attachment.name))
            return None
        if sum(len(each.text.encode()) for each in (*others, attachment)) > MOST_TOTAL_BYTES:
            self._messages.raise_message(sentences.too_much_together(attachment.name))
            return None
        return named_apart(attachment, others)

    def _on_failed(self, number: int, error: FileProblemError) -> None:
        job = self._jobs.pop(number)
        if job.chat is self._chat:
            self._bar.finish_reading(number, None)
        self._keep_reading(job.chat)
        self._refused.append((job.name, error))
        self._messages.raise_message(sentences.not_attached(self._refused))

    def _cancel(self, number: int) -> None:
        job = self._jobs.pop(number, None)
        self._made_reader().cancel(number)
        if job is not None:
            self._keep_reading(job.chat)

    def _keep_reading(self, chat: Conversation) -> None:
        paths = [job.path for job in self._jobs.values() if job.chat is chat]
        self._library.unread_files.set(chat, paths)

    def _keep(self) -> None:
        if self._chat is not None:
            self._library.set_draft_attachments(self._chat, self._bar.attachments)
