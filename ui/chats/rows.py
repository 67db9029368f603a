"""What stands in the list of conversations: folders, sections by age, or what a search found."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from app.store.records import FolderRecord, SearchHit
from app.transcript import Conversation

_WEEK = timedelta(days=7)


class Section(StrEnum):
    """A heading of the list, in the order they stand."""

    PINNED = "pinned"
    FOLDER = "folder"
    TODAY = "today"
    WEEK = "week"
    EARLIER = "earlier"
    ARCHIVED = "archived"
    FOUND = "found"


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A heading, or a chat, with the excerpt of a search.

    Attributes:
        section: The heading; None for a chat.
        folder: The folder whose heading it is.
        n_chats: How many chats are in that folder.
        chat: The chat; None for a heading.
        is_inside: Whether the chat stands in a folder.
        excerpt: Text around what was found.
        marks: What to stress in it: (first character, number of characters).
        message_id: The message that was found.
    """

    section: Section | None = None
    folder: FolderRecord | None = None
    n_chats: int = 0
    chat: Conversation | None = None
    is_inside: bool = False
    excerpt: str = ""
    marks: tuple[tuple[int, int], ...] = ()
    message_id: str | None = None

    def stands_for(self, other: "Row") -> bool:
        """Whether both are the same heading or the same chat that was found."""
        return (
            self.section is other.section
            and self.chat is other.chat
            and self.folder == other.folder
        )


Entry = Row | Conversation
"""A row; that of a chat with nothing but its title is made when it is painted."""


def sectioned(
    chats: Iterable[Conversation],
    folders: Sequence[FolderRecord],
    current: Conversation,
    today: date,
    *,
    with_archived: bool,
) -> list[Entry]:
    """Chats under their headings. An empty one is left out unless it is open.

    What is pinned stands on top and what is archived at the end, whatever folder it is in. Folders
    are shown without chats, too.
    """
    groups: dict[Section, list[Conversation]] = {section: [] for section in Section}
    members: dict[str, list[Conversation]] = {folder.name: [] for folder in folders}
    midnight_ms = _unix_ms(today)
    week_ms = _unix_ms(today - _WEEK)
    for chat in chats:
        if chat.is_empty and not chat.has_draft and chat is not current:
            continue
        if chat.folder in members and not chat.is_pinned and not chat.is_archived:
            members[chat.folder].append(chat)
        else:
            groups[_section(chat, midnight_ms, week_ms)].append(chat)
    if not with_archived:
        # What is open is never hidden.
        groups[Section.ARCHIVED] = [chat for chat in groups[Section.ARCHIVED] if chat is current]
    entries: list[Entry] = []
    for section, group in groups.items():
        if section is Section.FOLDER:
            for folder in folders:
                inside = members[folder.name]
                entries.append(Row(section=section, folder=folder, n_chats=len(inside)))
                if folder.collapsed:
                    inside = [chat for chat in inside if chat is current]
                entries += inside
        elif group:
            entries.append(Row(section=section))
            entries += group
    return entries


def found(hits: Sequence[SearchHit], chats: Iterable[Conversation]) -> list[Entry]:
    """What a search found, among the chats that are still there."""
    by_id = {chat.chat_id: chat for chat in chats}
    rows = [
        Row(
            chat=by_id[hit.chat_id],
            excerpt=hit.excerpt,
            marks=hit.marks,
            message_id=hit.message_id,
        )
        for hit in hits
        if hit.chat_id in by_id
    ]
    return [Row(section=Section.FOUND), *rows]


def _section(chat: Conversation, midnight_ms: float, week_ms: float) -> Section:
    if chat.is_archived:
        return Section.ARCHIVED
    if chat.is_pinned:
        return Section.PINNED
    if chat.changed_ms >= midnight_ms:
        return Section.TODAY
    return Section.WEEK if chat.changed_ms >= week_ms else Section.EARLIER


def _unix_ms(day: date) -> float:
    return datetime(day.year, day.month, day.day).astimezone().timestamp() * 1000
