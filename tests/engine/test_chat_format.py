"""Conversations become prompts as the model's template has it, or plainly where it has none."""

from __future__ import annotations

import pytest

from engine.chat_format import ChatFormat, fold_system
from engine.errors import EngineError, ErrorCode
from engine.values import NoticeCode
from tests.engine import chat_templates
from tests.engine.scripting import assistant, system, user


def format_of(source: str | None) -> ChatFormat:
    return ChatFormat(source, bos_text="<s>", eos_text="</s>")


def codes(chat_format: ChatFormat) -> list[NoticeCode]:
    return [notice.code for notice in chat_format.notices]


@pytest.mark.parametrize(
    "source", chat_templates.EXPECTED, ids=lambda source: chat_templates.NAMES[source]
)
def test_templates_of_the_wild_render_as_their_models_expect(source: str) -> None:
    chat_format = format_of(source)
    assert not chat_format.is_plain
    assert chat_format.render(chat_templates.CHAT) == chat_templates.EXPECTED[source]
    folds = source in chat_templates.FOLDS_SYSTEM
    assert codes(chat_format) == ([NoticeCode.SYSTEM_FOLDED] if folds else [])


def test_a_model_without_template_completes_plain_text() -> None:
    chat_format = format_of(None)
    assert chat_format.is_plain
    assert codes(chat_format) == [NoticeCode.NO_CHAT_TEMPLATE]
    assert chat_format.render([system("A."), user("B.")]) == "A.\n\nB."


@pytest.mark.parametrize(
    "source",
    [
        "{% for m in messages %}{{ m.content }}",
        "{{ raise_exception('never') }}",
        "{{ messages[0].nothing.at.all }}",
        "the same for everybody",
        "{% include 'other' %}",
        "{{ 1 // 0 }}",
        "(" * 3000,
        "{{ " + "(" * 20_000 + " }}",
    ],
)
def test_an_unusable_template_becomes_plain_completion_and_says_why(source: str) -> None:
    chat_format = format_of(source)
    assert chat_format.is_plain
    assert codes(chat_format) == [NoticeCode.UNUSABLE_CHAT_TEMPLATE]
    assert dict(chat_format.notices[0].details)["reason"]
    assert chat_format.render([user("B.")]) == "B."


def test_a_refused_conversation_fails_in_the_words_of_the_template() -> None:
    with pytest.raises(EngineError) as caught:
        format_of(chat_templates.MISTRAL).render([user("a"), user("b")])
    assert caught.value.info.code is ErrorCode.TEMPLATE_FAILED
    assert caught.value.info.detail("reason") == "roles must alternate user and assistant"


def test_lone_surrogates_of_a_message_are_replaced() -> None:
    assert format_of(None).render([user("a\ud83d!")]) == "a\ufffd!"
    text = format_of(chat_templates.CHATML).render([user("a\udc00!")])
    assert "a\ufffd!" in text
    text.encode("utf-8")


def test_system_messages_fold_into_the_next_user_message() -> None:
    chat = [system("S"), user("a"), assistant("b"), system("T"), system("U"), user("c")]
    assert fold_system(chat) == [user("S\n\na"), assistant("b"), user("T\n\nU\n\nc")]
    assert fold_system([user("a"), system("S")]) == [user("a"), user("S")]


def test_the_starter_models_own_template_is_used(starter_template: str) -> None:
    chat_format = format_of(starter_template)
    assert not chat_format.is_plain
    assert chat_format.notices == ()
    assert (
        chat_format.render(chat_templates.CHAT) == (chat_templates.EXPECTED[chat_templates.CHATML])
    )


@pytest.mark.parametrize(
    "source", chat_templates.EXPECTED, ids=lambda source: chat_templates.NAMES[source]
)
def test_an_answer_that_is_continued_stays_open_and_is_what_the_model_wrote(source: str) -> None:
    chat_format = format_of(source)
    asked = chat_templates.CHAT[:2]
    begun = "<think>Well.</think>\n\n  It is **blue** because \n"
    prompt = chat_format.render([*asked, assistant(begun)], continues=True)
    assert prompt == chat_format.render(asked) + begun


def test_an_answer_is_continued_as_plain_text_where_there_is_no_template() -> None:
    assert format_of(None).render([user("B."), assistant(" And")], continues=True) == "B. And"


def test_only_an_answer_can_be_continued() -> None:
    chat_format = format_of(chat_templates.CHATML)
    for messages in ([], [user("Hello")], [assistant("Hi"), user("Hello")]):
        with pytest.raises(EngineError) as raised:
            chat_format.render(messages, continues=True)
        assert raised.value.info.code is ErrorCode.INVALID_OPTION


def test_a_template_that_refuses_what_stands_before_refuses_to_continue() -> None:
    source = (
        "{% if messages|length != 1 %}{{ raise_exception('one message only') }}{% endif %}"
        "{{ messages[0]['content'] }}"
    )
    with pytest.raises(EngineError) as raised:
        format_of(source).render(
            [user("a"), assistant("b"), user("c"), assistant("d")], continues=True
        )
    assert raised.value.info.code is ErrorCode.TEMPLATE_FAILED
