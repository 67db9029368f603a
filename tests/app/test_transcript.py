from app.transcript import Answer, UserTurn, history_of, title_of
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
