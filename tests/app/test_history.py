"""What the model is given of a conversation."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from app.history import History
from app.requests import prompt_if_sent
from app.store.codec import message_record
from app.store.database import Database
from app.store.jobs import read_turns
from app.store.records import ChatRecord
from app.transcript import Answer, Conversation, UserTurn
from engine.figures import RequestTrace
from engine.values import ChatMessage, Role

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from app.transcript import Turn


def user(text: str) -> UserTurn:
    return UserTurn(text=text)


def answer(text: str) -> Answer:
    return Answer(trace=RequestTrace(2, 0), text=text)


def test_history_alternates() -> None:
    history = History().messages([user("a"), answer("b"), user("c"), answer("")])

    assert history == (
        ChatMessage(role=Role.USER, content="a"),
        ChatMessage(role=Role.ASSISTANT, content="b"),
        ChatMessage(role=Role.USER, content="c"),
    )


def test_a_message_that_was_never_answered_joins_the_next() -> None:
    history = History().messages([user("a"), answer(""), user("b")])

    assert history == (ChatMessage(role=Role.USER, content="a\n\nb"),)


def test_white_space_of_an_answer_is_kept_for_the_cache() -> None:
    assert History().messages([user("a"), answer(" b \n")])[1].content == " b \n"


def test_white_space_at_the_beginning_is_kept_too() -> None:
    assert History().messages([user("a"), answer("\n\nb")])[1].content == "\n\nb"


def test_what_the_model_thought_is_not_part_of_the_history() -> None:
    thought = answer("<think>Hm.</think>\n\nYes.")
    still_thinking = answer("<think>Hm")
    history = History().messages([user("a"), thought, user("b"), still_thinking, user("c")])
    assert [message.content for message in history] == ["a", "Yes.", "b\n\nc"]


def test_turns_are_counted_by_the_messages_they_become() -> None:
    turns: list[Turn] = [user("a"), answer("<think>Hm"), user("b"), answer("c")]
    turns += [user("d"), answer("e")]
    for n_messages in range(5):
        n_turns = History().n_turns(turns, n_messages)
        assert len(History().messages(turns[:n_turns])) == n_messages
    assert History().n_turns(turns, 1) == 3


def test_whatever_becomes_of_a_branch_it_is_as_if_it_were_read_for_the_first_time() -> None:
    chance, history = random.Random(3), History()
    turns: list[Turn] = []
    for _ in range(500):
        match chance.randrange(4):
            case 0:
                turns = turns[: chance.randrange(len(turns) + 1)]
            case 1 if turns:
                turn = chance.choice(turns)
                turn.text = chance.choice(["", "now", "<think>Hm", "<think>Hm</think>So"])
            case _:
                text = chance.choice(["", "one", "<think>Hm"])
                turns = [*turns, user(text) if chance.randrange(2) else answer(text)]
        begin = chance.randrange(3)
        seen = turns[begin:] if chance.randrange(5) == 0 else turns
        assert history.messages(seen) == History().messages(seen)
        n_messages = chance.randrange(len(seen) + 2)
        assert history.n_turns(seen, n_messages) == History().n_turns(seen, n_messages)


def test_what_is_typed_is_not_taken_for_said() -> None:
    chat = Conversation()
    for turn in (user("a"), answer("b"), user("c")):
        chat.add(turn)
    assert prompt_if_sent(chat, "d")[-1] == ChatMessage(role=Role.USER, content="c\n\nd")
    assert prompt_if_sent(chat, "")[-1] == ChatMessage(role=Role.USER, content="c")


def test_a_pause_in_typing_does_not_read_the_whole_conversation_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chat = Conversation()
    for number in range(50):
        chat.add(user(f"Question {number}"))
        chat.add(answer(f"Answer {number}"))
    first = prompt_if_sent(chat, "So")
    n_read = 0

    def read(turn: UserTurn) -> ChatMessage:
        nonlocal n_read
        n_read += 1
        return ChatMessage(role=Role.USER, content=turn.text)

    monkeypatch.setattr(UserTurn, "message", property(read))
    monkeypatch.delattr(Answer, "message")
    assert prompt_if_sent(chat, "So what")[:-1] == first[:-1]
    # What is typed.
    assert n_read == 1


def test_a_chat_from_the_disk_comes_with_what_the_model_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = user("a")
    second = answer("b")
    second.parent_id = first.turn_id
    database = Database(tmp_path / "chats.sqlite3")
    database.begin(durable=False)
    database.save_chat(ChatRecord(chat_id="c", title="C", created_ms=1, changed_ms=1))
    database.save_messages("c", [message_record(first), message_record(second)])
    database.commit()
    chat = Conversation(chat_id="c", is_read=False)
    chat.take_over(read_turns("c", None, database))
    database.close()
    monkeypatch.delattr(UserTurn, "message")
    monkeypatch.delattr(Answer, "message")
    assert [message.content for message in prompt_if_sent(chat, "")] == ["a", "b"]
