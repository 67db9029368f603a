"""Answers in other words, and chats that are made of others."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from pytestqt.qtbot import QtBot

from app.attachments import Attachment
from app.chat_settings import ChatSettings
from app.history import History
from app.reasoning import with_other_answer
from app.requests import request_of
from app.session import ChatSession
from app.store.codec import message_record, turns_of
from app.transcript import Answer, AnswerPhase, UserTurn
from engine.backends.scripted import DEFAULT_ANSWER, Script
from engine.figures import RequestTrace
from tests.app.test_branches import LONG, ask, last_answer, over, shorten, texts
from tests.waiting import WAIT_MS

if TYPE_CHECKING:
    from app.messages import UserMessage

Load = Callable[[Script], None]

NOTHING_MEASURED = RequestTrace(0, 0).figures()


def test_an_edited_answer_is_a_variant_that_the_model_is_given(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    chat = session.current_chat
    first = ask(session, qtbot, "one")
    ask(session, qtbot, "two")
    figures, ended = first.figures, first.finish_reason

    assert session.edit_answer(first, "In other words\n")

    edited = last_answer(session)
    assert texts(chat.turns) == ["one", "In other words\n"]
    assert chat.variants(edited) == [first, edited]
    assert (first.text, first.figures, first.finish_reason) == (DEFAULT_ANSWER, figures, ended)
    assert edited.is_edited
    assert not first.is_edited
    assert edited.model_name == first.model_name
    assert edited.figures == NOTHING_MEASURED
    assert (edited.n_ctx, edited.felt_ttft_ns, edited.engine_name) == (None, None, None)
    ask(session, qtbot, "three")
    assert [message.content for message in History().messages(chat.turns)][:3] == [
        "one",
        "In other words\n",
        "three",
    ]


def test_the_model_goes_on_right_after_the_edited_words(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    answer = ask(session, qtbot, "one")
    assert not answer.can_continue
    session.edit_answer(answer, "It was a")
    edited = last_answer(session)
    assert edited.can_continue
    request = request_of(session.current_chat, edited)
    assert (request.continues, request.messages[-1].content) == (True, "It was a")

    session.continue_answer(edited)
    over(qtbot, edited)

    assert edited.text == "It was a" + DEFAULT_ANSWER
    assert (edited.is_edited, edited.n_continuations) == (True, 1)
    assert edited.figures is not None
    assert edited.figures.ttft_ns is not None
    session.regenerate(edited)
    once_more = over(qtbot, last_answer(session))
    assert session.current_chat.variants(once_more) == [answer, edited, once_more]
    assert not once_more.is_edited


def test_an_edited_answer_is_kept_as_such_and_without_a_count_of_tokens(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    session.edit_answer(ask(session, qtbot, "one"), "Other words.")
    record = message_record(last_answer(session))
    assert record.figures == '{"is_edited": true}'
    [kept] = turns_of([record])
    assert isinstance(kept, Answer)
    assert kept.is_edited
    assert kept.can_continue
    assert kept.figures == NOTHING_MEASURED
    assert message_record(kept) == record


@pytest.mark.parametrize(
    ("text", "edited"),
    [
        ("Plain.", "Mine."),
        ("\n\nPlain.", "\n\nMine."),
        ("<think>\nHm.\n</think>\n\nSo.", "<think>\nHm.\n</think>\n\nMine."),
        ("Hm.\n</think>\nSo.", "Hm.\n</think>\nMine."),
        ("[THINK]Hm", "[THINK]Hm\n[/THINK]\n\nMine."),
    ],
)
def test_what_was_thought_before_stays_and_has_an_end(text: str, edited: str) -> None:
    assert with_other_answer(text, "Mine.") == edited


def test_an_answer_that_runs_and_one_of_nothing_are_not_edited(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(LONG)
    shorten(session, 3)
    first = ask(session, qtbot, "one")
    told: list[UserMessage] = []
    session.message_raised.connect(told.append)
    assert not session.edit_answer(first, " \n")
    assert [message.title for message in told] == ["Nothing is left of the answer"]

    shorten(session, None)
    session.send("two")
    running = last_answer(session)
    qtbot.waitUntil(lambda: bool(running.text), timeout=WAIT_MS)
    assert not session.edit_answer(running, "No.")
    assert not session.edit_answer(first, "No.")
    assert len(session.current_chat.tree) == 4
    assert told[-1].title == "Still answering"
    session.stop()
    over(qtbot, running)


def test_a_copy_of_a_chat_has_everything_and_ids_of_its_own(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    chat = session.current_chat
    files = (Attachment(name="a.txt", text="inside"),)
    assert session.send("one", files)
    first = over(qtbot, last_answer(session))
    ask(session, qtbot, "two")
    session.edit_answer(first, "Mine.")
    session.show_variant(first)
    session.set_chat_settings(chat, ChatSettings(system_prompt="Be short."))
    chat.first_seen.add(chat.turns[2].turn_id)
    session.library.set_draft(chat, "three?")

    session.duplicate(chat)

    copy = session.current_chat
    assert copy is not chat
    assert session.chats[0] is copy
    assert (copy.title, copy.draft, copy.settings) == ("Copy: one", "three?", chat.settings)
    assert texts(copy.tree) == texts(chat.tree)
    assert texts(copy.turns) == texts(chat.turns)
    assert not {turn.turn_id for turn in copy.tree} & {turn.turn_id for turn in chat.tree}
    assert (copy.n_left_out, chat.n_left_out) == (2, 2)
    asked, answer = copy.turns[0], copy.turns[1]
    assert isinstance(asked, UserTurn)
    assert asked.attachments == files
    assert isinstance(answer, Answer)
    assert answer.figures == first.figures
    assert [other.text for other in copy.variants(answer)] == [DEFAULT_ANSWER, "Mine."]
    # They part here.
    ask(session, qtbot, "three")
    assert (len(copy.tree), len(chat.tree)) == (7, 5)


def test_a_chat_is_branched_out_at_an_answer(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    chat = session.current_chat
    first = ask(session, qtbot, "one")
    ask(session, qtbot, "two")
    session.edit_answer(first, "Mine.")
    edited = last_answer(session)
    session.library.set_draft(chat, "three?")

    session.branch_out(edited)

    made = session.current_chat
    assert made is not chat
    assert (made.title, made.draft) == ("Branch: one", "")
    assert texts(made.tree) == texts(made.turns) == ["one", "Mine."]
    assert made.leaf_id == made.turns[-1].turn_id
    assert len(chat.tree) == 5


def test_a_copy_of_a_chat_that_answers_has_what_has_come(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(LONG)
    session.send("one")
    running = last_answer(session)
    qtbot.waitUntil(lambda: bool(running.text), timeout=WAIT_MS)
    session.duplicate(session.current_chat)
    [_, copied] = session.current_chat.turns
    assert isinstance(copied, Answer)
    assert copied.phase is AnswerPhase.STOPPED
    assert running.text.startswith(copied.text)
    assert session.running_answer is running
    session.stop()
    over(qtbot, running)
