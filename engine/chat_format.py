"""How conversations become prompts for one model, decided when it is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import EngineError, ErrorCode
from engine.template import ChatTemplate
from engine.text import without_surrogates
from engine.values import ChatMessage, Notice, NoticeCode, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.template import TemplateMessage

PARAGRAPH = "\n\n"

_PROBE_SYSTEM = "Oscillama probes the system message."
_PROBE_USER = "Oscillama probes the user message."


class ChatFormat:
    """Renders the conversations of one model.

    Without a usable template it is plain completion: the contents of all messages, joined by
    blank lines, with no marks of who speaks.

    Attributes:
        is_plain: Whether it is plain completion.
        notices: What the person should know about it.
    """

    def __init__(self, source: str | None, *, bos_text: str, eos_text: str) -> None:
        """Compile the template and try it with short conversations. Never raises for it."""
        self.notices: tuple[Notice, ...] = ()
        self._template: ChatTemplate | None = None
        self._folds_system = False
        self._has_typed_content = False
        if source is None:
            self.notices = (Notice(code=NoticeCode.NO_CHAT_TEMPLATE),)
            return
        try:
            self._template = ChatTemplate(source, bos_text=bos_text, eos_text=eos_text)
            self._probe()
        except EngineError as error:
            self._template = None
            reason = error.info.detail("reason") or ""
            self.notices = (
                Notice(code=NoticeCode.UNUSABLE_CHAT_TEMPLATE, details=(("reason", str(reason)),)),
            )

    @property
    def is_plain(self) -> bool:
        """Whether the model has no usable template."""
        return self._template is None

    def render(self, messages: Sequence[ChatMessage], *, continues: bool = False) -> str:
        """The prompt, up to where the answer begins; lone surrogates become U+FFFD.

        With `continues` the last message is the beginning of the answer and stands at the end as
        it is: what a template would do to a message that is over (strip it, take its reasoning
        away, close it) would make it another text than the one the model wrote.

        Raises `EngineError` TEMPLATE_FAILED where the template refuses this conversation, and
        INVALID_OPTION where there is no message of the assistant to continue.
        """
        clean = [
            ChatMessage(role=message.role, content=without_surrogates(message.content))
            for message in messages
        ]
        if not continues:
            return self._render(clean)
        if not clean or clean[-1].role is not Role.ASSISTANT:
            raise EngineError(
                ErrorCode.INVALID_OPTION,
                "the last message is not the assistant's, so it cannot be continued",
                option="continues",
            )
        return self._render(clean[:-1]) + clean[-1].content

    def _render(self, clean: list[ChatMessage]) -> str:
        if self._template is None:
            return PARAGRAPH.join(message.content for message in clean)
        if self._folds_system:
            clean = fold_system(clean)
        return self._template.render([self._as_template_message(message) for message in clean])

    def _probe(self) -> None:
        system = ChatMessage(role=Role.SYSTEM, content=_PROBE_SYSTEM)
        user = ChatMessage(role=Role.USER, content=_PROBE_USER)
        try:
            text = self.render([user])
        except EngineError:
            text = ""
        if _PROBE_USER not in text:
            # Templates of models that also see images take a list of typed parts.
            self._has_typed_content = True
            text = self.render([user])
        if _PROBE_USER not in text:
            reason = "the text of the user does not appear in the prompt"
            raise EngineError(ErrorCode.TEMPLATE_FAILED, reason, reason=reason)
        try:
            keeps_system = _PROBE_SYSTEM in self.render([system, user])
        except EngineError:
            keeps_system = False
        if not keeps_system:
            self._folds_system = True
            self.notices = (Notice(code=NoticeCode.SYSTEM_FOLDED),)

    def _as_template_message(self, message: ChatMessage) -> TemplateMessage:
        content: object = message.content
        if self._has_typed_content:
            content = [{"type": "text", "text": message.content}]
        return {"role": message.role.value, "content": content}


def fold_system(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """The conversation with system messages moved to the top of the next user message.

    System messages that no user message follows become a user message.
    """
    folded: list[ChatMessage] = []
    waiting: list[str] = []
    for message in messages:
        if message.role is Role.SYSTEM:
            waiting.append(message.content)
        elif message.role is Role.USER and waiting:
            content = PARAGRAPH.join([*waiting, message.content])
            folded.append(ChatMessage(role=Role.USER, content=content))
            waiting = []
        else:
            folded.append(message)
    if waiting:
        folded.append(ChatMessage(role=Role.USER, content=PARAGRAPH.join(waiting)))
    return folded
