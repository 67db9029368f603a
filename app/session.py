"""The chat session: what the window asks for and what it is told."""

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal

from app import messages
from app.answer_events import begin_again, go_on, note_engine, note_figures, take_event
from app.attachments import Attachment
from app.chat_settings import Overflow, to_json
from app.engine_state import EngineState, EngineStatus, after_load_event, failed, frame_s
from app.ids import new_id
from app.inference import InferenceThread
from app.library import ChatLibrary
from app.open_chat import OpenChat
from app.requests import leave_out, prompt_if_sent, request_of
from app.text import whole_text
from app.transcript import Answer, Conversation, UserTurn, first_title, now_ms
from engine.errors import ErrorCode, ErrorInfo
from engine.events import (
    CountCommand,
    Counted,
    Event,
    Failed,
    Finished,
    GenerateCommand,
    LoadCommand,
    Loaded,
    PromptReady,
    Started,
    Step,
)
from engine.figures import RequestTrace
from engine.values import GenerateRequest, LoadOptions

_DEATHS = (ErrorCode.ENGINE_DIED, ErrorCode.ENGINE_HUNG)


class ChatSession(OpenChat):
    """Conversations and the engine, for the window. Lives in the main thread.

    Signals, beside those of `OpenChat`:
        engine_changed(EngineState): The engine's state, on every change.
        turn_added(UserTurn | Answer): A turn was appended to the chat shown.
        answer_changed(Answer): Text, phase or progress changed, at most once a frame; while the
            window is unseen, only that it is over. It may be in a chat that is not shown.
        counted(Counted): What `count` asked for.
        submitted(int, object): Request id and `t_submit` (ns) of an answer that begins.
        events_arrived(tuple[Event, ...]): Everything the engine said since the last frame.
        first_painted(int, object): Request id of an answer, and when (ns) its text was painted.
        engine_process_changed(int): Process id of the engine, 0 when there is none.

    Attributes:
        inspects: Whether answers are asked for with how each token was chosen.
    """

    inspects = False

    engine_changed = Signal(object)
    turn_added = Signal(object)
    answer_changed = Signal(object)
    counted = Signal(object)
    submitted = Signal(int, object)
    events_arrived = Signal(object)
    first_painted = Signal(int, object)
    engine_process_changed = Signal(int)

    def __init__(
        self, inference: InferenceThread, library: ChatLibrary, parent: QObject | None = None
    ) -> None:
        """Take over `inference` and `library`, which `shutdown` ends; their owner starts them."""
        super().__init__(library, parent)
        self._inference = inference
        self._ids = count(1)
        self._state = EngineState()
        self._load_id: int | None = None
        self._trial_id: int | None = None
        self._is_seen = True
        self._lost = False
        self._running: dict[int, Answer] = {}
        self._is_closed = False
        inference.events_arrived.connect(self._on_events)
        inference.process_lost.connect(self._on_process_lost)
        inference.process_changed.connect(self.engine_process_changed)

    @property
    def engine_state(self) -> EngineState:
        """What the engine is doing now."""
        return self._state

    @property
    def running_answer(self) -> Answer | None:
        """The answer that waits or is being produced, in whatever chat."""
        return next(iter(self._running.values()), None)

    def load(self, options: LoadOptions) -> None:
        """Load a model in a new engine process; the one before is closed."""
        self._load_id = next(self._ids)
        self._lost = False
        self._set_state(EngineState(status=EngineStatus.LOADING, options=options))
        self._inference.load(LoadCommand(request_id=self._load_id, options=options))

    def cancel_load(self) -> None:
        """Stop loading."""
        if self._load_id is not None:
            self._inference.cancel(self._load_id)

    def reload(self) -> None:
        """Load again what was asked for last."""
        if self._state.options is not None:
            self.load(self._state.options)

    def delete_chat(self, chat: Conversation) -> None:
        """Take a chat away; the library can bring it back. An answer in it is stopped."""
        if any(self.library.chat_with(answer) is chat for answer in self._running.values()):
            self.stop()
        super().delete_chat(chat)

    def count(
        self, typed: str, attachments: Sequence[Attachment] = (), texts: tuple[str, ...] = ()
    ) -> int | None:
        """Ask what would become of `typed` and files if they were sent in the chat shown.

        Returns the request id of the `counted` to come, None while nothing can be counted. A
        later call, or an answer, may come first; then this one never comes.
        """
        if self._is_closed or self._state.status is not EngineStatus.READY:
            return None
        request_id, settings = next(self._ids), self._current.settings
        self._inference.count(
            CountCommand(
                request_id=request_id,
                messages=prompt_if_sent(self._current, typed, attachments),
                max_tokens=settings.max_tokens,
                drop_oldest=settings.overflow is Overflow.DROP_OLDEST,
                texts=texts,
            )
        )
        return request_id

    def drop_oldest(self, answer: Answer) -> None:
        """Leave out what no longer fits, in this chat from now on, and try `answer` again."""
        chat = self.library.chat_with(answer)
        if chat is not None:
            self.set_chat_settings(chat, replace(chat.settings, overflow=Overflow.DROP_OLDEST))
            try_again = self.continue_answer if answer.text else self.regenerate
            try_again(answer)

    def send(self, text: str, attachments: Sequence[Attachment] = ()) -> bool:
        """Send what the person typed in the chat shown, with files.

        Returns False when it was not taken; a message says why, and the composer keeps the text.
        """
        text = whole_text(text)
        if not text.strip() and not attachments:
            self.message_raised.emit(messages.nothing_typed())
            return False
        if not self._can_answer():
            return False
        chat = self._current
        user_turn = UserTurn(text=text, attachments=tuple(attachments))
        chat.title = chat.title or first_title(user_turn)
        self.library.add_turn(chat, user_turn)
        self.turn_added.emit(user_turn)
        answer = Answer(trace=self._new_trace())
        self.library.add_turn(chat, answer)
        self.turn_added.emit(answer)
        self._submit(chat, answer)
        return True

    def edit(self, turn: UserTurn, text: str) -> bool:
        """Send a turn of the branch shown in other words; what was there stays, as a variant.

        Returns False when it was not taken; a message says why.
        """
        text = whole_text(text)
        if not text.strip() and not turn.attachments:
            self.message_raised.emit(messages.nothing_typed())
            return False
        chat = self._current
        if turn not in chat.turns or not self._can_answer():
            return False
        variant = replace(turn, text=text, turn_id=new_id(), created_ms=now_ms())
        if turn.parent_id is None and chat.title == first_title(turn):
            chat.title = first_title(variant)
        self.library.add_turn(chat, variant, instead_of=turn)
        answer = Answer(trace=self._new_trace())
        self.library.add_turn(chat, answer)
        self.branch_shown.emit(chat)
        self._submit(chat, answer)
        return True

    def regenerate(self, answer: Answer) -> None:
        """Answer once more in the branch shown; what was there stays, as a variant.

        An answer without text that nothing follows is no variant: it begins again itself.
        """
        chat = self._current
        if answer not in chat.turns or not answer.phase.is_over or not self._can_answer():
            return
        if not answer.text and chat.is_leaf(answer):
            begin_again(answer, self._new_trace())
            self._submit(chat, answer)
            self.answer_changed.emit(answer)
            return
        variant = Answer(trace=self._new_trace())
        self.library.add_turn(chat, variant, instead_of=answer)
        self.branch_shown.emit(chat)
        self._submit(chat, variant)

    def continue_answer(self, answer: Answer) -> None:
        """Let the model go on in an answer that ended early and that nothing follows."""
        chat = self.library.chat_with(answer)
        if chat is None or not chat.is_leaf(answer) or not answer.can_continue:
            return
        if self._can_answer():
            go_on(answer, self._new_trace())
            self._submit(chat, answer)
            self.answer_changed.emit(answer)

    def stop(self) -> None:
        """Stop the running answer; what has arrived stays."""
        for request_id in self._running:
            self._inference.cancel(request_id)

    def try_out(self, request: GenerateRequest) -> int | None:
        """Produce an answer that is in no chat and in no record; `events_arrived` tells of it.

        Returns its request id; None where an answer runs already, or no model is ready. An answer
        that the person asks for comes first: it stops this one.
        """
        is_ready = self._state.status is EngineStatus.READY and not self._running
        if self._is_closed or not is_ready or self._trial_id is not None:
            return None
        self._trial_id = next(self._ids)
        request = replace(request, request_id=self._trial_id)
        self._inference.generate(GenerateCommand(request=request), is_recorded=False)
        return self._trial_id

    def stop_trial(self) -> None:
        """Stop what `try_out` began, where it still runs."""
        if self._trial_id is not None and not self._is_closed:
            self._inference.cancel(self._trial_id)

    def set_seen(self, seen: bool) -> None:
        """Whether somebody can see the window: else the engine is heard about once a second."""
        self._is_seen = seen
        self._set_frame()
        for answer in self._running.values() if seen else ():
            self.answer_changed.emit(answer)

    def _set_frame(self) -> None:
        self._inference.set_frame_s(frame_s(self._state.loaded, seen=self._is_seen))

    def report_first_paint(self, answer: Answer, t_paint_ns: int) -> None:
        """The window painted the first text of an answer at `t_paint_ns`."""
        if answer.felt_ttft_ns is None:
            answer.felt_ttft_ns = answer.trace.span_ns(t_paint_ns, answer.trace.t_submit_ns)
            self.first_painted.emit(answer.trace.request_id, t_paint_ns)

    def shutdown(self) -> None:
        """Close the engine, keep what has arrived, and join the threads. Called once, at the end.

        An answer that runs is kept as far as it has come.
        """
        self._is_closed = True
        self._inference.shutdown()
        # What the engine said last has left its thread, and is still to be heard.
        QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall)
        self.library.close()

    def _new_trace(self) -> RequestTrace:
        return RequestTrace(next(self._ids), time.perf_counter_ns())

    def _can_answer(self) -> bool:
        """Whether an answer can begin; says why not. Brings back an engine that was lost."""
        if self._running:
            self.message_raised.emit(messages.still_answering())
            return False
        if self._state.status is EngineStatus.NO_MODEL:
            self.message_raised.emit(messages.no_model())
            return False
        if self._state.status is EngineStatus.FAILED:
            if not self._lost:
                self.message_raised.emit(messages.no_model())
                return False
            self.reload()
        return True

    def _submit(self, chat: Conversation, answer: Answer) -> None:
        trace = answer.trace
        answer.settings = json.dumps(to_json(chat.settings), ensure_ascii=False)
        note_engine(answer, self._state.loaded)
        self._running[trace.request_id] = answer
        # From now on what becomes of it is written, also of a chat that is deleted meanwhile.
        self.library.note_change(answer)
        if self._state.status is EngineStatus.READY:
            self._set_state(replace(self._state, status=EngineStatus.ANSWERING))
        self.submitted.emit(trace.request_id, trace.t_submit_ns)
        self.stop_trial()
        request = replace(request_of(chat, answer), inspect=self.inspects)
        self._inference.generate(GenerateCommand(request=request))

    def _set_state(self, state: EngineState) -> None:
        self._state = state
        self.engine_changed.emit(state)

    def _on_events(self, batch: tuple[Event, ...]) -> None:
        changed: dict[int, Answer] = {}
        for event in batch:
            answer = self._running.get(event.request_id)
            if answer is not None:
                self._apply(event, answer)
                changed[event.request_id] = answer
            elif event.request_id == self._load_id:
                self._apply_load(event)
            elif event.request_id == self._trial_id:
                self._apply_trial(event)
            elif isinstance(event, Counted):
                self.counted.emit(event)
        self.events_arrived.emit(batch)
        # Nobody looks: batches with steps are rare then, those of a prefill are not.
        writes_at_once = not self._is_seen and any(isinstance(event, Step) for event in batch)
        for request_id, answer in changed.items():
            if answer.phase.is_over:
                del self._running[request_id]
                note_figures(answer)
                if self._state.status is EngineStatus.ANSWERING:
                    self._set_state(replace(self._state, status=EngineStatus.READY))
            self.library.note_change(answer, at_once=writes_at_once)
            if self._is_seen or answer.phase.is_over:
                self.answer_changed.emit(answer)

    def _apply(self, event: Event, answer: Answer) -> None:
        take_event(answer, event)
        match event:
            case Started():
                note_engine(answer, self._state.loaded)
            case PromptReady() if event.n_dropped_messages:
                chat = self.library.chat_with(answer)
                if chat is not None:
                    leave_out(chat, answer, event.n_dropped_messages)
                    self.settings_changed.emit(chat)
            # An engine that goes while another model loads is not missed.
            case Failed() if self._state.status is not EngineStatus.LOADING:
                self._note_loss(event.error)
            case _:
                pass

    def _apply_trial(self, event: Event) -> None:
        if isinstance(event, Finished | Failed):
            self._trial_id = None
        if isinstance(event, Failed) and self._state.status is not EngineStatus.LOADING:
            self._note_loss(event.error)

    def _apply_load(self, event: Event) -> None:
        if isinstance(event, Loaded):
            self._see_all()
        elif isinstance(event, Failed):
            # Sending again starts a process that died anew.
            self._lost = event.error.code in _DEATHS
        self._set_state(after_load_event(self._state, event, is_answering=bool(self._running)))
        if isinstance(event, Loaded):
            self._set_frame()

    def _on_process_lost(self, error: ErrorInfo) -> None:
        if self._state.status in (EngineStatus.READY, EngineStatus.ANSWERING):
            self._lose_engine(error)

    def _note_loss(self, error: ErrorInfo) -> None:
        if error.code in _DEATHS:
            self._lose_engine(error)
        if error.code is ErrorCode.ENGINE_HUNG:
            self.reload()

    def _lose_engine(self, error: ErrorInfo) -> None:
        self._lost = True
        self._set_state(failed(self._state, error))
