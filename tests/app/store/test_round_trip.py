"""Whatever a library holds, its export, imported and exported again, is the same, byte for byte."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from app.attachments import Attachment, AttachmentKind, fit_name
from app.attachments import to_json as attachments_json
from app.chat_settings import ChatSettings, Overflow, to_json
from app.messages import Severity, UserMessage
from app.store.codec import chat_of, chat_record, message_record, turns_of
from app.store.database import Database
from app.store.exporting import export_file
from app.store.importing import read_file, write_file
from app.store.records import ChatRecord, FolderRecord, MessageRecord
from engine.figures import RequestTrace
from ui.export.page import html_page

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from app.store.own_json import Chat

# Everything that can be written: controls, NUL, both directions, outside the first plane.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
odd = st.one_of(
    texts,
    st.sampled_from(["\0", "\u2028", "\ufeff", "\u202e", "\U0001f468\u200d\U0001f469", "\r\n"]),
)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=9)
times = st.integers(-(1 << 50), 1 << 50)
maybe = st.one_of(st.none(), odd)
numbers = st.floats(allow_nan=False, allow_infinity=False)
chat_settings = st.builds(
    lambda prompt, stop, tokens, overflow: json.dumps(
        to_json(
            ChatSettings(
                system_prompt=prompt, stop=tuple(stop), max_tokens=tokens, overflow=overflow
            )
        ),
        ensure_ascii=False,
    ),
    odd,
    st.lists(names, max_size=2),
    st.one_of(st.none(), st.integers(1, 4096)),
    st.sampled_from(Overflow),
)
figures = st.dictionaries(
    st.sampled_from([*asdict(RequestTrace(1, 0).figures()), "n_ctx", "felt_ttft_ns"]),
    st.one_of(st.integers(0, 1 << 60), numbers),
).map(json.dumps)
errors = st.builds(
    lambda title, text: json.dumps(
        asdict(UserMessage(severity=Severity.ERROR, title=title, text=text, technical="-3")),
        ensure_ascii=False,
    ),
    odd,
    odd,
)

files = st.lists(
    st.builds(
        Attachment,
        name=names.map(fit_name),
        text=odd,
        kind=st.sampled_from(AttachmentKind),
        size_bytes=st.integers(0, 1 << 40),
        n_pages=st.one_of(st.none(), st.integers(1, 900)),
    ),
    max_size=2,
).map(attachments_json)


@st.composite
def chats(draw: st.DrawFn, number: int) -> Chat:
    """A conversation that branches anywhere."""
    messages: list[MessageRecord] = []
    for index in range(draw(st.integers(0, 6))):
        parent = draw(st.sampled_from([None, *messages])) if messages else None
        is_answer = parent is not None and parent.role == "user"
        messages.append(
            MessageRecord(
                message_id=f"{number}-{index}",
                parent_id=parent.message_id if parent is not None else None,
                role="assistant" if is_answer else "user",
                text=draw(odd),
                created_ms=draw(times),
                phase=draw(st.sampled_from(["done", "stopped", "failed"])) if is_answer else None,
                finish_reason=draw(st.sampled_from([None, "end", "length"])),
                model=draw(maybe),
                engine=draw(maybe),
                figures=draw(st.one_of(st.none(), figures)),
                settings=draw(st.one_of(st.none(), chat_settings)),
                error=draw(st.one_of(st.none(), errors)),
                attachments=None if is_answer else draw(files),
            )
        )
    record = ChatRecord(
        chat_id=f"chat {number}",
        title=draw(odd),
        created_ms=draw(times),
        changed_ms=draw(times),
        pinned=draw(st.booleans()),
        archived=draw(st.booleans()),
        folder=draw(st.one_of(st.just(""), names)),
        draft=draw(odd),
        leaf_id=draw(st.sampled_from([None, *(one.message_id for one in messages)])),
        settings=draw(st.one_of(st.none(), chat_settings)),
        draft_attachments=draw(files),
    )
    return record, tuple(messages)


libraries = st.integers(0, 4).flatmap(
    lambda n_chats: st.tuples(*(chats(number) for number in range(n_chats)))
)


def fill(path: Path, library: tuple[Chat, ...], folders: list[str]) -> Database:
    database = Database(path)
    database.begin(durable=False)
    database.add_folders([FolderRecord(name=name) for name in folders])
    for chat, messages in library:
        database.save_chat(chat)
        database.save_messages(chat.chat_id, messages)
    database.commit()
    return database


@settings(max_examples=40)
@given(library=libraries, folders=st.lists(names, max_size=3, unique=True))
def test_export_import_export(
    tmp_path_factory: pytest.TempPathFactory, library: tuple[Chat, ...], folders: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("trip")
    first = fill(folder / "a.sqlite3", library, folders)
    second = Database(folder / "b.sqlite3")
    try:
        assert export_file(folder / "a.json", None, html_page, first).error is None
        found = read_file(folder / "a.json", lambda _: None)
        outcome = write_file(found, lambda _: None, second)
        assert outcome.n_new == len(library)
        assert export_file(folder / "b.json", None, html_page, second).error is None
        assert (folder / "a.json").read_bytes() == (folder / "b.json").read_bytes()
        again = write_file(found, lambda _: None, second)
        assert (again.n_new, again.n_known) == (0, len(library))
        # What the window makes of it, and writes again, is the same, too.
        for chat in second.content().chats:
            messages = second.messages(chat.chat_id)
            assert chat_record(chat_of(chat)).title == chat.title
            assert [message_record(turn).text for turn in turns_of(messages)] == [
                message.text for message in messages
            ]
        for name in ("a.md", "a.html"):
            assert export_file(folder / name, None, html_page, second).error is None
    finally:
        first.close()
        second.close()
