"""Messages in other words, answers once more, answers that go on: every variant stays."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pytestqt.qtbot import QtBot

from app.actions import Action
from app.attachments import Attachment
from app.chat_settings import ChatSettings, Overflow
from app.engine_state import EngineStatus
from app.session import ChatSession
from app.store.codec import message_record, turns_of
from app.transcript import Answer, AnswerPhase, Turn, UserTurn
from engine.backends.scripted import DEFAULT_ANSWER, Script
from engine.events import Counted, FinishReason
from tests.waiting import WAIT_MS

if TYPE_CHECKING:
    from app.messages import UserMessage

LONG = Script(tok_per_s=200, answer="word " * 4000)

Load = Callable[[Script], None]


def last_answer(session: ChatSession) -> Answer:
    turn = session.current_chat.turns[-1]
    assert isinstance(turn, Answer)
    return turn


def over(qtbot: QtBot, answer: Answer) -> Answer:
    qtbot.waitUntil(lambda: answer.phase.is_over, timeout=WAIT_MS)
    return answer


def ask(session: ChatSession, qtbot: QtBot, text: str) -> Answer:
    assert session.send(text)
    return over(qtbot, last_answer(session))


def user_turn(session: ChatSession, index: int) -> UserTurn:
    turn = session.current_chat.turns[index]
    assert isinstance(turn, UserTurn)
    return turn


def texts(turns: list[Turn]) -> list[str]:
    return [turn.text for turn in turns]


def shorten(session: ChatSession, n_tokens: int | None) -> None:
    session.set_chat_settings(session.current_chat, ChatSettings(max_tokens=n_tokens))


def test_an_edited_message_is_a_variant_with_an_answer_of_its_own(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    chat = session.current_chat
    ask(session, qtbot, "one")
    ask(session, qtbot, "two")
    before = list(chat.turns)
    shown: list[object] = []
    session.branch_shown.connect(shown.append)

    assert session.edit(user_turn(session, 0), "uno")
    answer = over(qtbot, last_answer(session))

    assert texts(chat.turns) == ["uno", DEFAULT_ANSWER]
    assert shown == [chat]
    assert chat.turns[0].parent_id is None
    assert chat.turns[0].turn_id != before[0].turn_id
    assert chat.variants(chat.turns[0]) == [before[0], chat.turns[0]]
    # The prompt has the new words alone.
    alone = answer.trace.n_prompt_tokens
    session.new_chat()
    assert ask(session, qtbot, "uno").trace.n_prompt_tokens == alone


def test_an_edited_message_keeps_its_files(session: ChatSession, load: Load, qtbot: QtBot) -> None:
    load(Script())
    files = (Attachment(name="notes.md", text="# Hi"),)
    assert session.send("one", files)
    over(qtbot, last_answer(session))
    assert session.edit(user_turn(session, 0), "uno")
    answer = over(qtbot, last_answer(session))
    assert user_turn(session, 0).attachments == files
    with_files = answer.trace.n_prompt_tokens
    assert with_files is not None
    # The files alone are a message, too.
    assert session.edit(user_turn(session, 0), "")
    alone = over(qtbot, last_answer(session)).trace.n_prompt_tokens
    assert alone is not None
    assert len("# Hi") < alone < with_files


def test_a_variant_shows_the_branch_last_looked_at_below_it(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    chat = session.current_chat
    for text in ("one", "two"):
        ask(session, qtbot, text)
    session.edit(user_turn(session, 2), "two, once more")
    over(qtbot, last_answer(session))
    second_variant = list(chat.turns)
    session.show_variant(chat.variants(chat.turns[2])[0])
    first_variant = list(chat.turns)
    assert texts(first_variant)[2] == "two"
    session.edit(user_turn(session, 0), "uno")
    over(qtbot, last_answer(session))

    session.show_variant(first_variant[0])
    assert chat.turns == first_variant
    session.show_variant(second_variant[2])
    session.show_variant(chat.variants(chat.turns[0])[1])
    assert texts(chat.turns)[0] == "uno"
    session.show_variant(first_variant[0])
    assert chat.turns == second_variant
    assert chat.leaf_id == second_variant[-1].turn_id


def test_answering_once_more_overwrites_nothing(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    chat = session.current_chat
    ask(session, qtbot, "one")
    second = ask(session, qtbot, "two")
    first = chat.turns[1]
    assert isinstance(first, Answer)

    session.regenerate(first)
    again = over(qtbot, last_answer(session))

    assert chat.turns == [chat.turns[0], again]
    assert chat.variants(again) == [first, again]
    assert first.text == second.text == again.text == DEFAULT_ANSWER
    assert first.figures is not None
    # All of it is in the cache, but the one token whose logits are needed.
    p, c = again.trace.n_prompt_tokens, again.trace.n_cached_tokens
    assert p is not None
    assert p - 1 == c
    session.show_variant(first)
    assert chat.turns[-1] is second


def test_an_answer_without_text_is_replaced_and_one_with_text_is_not(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script(fault="error", at="prefill"))
    failed = ask(session, qtbot, "one")
    assert failed.phase is AnswerPhase.FAILED
    load(Script(fault="error", at="decode", after=4))
    session.regenerate(failed)
    over(qtbot, failed)
    assert session.current_chat.turns[-1] is failed
    assert failed.text
    half = failed.text

    session.regenerate(failed)

    assert last_answer(session) is not failed
    over(qtbot, last_answer(session))
    assert failed.text == half


def test_an_empty_answer_that_was_talked_about_stays(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script(answer=""))
    empty = ask(session, qtbot, "one")
    ask(session, qtbot, "two")
    session.regenerate(empty)
    again = over(qtbot, last_answer(session))
    assert session.current_chat.variants(again) == [empty, again]


def test_an_answer_cut_by_its_length_goes_on_in_the_same_message(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script(answer="abc" * 40))
    shorten(session, 5)
    answer = ask(session, qtbot, "one")
    assert answer.finish_reason is FinishReason.LENGTH
    assert answer.can_continue
    begun, first = answer.text, answer.figures
    n_prompt = answer.trace.n_prompt_tokens
    assert first is not None
    assert n_prompt is not None

    session.continue_answer(answer)
    assert answer.text == begun
    assert answer.phase is AnswerPhase.WAITING
    over(qtbot, answer)

    assert session.current_chat.turns[-1] is answer
    assert answer.text.startswith(begun)
    assert answer.text == "abc" * 10
    # What was there is part of the prompt, and comes from the cache.
    assert answer.figures is not None
    assert answer.figures.n_prompt_tokens == n_prompt + 5
    assert answer.figures.n_cached_tokens == n_prompt + 4
    assert answer.figures.n_output_tokens == 5
    assert answer.n_continuations == 1
    session.continue_answer(answer)
    over(qtbot, answer)
    assert answer.n_continuations == 2
    assert answer.text == "abc" * 15


def test_a_stopped_answer_goes_on_and_a_whole_one_does_not(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(LONG)
    session.send("one")
    answer = last_answer(session)
    qtbot.waitUntil(lambda: len(answer.text) > 20, timeout=WAIT_MS)
    session.stop()
    over(qtbot, answer)
    n_before = len(answer.text)
    session.continue_answer(answer)
    qtbot.waitUntil(lambda: len(answer.text) > n_before + 20, timeout=WAIT_MS)
    session.stop()
    over(qtbot, answer)

    load(Script())
    whole = ask(session, qtbot, "two")
    assert not whole.can_continue
    session.continue_answer(whole)
    assert whole.phase is AnswerPhase.DONE
    # What follows was said about the answer as it was.
    assert answer.can_continue
    session.continue_answer(answer)
    assert answer.phase is AnswerPhase.STOPPED


def test_a_continuation_that_gives_nothing_leaves_the_figures_as_they_were(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    shorten(session, 5)
    answer = ask(session, qtbot, "one")
    text, figures = answer.text, answer.figures
    load(Script(fault="error", at="prefill"))

    session.continue_answer(answer)
    over(qtbot, answer)

    assert answer.phase is AnswerPhase.FAILED
    assert answer.text == text
    assert answer.figures == figures
    assert answer.n_continuations == 0
    assert answer.can_continue


def test_an_answer_that_another_model_goes_on_with_has_the_names_of_both(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    shorten(session, 5)
    answer = ask(session, qtbot, "one")
    session.continue_answer(answer)
    over(qtbot, answer)
    assert answer.model_name == "Scripted"
    answer.model_name = "Another"
    session.continue_answer(answer)
    over(qtbot, answer)
    assert answer.model_name == "Another + Scripted"


def test_leaving_out_turns_goes_on_with_an_answer_that_has_begun(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script(n_ctx=512, answer="a" * 60))
    ask(session, qtbot, "x" * 100)
    ask(session, qtbot, "y" * 150)
    shorten(session, 8)
    answer = ask(session, qtbot, "z")
    assert answer.finish_reason is FinishReason.LENGTH
    begun = answer.text
    load(Script(n_ctx=400, answer="a" * 60))
    session.continue_answer(answer)
    over(qtbot, answer)
    assert answer.error is not None
    assert Action.DROP_OLDEST in answer.error.actions

    session.drop_oldest(answer)
    over(qtbot, answer)

    assert answer.phase is AnswerPhase.DONE
    assert answer.text == begun * 2
    assert session.current_chat.n_left_out == 2


def test_what_the_model_no_longer_sees_belongs_to_its_branch(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script(n_ctx=512, answer="a" * 60))
    chat = session.current_chat
    session.set_chat_settings(chat, ChatSettings(overflow=Overflow.DROP_OLDEST))
    while not chat.n_left_out:
        assert len(chat.turns) < 40
        ask(session, qtbot, "x" * 100)
    n_left_out, long_branch = chat.n_left_out, list(chat.turns)

    session.edit(user_turn(session, 0), "short")
    over(qtbot, last_answer(session))
    assert chat.n_left_out == 0
    session.show_variant(long_branch[0])
    assert chat.turns == long_branch
    assert chat.n_left_out == n_left_out
    last = long_branch[-1]
    assert isinstance(last, Answer)
    session.regenerate(last)
    over(qtbot, last_answer(session))
    assert chat.n_left_out == n_left_out


def test_nothing_else_begins_while_an_answer_runs(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    whole = ask(session, qtbot, "one")
    load(LONG)
    session.send("two")
    running = last_answer(session)
    qtbot.waitUntil(lambda: bool(running.text), timeout=WAIT_MS)
    raised: list[object] = []
    session.message_raised.connect(raised.append)
    n_turns = len(session.current_chat.tree)

    assert not session.edit(user_turn(session, 0), "uno")
    session.regenerate(whole)
    session.continue_answer(running)

    assert len(session.current_chat.tree) == n_turns
    assert len(raised) == 2
    session.stop()
    over(qtbot, running)


def test_an_answer_that_runs_goes_on_in_a_branch_that_is_not_shown(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    first = ask(session, qtbot, "one")
    load(LONG)
    session.regenerate(first)
    running = last_answer(session)
    qtbot.waitUntil(lambda: bool(running.text), timeout=WAIT_MS)
    session.show_variant(first)
    n_before = len(running.text)
    qtbot.waitUntil(lambda: len(running.text) > n_before, timeout=WAIT_MS)
    assert session.current_chat.turns[-1] is first
    session.delete_chat(session.current_chat)
    over(qtbot, running)
    assert session.engine_state.status is EngineStatus.READY


def test_a_blank_edit_is_not_sent(session: ChatSession, load: Load, qtbot: QtBot) -> None:
    load(Script())
    ask(session, qtbot, "one")
    raised: list[object] = []
    session.message_raised.connect(raised.append)
    assert not session.edit(user_turn(session, 0), " \n")
    assert len(raised) == 1
    assert len(session.current_chat.tree) == 2


def test_a_chat_that_begins_with_a_file_alone_is_called_like_it(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    session.send("Look", (Attachment(name="notes.md", text="Some notes."),))
    over(qtbot, last_answer(session))
    assert session.current_chat.title == "Look"
    session.edit(user_turn(session, 0), "")
    over(qtbot, last_answer(session))
    assert session.current_chat.title == "notes.md"


def test_a_title_of_first_words_follows_them_and_a_given_one_stays(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    ask(session, qtbot, "one")
    session.edit(user_turn(session, 0), "uno")
    over(qtbot, last_answer(session))
    assert session.current_chat.title == "uno"
    session.library.rename(session.current_chat, "Mine")
    session.edit(user_turn(session, 0), "eins")
    over(qtbot, last_answer(session))
    assert session.current_chat.title == "Mine"


def test_what_a_model_thought_is_not_sent_back_and_not_counted(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script(answer="<think>" + "Hm. " * 100 + "</think>\n\nYes."))
    ask(session, qtbot, "one")
    second = ask(session, qtbot, "two")
    n_prompt = second.trace.n_prompt_tokens
    assert n_prompt is not None
    assert n_prompt < 150

    counted: list[Counted] = []
    session.counted.connect(counted.append)
    session.count("three")
    qtbot.waitUntil(lambda: bool(counted), timeout=WAIT_MS)
    third = ask(session, qtbot, "three")
    assert counted[0].n_tokens == third.trace.n_prompt_tokens


def test_thinking_that_was_cut_goes_on_where_it_was(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script(answer="<think>Hm. Well."))
    shorten(session, 4)
    answer = ask(session, qtbot, "one")
    begun, n_prompt = answer.text, answer.trace.n_prompt_tokens
    assert begun == "<think>Hm. W"
    assert n_prompt is not None
    session.continue_answer(answer)
    over(qtbot, answer)
    assert answer.text.startswith(begun)
    assert answer.trace.n_prompt_tokens == n_prompt + 4


def test_a_continued_answer_is_kept_as_such(session: ChatSession, load: Load, qtbot: QtBot) -> None:
    load(Script())
    shorten(session, 5)
    answer = ask(session, qtbot, "one")
    session.continue_answer(answer)
    over(qtbot, answer)
    [kept] = turns_of([message_record(answer)])
    assert isinstance(kept, Answer)
    assert kept.text == answer.text
    assert kept.n_continuations == 1
    assert kept.figures == answer.figures
    assert kept.can_continue


def test_a_variant_is_deleted_with_what_follows_it_and_comes_back_where_it_was(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    chat = session.current_chat
    first = ask(session, qtbot, "one")
    ask(session, qtbot, "two")
    long_branch, before = list(chat.turns), list(chat.tree)
    session.regenerate(first)
    second = over(qtbot, last_answer(session))
    raised: list[UserMessage] = []
    session.message_raised.connect(raised.append)
    session.show_variant(first)

    session.delete_variant(first)
    assert chat.turns == [long_branch[0], second]
    assert chat.tree == [long_branch[0], second]
    assert chat.variants(second) == [second]
    assert raised[0].actions == (Action.UNDO_DELETE,)
    # The last one stays.
    session.delete_variant(second)
    assert chat.tree == [long_branch[0], second]

    session.undo_delete_variant()
    assert chat.turns == long_branch
    assert chat.tree == [*before, second]
    assert chat.variants(first) == [first, second]
    session.undo_delete_variant()
    assert chat.turns == long_branch


def test_no_variant_is_deleted_while_an_answer_runs(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    first = ask(session, qtbot, "one")
    load(LONG)
    session.regenerate(first)
    running = last_answer(session)
    qtbot.waitUntil(lambda: bool(running.text), timeout=WAIT_MS)
    session.delete_variant(running)
    assert session.current_chat.turns[-1] is running
    session.stop()
    over(qtbot, running)
