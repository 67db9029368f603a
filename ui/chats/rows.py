"""What stands in the list of conversations: folders, sections by age, or what a search found."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from app.store.records import FolderRecord, SearchHit
from app.transcript import Conversation

_WEEK = timedelta(days=7)
_MOST_KEPT_RATIO, _ALWAYS_KEPT = 2, 64


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
        """Whether both are the same heading or the same chat in the same place."""
        return (
            self.section is other.section
            and self.chat is other.chat
            and self.folder == other.folder
            and self.is_inside is other.is_inside
        )


class ChatRows:
    """Makes the rows of chats once: ten thousand of them take longer than a frame."""

    def __init__(self) -> None:
        """None are made yet."""
        self._rows: dict[int, Row] = {}

    def of(self, chat: Conversation, *, is_inside: bool = False) -> Row:
        """The row of a chat, inside a folder or not."""
        row = self._rows.get(id(chat))
        if row is None or row.chat is not chat or row.is_inside is not is_inside:
            row = Row(chat=chat, is_inside=is_inside)
            self._rows[id(chat)] = row
        return row

    def forget_others(self, rows: Sequence[Row]) -> None:
        """Keep no more than is shown, once most of what is kept is not."""
        if len(self._rows) > _MOST_KEPT_RATIO * len(rows) + _ALWAYS_KEPT:
            self._rows = {id(row.chat): row for row in rows if row.chat is not None}


def sectioned(
    chats: Iterable[Conversation],
    folders: Sequence[FolderRecord],
    current: Conversation,
    today: date,
    made: ChatRows,
    *,
    with_archived: bool,
) -> list[Row]:
    """Chats under their headings. An empty one is left out unless it is open.

    What is pinned stands on top and what is archived at the end, whatever folder it is in. Folders
    are shown without chats, too.
    """
    groups: dict[Section, list[Row]] = {section: [] for section in Section}
    members: dict[str, list[Row]] = {folder.name: [] for folder in folders}
    midnight_ms = _unix_ms(today)
    week_ms = _unix_ms(today - _WEEK)
    for chat in chats:
        if chat.is_empty and not chat.has_draft and chat is not current:
            continue
        if chat.folder in members and not chat.is_pinned and not chat.is_archived:
            members[chat.folder].append(made.of(chat, is_inside=True))
        else:
            groups[_section(chat, midnight_ms, week_ms)].append(made.of(chat))
    if not with_archived:
        # What is open is never hidden.
        groups[Section.ARCHIVED] = [row for row in groups[Section.ARCHIVED] if row.chat is current]
    rows: list[Row] = []
    for section, group in groups.items():
        if section is Section.FOLDER:
            for folder in folders:
                rows += _in_folder(folder, members[folder.name], current)
        elif group:
            rows += [Row(section=section), *group]
    made.forget_others(rows)
    return rows


def heading_above(rows: Sequence[Row], at: int) -> int | None:
    """Where the heading of a row stands: the row itself, or one above."""
    return next((row for row in range(at, -1, -1) if rows[row].section is not None), None)


def found(hits: Sequence[SearchHit], chats: Iterable[Conversation]) -> list[Row]:
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


def _in_folder(
    folder: FolderRecord, members: Sequence[Row], current: Conversation
) -> Iterable[Row]:
    yield Row(section=Section.FOLDER, folder=folder, n_chats=len(members))
    yield from (row for row in members if not folder.collapsed or row.chat is current)


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
