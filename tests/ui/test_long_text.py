"""Long paragraphs are cut for display, and come back whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QKeySequence, QTextCursor, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.waiting import WAIT_MS
from ui.long_text import insert_text, text_between
from ui.message_field import MessageField

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

LONGEST_BLOCK = 3_000
# Comes in several slices.
LONG = "".join(f"line {number}\n" for number in range(9_000))


def block_lengths(document: QTextDocument) -> list[int]:
    lengths = []
    block = document.begin()
    while block.isValid():
        lengths.append(block.length() - 1)
        block = block.next()
    return lengths


@pytest.mark.parametrize(
    "text",
    [
        "short",
        "two\nlines\n\nand a paragraph",
        "x" * 100_000,
        "word " * 20_000,
        "日本語🌇" * 5_000,
        "x" * 3_000 + "\n" + "y" * 3_001 + "\n",
    ],
)
def test_comes_back_whole_from_short_blocks(qapp: QApplication, text: str) -> None:
    document = QTextDocument()
    insert_text(QTextCursor(document), text)
    assert max(block_lengths(document)) <= 2 * LONGEST_BLOCK
    assert text_between(document, 0, document.characterCount() - 1) == text


def test_prose_is_cut_after_a_space(qapp: QApplication) -> None:
    document = QTextDocument()
    insert_text(QTextCursor(document), "word " * 1_000)
    assert document.blockCount() > 1
    assert document.begin().text().endswith(" ")


def test_arriving_in_pieces_is_cut_too(qapp: QApplication) -> None:
    document = QTextDocument()
    cursor = QTextCursor(document)
    for _ in range(5_000):
        insert_text(cursor, "ab")
    assert max(block_lengths(document)) <= LONGEST_BLOCK
    assert text_between(document, 0, document.characterCount() - 1) == "ab" * 5_000


def test_a_part_across_a_cut(qapp: QApplication) -> None:
    document = QTextDocument()
    insert_text(QTextCursor(document), "a" * 3_000 + "b" * 10)
    # The cut is a position of its own.
    assert text_between(document, 2_998, 3_003) == "aabb"


def test_cuts_survive_undo_and_redo(qapp: QApplication) -> None:
    document = QTextDocument()
    insert_text(QTextCursor(document), "a" * 9_000)
    document.undo()
    assert document.isEmpty()
    document.redo()
    assert text_between(document, 0, document.characterCount() - 1) == "a" * 9_000


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


@pytest.fixture
def field(theme: Theme, parent: QWidget) -> MessageField:
    return MessageField(theme, parent)


def paste(field: MessageField, text: str) -> None:
    data = QMimeData()
    data.setText(text)
    field.insertFromMimeData(data)


def test_a_field_knows_its_text_while_it_is_still_put_in(qtbot: QtBot, field: MessageField) -> None:
    text = LONG + "x" * 50_000
    field.set_text(text)
    assert field.is_inserting
    assert field.text() == text
    assert field.is_inserting
    qtbot.waitUntil(lambda: not field.is_inserting, timeout=WAIT_MS)
    field.set_text("short")
    assert field.text() == "short"
    assert not field.is_inserting


@pytest.mark.parametrize("draft", ["short", LONG])
def test_a_text_that_was_set_cannot_be_undone(
    qtbot: QtBot, field: MessageField, draft: str
) -> None:
    QTest.keyClicks(field, "of another chat")
    field.set_text(draft)
    qtbot.keySequence(field, QKeySequence.StandardKey.Undo)
    assert field.text() == draft
    QTest.keyClick(field, Qt.Key.Key_A)
    assert field.text() == draft + "a"
    qtbot.keySequence(field, QKeySequence.StandardKey.Undo)
    assert field.text() == draft


def test_a_long_paste_is_undone_and_redone_in_one_step(qtbot: QtBot, field: MessageField) -> None:
    field.set_text("as it was")
    field.selectAll()
    paste(field, LONG)
    qtbot.waitUntil(lambda: not field.is_inserting, timeout=WAIT_MS)
    qtbot.keySequence(field, QKeySequence.StandardKey.Undo)
    assert field.text() == "as it was"
    qtbot.keySequence(field, QKeySequence.StandardKey.Redo)
    assert field.text() == LONG


def test_keys_in_the_middle_of_a_paste_act_on_all_of_it(qtbot: QtBot, field: MessageField) -> None:
    paste(field, LONG)
    assert field.is_inserting
    QTest.keyClicks(field, "after")
    assert field.text() == LONG + "after"
    qtbot.keySequence(field, QKeySequence.StandardKey.Undo)
    assert field.text() == LONG
    field.set_text("")
    paste(field, LONG)
    assert field.is_inserting
    qtbot.keySequence(field, QKeySequence.StandardKey.Undo)
    assert field.text() == ""
    paste(field, LONG)
    assert field.is_inserting
    # As with the mouse: no key has come yet.
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Delete)
    assert field.text() == ""
    assert not field.is_inserting
