from app.transcript import Answer, Conversation, UserTurn, title_of
from engine.figures import RequestTrace


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
