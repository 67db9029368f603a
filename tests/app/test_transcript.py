from app.transcript import Answer, Conversation, Turn, UserTurn, history_of, n_turns_of, title_of
from engine.figures import RequestTrace
from engine.values import ChatMessage, Role


def user(text: str) -> UserTurn:
    return UserTurn(text=text)


def answer(text: str) -> Answer:
    return Answer(trace=RequestTrace(2, 0), text=text)


def test_a_title_is_the_first_words() -> None:
    assert title_of("Why is\n the   sky blue?") == "Why is the sky blue?"


def test_a_long_title_ends_at_a_word() -> None:
    title = title_of("Explain in detail how a transformer computes attention over tokens")

    assert title == "Explain in detail how a transformer computes…"
    assert len(title) <= 49


def test_a_title_of_one_endless_word_is_cut() -> None:
    assert title_of("x" * 1000) == "x" * 48 + "…"


def test_history_alternates() -> None:
    history = history_of([user("a"), answer("b"), user("c"), answer("")])

    assert history == (
        ChatMessage(role=Role.USER, content="a"),
        ChatMessage(role=Role.ASSISTANT, content="b"),
        ChatMessage(role=Role.USER, content="c"),
    )


def test_a_message_that_was_never_answered_joins_the_next() -> None:
    history = history_of([user("a"), answer(""), user("b")])

    assert history == (ChatMessage(role=Role.USER, content="a\n\nb"),)


def test_white_space_of_an_answer_is_kept_for_the_cache() -> None:
    assert history_of([user("a"), answer(" b \n")])[1].content == " b \n"


def test_white_space_at_the_beginning_is_kept_too() -> None:
    assert history_of([user("a"), answer("\n\nb")])[1].content == "\n\nb"


def test_what_the_model_thought_is_not_part_of_the_history() -> None:
    thought = answer("<think>Hm.</think>\n\nYes.")
    still_thinking = answer("<think>Hm")
    history = history_of([user("a"), thought, user("b"), still_thinking, user("c")])
    assert [message.content for message in history] == ["a", "Yes.", "b\n\nc"]


def test_turns_are_counted_by_the_messages_they_become() -> None:
    turns: list[Turn] = [user("a"), answer("<think>Hm"), user("b"), answer("c")]
    turns += [user("d"), answer("e")]
    for n_messages in range(5):
        n_turns = n_turns_of(turns, n_messages)
        assert len(history_of(turns[:n_turns])) == n_messages
    assert n_turns_of(turns, 1) == 3


def test_a_damaged_tree_is_shown_as_far_as_it_goes() -> None:
    first, second = user("a"), answer("b")
    first.parent_id, second.parent_id = second.turn_id, first.turn_id
    chat = Conversation(leaf_id=second.turn_id)
    chat.fill([first, second])
    assert chat.turns == [first, second]
    chat.show_through(first)
    assert set(chat.turns) == {first, second}


def test_the_last_turn_with_variants_is_found_in_the_branch_shown() -> None:
    chat, first, second = Conversation(), answer("b"), answer("c")
    chat.add(user("a"))
    chat.add(first)
    chat.add(user("d"))
    assert chat.last_with_variants() is None
    chat.add_variant(second, first)
    chat.add(user("e"))
    assert chat.last_with_variants() is second
    chat.show_through(first)
    assert chat.last_with_variants() is first
