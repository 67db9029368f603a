"""What the thread of the database and the window hand each other: frozen, plain."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

MOST_FOLDER_CHARACTERS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRecord:
    """A conversation without its messages: what the list shows.

    Attributes:
        chat_id: Unique among all conversations, also those of other machines.
        title: First words, or what the person called it; empty for a chat with a draft only.
        created_ms: Unix time in milliseconds.
        changed_ms: When something was last said in it, Unix time in milliseconds.
        pinned: Whether it stays on top.
        archived: Whether it is out of the way.
        folder: Name of the folder it is in; empty for none.
        draft: What was typed and not sent.
        draft_attachments: Files that would go along with it, as `MessageRecord.attachments`.
        leaf_id: Last message of the branch that is shown; None where there is no message.
        settings: Its settings, as JSON; None for those of a new chat.
    """

    chat_id: str
    title: str
    created_ms: int
    changed_ms: int
    pinned: bool = False
    archived: bool = False
    folder: str = ""
    draft: str = ""
    leaf_id: str | None = None
    settings: str | None = None
    draft_attachments: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRecord:
    """One message of a conversation.

    Attributes:
        message_id: Unique like `ChatRecord.chat_id`.
        parent_id: The message it follows; None for the first. Messages with the same parent are
            variants of each other.
        role: "user" or "assistant".
        text: What was said.
        created_ms: Unix time in milliseconds.
        phase: Of an answer: what it was doing when it was written, as `AnswerPhase` has it.
        finish_reason: How an answer ended; None while it runs, or where it failed.
        model: Name of the model that answered.
        engine: Name of the engine that answered.
        figures: JSON object, see `app.store.codec`; None where nothing was measured.
        settings: JSON object of what the answer was asked for with.
        error: JSON object of what went wrong.
        attachments: Files that went along, JSON as `app.attachments.to_json` writes it; None
            without any.
    """

    message_id: str
    parent_id: str | None
    role: str
    text: str
    created_ms: int
    phase: str | None = None
    finish_reason: str | None = None
    model: str | None = None
    engine: str | None = None
    figures: str | None = None
    settings: str | None = None
    error: str | None = None
    attachments: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """A conversation that has what was searched for.

    Attributes:
        chat_id: Which one.
        excerpt: Text around the newest match, on one line; empty where the title matched alone.
        marks: Where the words stand in the excerpt: (first character, number of characters).
        message_id: The message of the excerpt; None where the title matched alone.
    """

    chat_id: str
    excerpt: str
    marks: tuple[tuple[int, int], ...] = ()
    message_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderRecord:
    """A folder, which may be empty.

    Attributes:
        name: What `ChatRecord.folder` of its chats says.
        collapsed: Whether the list hides its chats.
    """

    name: str
    collapsed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreContent:
    """What a database has.

    Attributes:
        chats: All chats, the newest first.
        open_chat_id: Which was open.
        folders: All folders.
        unread: Paths of files that were still being read, by the chat whose draft they are for.
    """

    chats: tuple[ChatRecord, ...]
    open_chat_id: str | None
    folders: tuple[FolderRecord, ...] = ()
    unread: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class FaultCode(StrEnum):
    """Why conversations cannot be written or read."""

    LOCKED = "locked"
    READ_ONLY = "read_only"
    FULL = "full"
    CORRUPT = "corrupt"
    UNREACHABLE = "unreachable"
    REPLACED = "replaced"
    NEWER = "newer"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreFault:
    """A fault, and the file it is about.

    Attributes:
        code: What kind it is.
        path: The database, or where a corrupt one was moved to.
        technical: What SQLite or the system said.
        n_rescued: Conversations of a corrupt file that could be read and are in the new one.
    """

    code: FaultCode
    path: str
    technical: str
    n_rescued: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeOutcome:
    """How an export or an import ended.

    Attributes:
        path: The file.
        is_import: Else it was an export.
        error: Why nothing was done; None when it was, or when `fault` says why.
        fault: The database could not be asked.
        n_new: Conversations taken over.
        n_known: Conversations that were there already, and are the same.
        n_empty: Conversations that were left out because nothing is said in them.
        n_ignored: Files of an archive that were not read: pictures, sound and the like.
        is_cancelled: The person did not want it any more; nothing was done.
        content: What the database has after an import.
    """

    path: str
    is_import: bool
    error: str | None = None
    fault: StoreFault | None = None
    n_new: int = 0
    n_known: int = 0
    n_empty: int = 0
    n_ignored: int = 0
    is_cancelled: bool = False
    content: StoreContent | None = None
