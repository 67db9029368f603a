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
