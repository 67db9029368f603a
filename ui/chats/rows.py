"""What stands in the list of conversations: sections by age, or what a search found."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from app.store.records import SearchHit
from app.transcript import Conversation

_WEEK = timedelta(days=7)


class Section(StrEnum):
    """A heading of the list, in the order they stand."""

    PINNED = "pinned"
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
        chat: The chat; None for a heading.
        excerpt: Text around what was found.
        marks: What to stress in it: (first character, number of characters).
        message_id: The message that was found.
    """

    section: Section | None = None
    chat: Conversation | None = None
    excerpt: str = ""
    marks: tuple[tuple[int, int], ...] = ()
    message_id: str | None = None

    def stands_for(self, other: "Row") -> bool:
        """Whether both are the same heading or the same chat."""
        return self.section is other.section and self.chat is other.chat


def sectioned(
    chats: Iterable[Conversation], current: Conversation, today: date, *, with_archived: bool
) -> list[Row]:
    """Chats under their headings. An empty one is left out unless it is open."""
    groups: dict[Section, list[Row]] = {section: [] for section in Section}
    midnight_ms = _unix_ms(today)
    week_ms = _unix_ms(today - _WEEK)
    for chat in chats:
        if chat.is_empty and not chat.has_draft and chat is not current:
            continue
        groups[_section(chat, midnight_ms, week_ms)].append(Row(chat=chat))
    if not with_archived:
        # What is open is never hidden.
        groups[Section.ARCHIVED] = [row for row in groups[Section.ARCHIVED] if row.chat is current]
    rows: list[Row] = []
    for section, members in groups.items():
        if members:
            rows += [Row(section=section), *members]
    return rows


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
