"""Keeps the context meter exact while the person types."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.chat_settings import Overflow
from app.engine_state import EngineState, EngineStatus
from app.requests import n_turns_left_out
from app.session import ChatSession
from app.transcript import Answer
from engine.events import Counted
from engine.fitting import answer_room
from ui.composer import Composer

if TYPE_CHECKING:
    from ui.attachment_bar import AttachmentChip

_TYPING_MS = 150
_STREAMING_MS = 220


class ContextCounter(QObject):
    """Asks the engine for the tokens of what would be sent, and shows them in the meter.

    While an answer runs in the chat shown, the meter has what is in its context so far. Where
    the number cannot be had now, the last exact one stays with an ellipsis, or nothing does.
    """

    def __init__(self, session: ChatSession, composer: Composer, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._composer = composer
        self._exact: int | None = None
        self._last: Counted | None = None
        self._is_stale = True
        self._awaited: int | None = None
        self._awaiting: list[AttachmentChip] = []
        self._loaded = session.engine_state.loaded
        self._typing = self._timer(_TYPING_MS)
        self._typing.timeout.connect(self._ask)
        self._streaming = self._timer(_STREAMING_MS)
        self._streaming.timeout.connect(self._show)
        composer.content_changed.connect(self.refresh)
        session.counted.connect(self._on_counted)
        session.settings_changed.connect(self.refresh)
        session.engine_changed.connect(self._on_engine_changed)
        session.turn_added.connect(self.refresh)
        session.answer_changed.connect(self._on_answer_changed)

    def forget(self) -> None:
        """Another chat is shown: what was counted says nothing about it."""
        self._exact = self._last = None
        self.refresh()

    def refresh(self) -> None:
        """Something that counts is another: show what is known, and ask soon."""
        self._awaited = None
        self._is_stale = True
        known = self._known_without_asking()
        if known is not None:
            self._exact, self._is_stale = known, False
            self._last = None
        self._show()
        if self._is_stale and self._session.engine_state.status is EngineStatus.READY:
            self._typing.start()

    def _on_answer_changed(self, answer: Answer) -> None:
        if answer.phase.is_over:
            used = answer.trace.context_used_tokens
            if used is not None and answer in self._session.current_chat.turns[-1:]:
                self._exact = used
            self.refresh()
        elif not self._streaming.isActive():
            self._streaming.start()

    def _on_engine_changed(self, state: EngineState) -> None:
        if state.loaded is not self._loaded:
            self._loaded = state.loaded
            self._composer.attachments.forget_counts()
        self.refresh()

    def _on_counted(self, event: Counted) -> None:
        if event.request_id != self._awaited:
            return
        self._exact, self._is_stale = event.n_tokens, False
        self._last = event
        chips = self._composer.attachments.chips
        for chip, n_tokens in zip(self._awaiting, event.n_text_tokens, strict=True):
            if chip in chips:
                chip.set_tokens(n_tokens)
        self._show()

    def _ask(self) -> None:
        if self._composer.field.is_inserting:
            # A paste that is still going on would be finished at once, and freeze the window.
            self._typing.start()
            return
        self._awaiting = self._composer.attachments.uncounted()
        texts = tuple(
            chip.attachment.block for chip in self._awaiting if chip.attachment is not None
        )
        composer = self._composer
        self._awaited = self._session.count(
            composer.text(), composer.attachments.attachments, texts
        )

    def _known_without_asking(self) -> int | None:
        chat = self._session.current_chat
        last = chat.turns[-1] if chat.turns else None
        if isinstance(last, Answer) and not last.phase.is_over:
            return last.trace.context_used_tokens
        # What was said before counts otherwise for another model, and under other settings.
        is_empty = last is None and self._composer.is_blank
        return 0 if is_empty and not chat.settings.system_prompt.strip() else None

    def _show(self) -> None:
        chat, loaded = self._session.current_chat, self._session.engine_state.loaded
        size = loaded.engine.n_ctx if loaded is not None else None
        last = chat.turns[-1] if chat.turns else None
        if isinstance(last, Answer):
            if not last.phase.is_over:
                used = last.trace.context_used_tokens
                self._exact, self._is_stale = (self._exact if used is None else used), used is None
            size = last.n_ctx if size is None else size
        # Without a model nobody counts: what is stale stays so.
        status = self._session.engine_state.status
        is_unknown = self._is_stale and status in (EngineStatus.NO_MODEL, EngineStatus.FAILED)
        self._composer.meter.set_tokens(
            None if is_unknown else self._exact,
            size,
            reserve=self._reserve(size),
            is_stale=self._is_stale and not is_unknown,
        )
        self._composer.set_forecast(self._forecast(size))

    def _reserve(self, size: int | None) -> int:
        """Tokens for the answer to come, as the engine has them; 0 while one runs."""
        chat = self._session.current_chat
        last = chat.turns[-1] if chat.turns else None
        if size is None or (isinstance(last, Answer) and not last.phase.is_over):
            return 0
        max_tokens = chat.settings.max_tokens
        if chat.settings.overflow is Overflow.DROP_OLDEST:
            return answer_room(max_tokens, size)
        # Nothing is left out for the answer: it ends where the context does.
        return min(max_tokens or 0, max(0, size - (self._exact or 0)))

    def _forecast(self, size: int | None) -> str:
        """What sending would do that the person may not expect; stays while counting anew."""
        event, chat = self._last, self._session.current_chat
        if event is None or size is None or self._composer.is_blank:
            return ""
        if event.n_left_tokens >= size:
            drops = chat.settings.overflow is Overflow.DROP_OLDEST
            if drops or not chat.turns:
                return self.tr(
                    "This message alone does not fit into the context: it would be refused. "
                    "Shorten it, or load the model with a larger context."
                )
            return self.tr(
                "This no longer fits into the context: it would be refused. Shorten it, or let "
                "the chat settings leave out the oldest turns."
            )
        n_turns = n_turns_left_out(chat, event.n_dropped_messages)
        if not n_turns:
            return ""
        return self.tr(
            "Sending this leaves out %Ln turns at the beginning, for which there is no room.",
            "",
            n_turns,
        )

    def _timer(self, interval_ms: int) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(interval_ms)
        return timer
