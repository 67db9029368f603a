"""Prose that streams in: what is there stays, and much at once is written bit by bit."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QWidget

from tests.ui.markdown.structure import lines_of
from ui.conversation.prose_part import ProsePart
from ui.markdown.blocks import Block, BlockStream, Prose
from ui.markdown.formulas import FormulaSetter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

HEAD = "Colours:\n\n| a | b |\n|---|--:|\n"


@pytest.fixture
def make(qtbot: QtBot, theme: Theme) -> Iterator[Callable[[], ProsePart]]:
    host = QWidget()
    qtbot.addWidget(host)
    setter = FormulaSetter(host)
    yield lambda: ProsePart(theme, setter, host)
    setter.close()


def blocks(text: str, *, is_last: bool = False) -> tuple[tuple[Block, ...], tuple[Block, ...]]:
    """What is final, and the tail, of a text that comes at once."""
    stream = BlockStream()
    changes = stream.feed(text)
    if is_last:
        changes += stream.finish()
    final: tuple[Block, ...] = ()
    tail: tuple[Block, ...] = ()
    for change in changes:
        assert isinstance(change, Prose)
        final += change.final
        tail = change.tail
    return final, tail


def test_what_is_selected_in_a_table_stays_selected_while_rows_come(
    make: Callable[[], ProsePart],
) -> None:
    part = make()
    stream = BlockStream()
    [change] = stream.feed(HEAD + "| first | *1* |\n")
    assert isinstance(change, Prose)
    part.show_blocks(change.final, change.tail)
    chosen = part.document().find("first")
    part.setTextCursor(chosen)
    for piece in ("| se", "cond | 2 |\n| third | 3", " |\n\nThe end, ", "at last."):
        for change in stream.feed(piece):
            assert isinstance(change, Prose)
            part.show_blocks(change.final, change.tail)
        assert part.textCursor().selectedText() == "first"
    whole = make()
    whole.show_blocks(
        *blocks(HEAD + "| first | *1* |\n| second | 2 |\n| third | 3 |\n\nThe end, at last.")
    )
    assert lines_of(part.document()) == lines_of(whole.document())


def test_rows_that_change_or_go_are_written_anew(make: Callable[[], ProsePart]) -> None:
    texts = (
        HEAD + "| one | 1 |\n| two | 2 |\n| three | 3 |\n",
        HEAD + "| one | 1 |\n| **two** | 5 |\n| three | 3 |\n",
        HEAD + "| one | 1 |\n",
        "Colours:\n\n| a |\n|---|\n| one |\n",
        "Colours:\n\nNo table",
    )
    part = make()
    for text in texts:
        final, tail = blocks(text)
        part.show_blocks((), (*final, *tail))
        whole = make()
        whole.show_blocks(final, tail)
        assert lines_of(part.document()) == lines_of(whole.document())
        assert part.toPlainText() == whole.toPlainText()


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "".join(f"| row {n} | {n} |\n" for n in range(60)) + "\nThe end.\n",
        "".join(f"Paragraph {n}\n\n" for n in range(130)),
        "".join(f"- item *{n}*\n" for n in range(130)),
    ],
    ids=["table", "paragraphs", "list"],
)
def test_much_at_once_is_written_bit_by_bit(make: Callable[[], ProsePart], text: str) -> None:
    final, tail = blocks(text, is_last=True)
    part = make()
    lengths = [0]
    rest: Sequence[Block] | None = final
    while rest is not None:
        rest = part.show_some(rest, tail)
        lengths.append(part.document().characterCount())
    grown = [after - before for before, after in pairwise(lengths)]
    assert len(grown) > 2
    assert max(grown) < sum(grown) / 2
    whole = make()
    whole.show_blocks(*blocks(text, is_last=True))
    assert lines_of(part.document()) == lines_of(whole.document())
    assert part.toPlainText() == whole.toPlainText()
