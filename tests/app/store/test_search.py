"""What a search over all conversations finds."""

import pytest
from pytestqt.qtbot import QtBot

from app.attachments import Attachment
from app.transcript import Answer, UserTurn
from tests.app.store.conftest import OpenLibrary
from tests.app.store.samples import found, talk


def test_finds_words_of_titles_questions_and_answers(
    open_library: OpenLibrary, qtbot: QtBot
) -> None:
    library = open_library()
    sky = talk(library, "Why is the sky blue?", "Light scatters: Rayleigh's law.")
    sea = talk(library, "Why is the sea salty?", "Rivers carry salt.")
    library.rename(sea, "Oceans")
    assert [hit.chat_id for hit in found(library, "rayleigh", qtbot)] == [sky.chat_id]
    assert [hit.chat_id for hit in found(library, "ocean", qtbot)] == [sea.chat_id]
    assert [hit.chat_id for hit in found(library, "salty sea", qtbot)] == [sea.chat_id]
    assert {hit.chat_id for hit in found(library, "wh", qtbot)} == {sky.chat_id, sea.chat_id}
    assert found(library, "mountain", qtbot) == []


def test_the_excerpt_says_where_the_words_stand(open_library: OpenLibrary, qtbot: QtBot) -> None:
    library = open_library()
    talk(library, "x", "Long before.\n\nThe light scatters: Rayleigh was right. After.")
    [hit] = found(library, "rayl", qtbot)
    assert [hit.excerpt[begin : begin + n] for begin, n in hit.marks] == ["Rayleigh"]
    assert "\n" not in hit.excerpt


def test_accents_do_not_matter(open_library: OpenLibrary, qtbot: QtBot) -> None:
    library = open_library()
    talk(library, "x", "Un café crème")
    assert len(found(library, "CAFE creme", qtbot)) == 1


def test_scripts_without_spaces_are_searched_too(open_library: OpenLibrary, qtbot: QtBot) -> None:
    library = open_library()
    talk(library, "x", "天空为什么是蓝色的")
    [hit] = found(library, "蓝色", qtbot)
    assert [hit.excerpt[begin : begin + n] for begin, n in hit.marks] == ["蓝色"]


@pytest.mark.parametrize("text", ['"', "*", "a AND", "NEAR(", "title:x", "'; DROP TABLE", "^"])
def test_no_words_break_it(open_library: OpenLibrary, qtbot: QtBot, text: str) -> None:
    library = open_library()
    talk(library, "Why?", "Because.")
    assert found(library, text, qtbot) == []


def test_text_that_was_replaced_is_not_found(open_library: OpenLibrary, qtbot: QtBot) -> None:
    library = open_library()
    chat = talk(library, "Why?", "Because.")
    library.rename(chat, "Sky")
    answer = chat.turns[-1]
    assert isinstance(answer, Answer)
    answer.text = "Otherwise."
    library.note_change(answer)
    assert found(library, "because", qtbot) == []
    assert len(found(library, "otherwise", qtbot)) == 1


@pytest.mark.parametrize("text", ["needle", "蓝色"])
def test_a_chat_that_has_it_often_hides_no_other(
    open_library: OpenLibrary, qtbot: QtBot, text: str
) -> None:
    library = open_library()
    first = talk(library, "First", f"one {text} here")
    often = talk(library, "Often", "x")
    for number in range(449):
        library.add_turn(often, UserTurn(text=f"{text} number {number}"))
    last = UserTurn(text=f"{text} number 449")
    library.add_turn(often, last)
    hits = found(library, text, qtbot)
    assert [hit.chat_id for hit in hits] == [often.chat_id, first.chat_id]
    assert [hit.message_id for hit in hits] == [last.turn_id, first.turns[1].turn_id]
    assert [hit.excerpt for hit in hits] == [f"{text} number 449", f"one {text} here"]
    assert [hits[1].excerpt[at : at + n] for at, n in hits[1].marks] == [text]


@pytest.mark.parametrize("text", ["needle", "蓝色"])
def test_a_chat_that_has_it_in_many_files_hides_no_other(
    open_library: OpenLibrary, qtbot: QtBot, text: str
) -> None:
    library = open_library()
    first = talk(library, "First", "x")
    file = Attachment(name="a.txt", text=f"one {text} here")
    library.add_turn(first, UserTurn(text="x", attachments=(file,)))
    often = talk(library, "Often", "x")
    for _ in range(70):
        library.add_turn(often, UserTurn(text="x", attachments=(file,)))
    hits = found(library, text, qtbot)
    assert [hit.chat_id for hit in hits] == [often.chat_id, first.chat_id]
    assert hits[1].excerpt == f"a.txt: one {text} here"
