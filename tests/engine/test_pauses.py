"""Pauses wait, in order and not without end, until what waited for them is told of."""

from engine.events import Compiled
from engine.pauses import NO_REQUEST, Pending


def compiled(t_ns: int, request_id: int = NO_REQUEST) -> Compiled:
    return Compiled(request_id=request_id, t_ns=t_ns, duration_ns=10)


def test_what_ended_later_is_kept_for_later() -> None:
    pending = Pending()
    for t_ns in (100, 200, 300):
        pending.note(compiled(t_ns))
    assert list(pending.take(7, 99)) == []
    assert list(pending.take(7, 200)) == [compiled(100, 7), compiled(200, 7)]
    assert list(pending.take(8, 299)) == []
    assert list(pending.take(8, 300)) == [compiled(300, 8)]
    assert list(pending.take(8, 300)) == []


def test_the_next_answer_hears_nothing_of_the_one_before() -> None:
    pending = Pending()
    pending.note(compiled(100))
    pending.clear()
    assert list(pending.take(7, 100)) == []


def test_a_loop_that_does_nothing_else_is_told_of_so_often_only() -> None:
    pending = Pending()
    for t_ns in range(1000):
        pending.note(compiled(t_ns))
    assert [event.t_ns for event in pending.take(7, 1000)] == list(range(64))
    pending.note(compiled(1001))
    assert list(pending.take(7, 1001)) == [compiled(1001, 7)]
