"""The text of an answer on its way into parts."""

from __future__ import annotations

from ui.conversation.arrival import Arrival
from ui.markdown.blocks import Prose


def test_the_end_is_read_with_the_last_piece() -> None:
    arrival = Arrival()
    text = "One\n\nTwo"
    assert arrival.read_on(text, 100, is_whole=True)
    assert arrival.is_finished
    change = arrival.take()
    assert isinstance(change, Prose)
    assert len(change.final) == 2
    assert not change.tail
    assert arrival.is_shown
    assert not arrival.read_on(text, 100, is_whole=True)


def test_the_end_comes_alone_where_all_was_read_before() -> None:
    arrival = Arrival()
    steps = [False, False, True, True]
    seen = [(arrival.read_on("One", 100, is_whole=step), arrival.is_finished) for step in steps]
    assert seen == [(True, False), (False, False), (True, True), (False, True)]
