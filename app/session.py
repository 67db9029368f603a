"""The chat session: what the window asks for and what it is told."""

import json
import time
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal

from app import messages
from app.chat_settings import ChatSettings, Overflow, to_json
from app.inference import InferenceThread
from app.library import ChatLibrary
from app.messages import UserMessage
from app.model_name import display_name
from app.requests import clean_text, leave_out, prompt_if_sent, request_of
from app.transcript import Answer, AnswerPhase, Conversation, UserTurn, title_of
from engine.errors import ErrorCode, ErrorInfo
from engine.events import (
    CountCommand,
    Counted,
    Event,
    Failed,
    Finished,
    FinishReason,
    GenerateCommand,
    LoadCommand,
    Loaded,
    LoadProgress,
    LoadStage,
    PrefillDone,
    PrefillProgress,
    PromptReady,
    Started,
    Step,
)
from engine.figures import RequestTrace
from engine.values import LoadOptions


class EngineStatus(StrEnum):
    """What the engine is doing."""

    NO_MODEL = "no_model"
    LOADING = "loading"
    READY = "ready"
    ANSWERING = "answering"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineState:
    """The engine as the window shows it.

    Attributes:
        status: What it is doing.
        options: What was asked for by the last load.
        stage: What the load is doing, while LOADING.
        fraction: How far that stage is, 0 to 1; None where unknown.
        loaded: The model, the engine's choices, KV layout and memory; None unless loaded.
        error: Why there is no model, when FAILED.
    """

    status: EngineStatus = EngineStatus.NO_MODEL
    options: LoadOptions | None = None
    stage: LoadStage | None = None
    fraction: float | None = None
    loaded: Loaded | None = None
    error: UserMessage | None = None


class ChatSession(QObject):
    """Conversations and the engine, for the window. Lives in the main thread.

    Signals:
        engine_changed(EngineState): The engine's state, on every change.
        chat_opened(Conversation): This chat is the one shown now.
        turn_added(UserTurn | Answer): A turn was appended to the chat shown.
        answer_changed(Answer): Text, phase or progress changed, at most once a frame. The
            answer may belong to a chat that is not shown.
        settings_changed(Conversation): Its settings, or what the model no longer sees of it.
        counted(Counted): What `count` asked for.
        message_raised(UserMessage): Something to say that belongs to no answer.
        submitted(int, object): Request id and `t_submit` (ns) of an answer that begins.
        events_arrived(tuple[Event, ...]): Everything the engine said since the last frame.
        first_painted(int, object): Request id of an answer, and when (ns) its text was painted.
        engine_process_changed(int): Process id of the engine, 0 when there is none.

    Attributes:
        inspects: Whether answers are asked for with how each token was chosen.
    """

    inspects = False

    engine_changed = Signal(object)
    chat_opened = Signal(object)
    turn_added = Signal(object)
    answer_changed = Signal(object)
    settings_changed = Signal(object)
    counted = Signal(object)
    message_raised = Signal(object)
    submitted = Signal(int, object)
    events_arrived = Signal(object)
    first_painted = Signal(int, object)
    engine_process_changed = Signal(int)

    def __init__(
        self, inference: InferenceThread, library: ChatLibrary, parent: QObject | None = None
    ) -> None:
        """Take over `inference` and `library`, which `shutdown` ends; their owner starts them."""
        super().__init__(parent)
        self._inference = inference
        self._ids = count(1)
        self._state = EngineState()
        self._load_id: int | None = None
        self._lost = False
        self._running: dict[int, Answer] = {}
        self._new_settings = ChatSettings()
        self._is_closed = False
        self._wanted: Conversation | None = None
        self._take_over(library)
        inference.events_arrived.connect(self._on_events)
        inference.process_lost.connect(self._on_process_lost)
        inference.process_changed.connect(self.engine_process_changed)

    @property
    def engine_state(self) -> EngineState:
        """What the engine is doing now."""
        return self._state

    @property
    def chats(self) -> tuple[Conversation, ...]:
        """All chats, the one changed last first."""
        return self.library.chats

    @property
    def current_chat(self) -> Conversation:
        """The chat shown."""
        return self._current

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

    def new_chat(self) -> None:
        """Open an empty chat; one that is empty already is taken."""
        self._show(self._empty_chat())

    def open_chat(self, chat_id: str) -> None:
        """Show a chat, as soon as its turns are read."""
        chat = self.library.chat(chat_id)
        self._wanted = chat
        if chat is None or chat is self._current:
            return
        if chat.is_read:
            self._show(chat)
        else:
            self.library.read(chat)

    def delete_chat(self, chat: Conversation) -> None:
        """Take a chat away; the library can bring it back. An answer in it is stopped."""
        if any(turn in self._running.values() for turn in chat.turns):
            self.stop()
        self.library.delete(chat)
        if chat is self._current:
            self.new_chat()

    def undo_delete(self) -> None:
        """Bring back and open the chat deleted last."""
        chat = self.library.undo_delete()
        if chat is not None:
            self.open_chat(chat.chat_id)

    def set_chat_settings(self, chat: Conversation, settings: ChatSettings) -> None:
        """Answer in this chat with `settings` from the next answer on."""
        chat.settings = settings
        if settings.overflow is Overflow.STOP:
            chat.n_left_out = 0
        self.library.keep_settings(chat)
        self.settings_changed.emit(chat)

    def set_new_settings(self, settings: ChatSettings) -> None:
        """Give new chats `settings`, and empty ones that nobody has set otherwise."""
        for chat in self.chats:
            if chat.is_empty and chat.settings == self._new_settings:
                self.set_chat_settings(chat, settings)
        self._new_settings = settings

    def count(self, typed: str, texts: tuple[str, ...] = ()) -> int | None:
        """Ask how many tokens the prompt would have if `typed` were sent in the chat shown.

        Returns the request id of the `counted` to come, None while nothing can be counted. A
        later call, or an answer, may come first; then this one never comes.
        """
        if self._is_closed or self._state.status is not EngineStatus.READY:
            return None
        request_id, prompt = next(self._ids), prompt_if_sent(self._current, typed)
        self._inference.count(CountCommand(request_id=request_id, messages=prompt, texts=texts))
        return request_id

    def drop_oldest(self, answer: Answer) -> None:
        """Leave out what no longer fits, in this chat from now on, and try `answer` again."""
        chat = self._chat_of(answer)
        if chat is not None:
            self.set_chat_settings(chat, replace(chat.settings, overflow=Overflow.DROP_OLDEST))
            self.retry(answer)

    def send(self, text: str) -> bool:
        """Send what the person typed in the chat shown.

        Returns False when it was not taken; a message says why, and the composer keeps the text.
        """
        text = clean_text(text)
        if not text.strip():
            self.message_raised.emit(messages.nothing_typed())
            return False
        if not self._can_answer():
            return False
        chat = self._current
        user_turn = UserTurn(text=text)
        chat.title = chat.title or title_of(text)
        self.library.add_turn(chat, user_turn)
        self.turn_added.emit(user_turn)
        request_id = next(self._ids)
        answer = Answer(trace=RequestTrace(request_id, time.perf_counter_ns()))
        self.library.add_turn(chat, answer)
        self.turn_added.emit(answer)
        self._submit(chat, answer)
        return True

    def stop(self) -> None:
        """Stop the running answer; what has arrived stays."""
        for request_id in self._running:
            self._inference.cancel(request_id)

    def retry(self, answer: Answer) -> None:
        """Produce an answer again: one that is over, the last turn of its chat."""
        chat = self._chat_of(answer)
        if chat is None or not answer.phase.is_over or not self._can_answer():
            return
        answer.trace = RequestTrace(next(self._ids), time.perf_counter_ns())
        answer.text = ""
        del answer.step_ends[:]
        answer.inspected.clear()
        answer.phase = AnswerPhase.WAITING
        answer.n_prefilled_tokens = None
        answer.figures = None
        answer.felt_ttft_ns = None
        answer.finish_reason = None
        answer.error = None
        self._submit(chat, answer)
        self.answer_changed.emit(answer)

    def report_first_paint(self, answer: Answer, t_paint_ns: int) -> None:
        """The window painted the first text of an answer at `t_paint_ns`."""
        if answer.felt_ttft_ns is None:
            answer.felt_ttft_ns = t_paint_ns - answer.trace.t_submit_ns
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

    def _take_over(self, library: ChatLibrary) -> None:
        self.library = library
        self._current = self._empty_chat()
        # Written after the store has told what was open before.
        library.set_open(self._current)
        self._wanted = None
        library.restored.connect(self._on_restored)
        library.chat_read.connect(self._on_chat_read)
        library.message_raised.connect(self.message_raised)

    def _empty_chat(self) -> Conversation:
        chat = self.library.new_chat()
        if chat.settings == ChatSettings():
            chat.settings = self._new_settings
        return chat

    def _show(self, chat: Conversation) -> None:
        self._wanted = None
        self._current = chat
        self.library.set_open(chat)
        self.chat_opened.emit(chat)

    def _on_restored(self, chat: Conversation) -> None:
        """Open again what was open, unless the person has begun something else."""
        if self._wanted is None and self._current.is_empty and not self._current.draft:
            self.open_chat(chat.chat_id)

    def _on_chat_read(self, chat: Conversation) -> None:
        if chat is self._wanted:
            self._show(chat)

    def _chat_of(self, answer: Answer) -> Conversation | None:
        """The chat whose last turn is `answer`."""
        return next((chat for chat in self.chats if answer in chat.turns[-1:]), None)

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
        self._note_engine(answer)
        self._running[trace.request_id] = answer
        if self._state.status is EngineStatus.READY:
            self._set_state(replace(self._state, status=EngineStatus.ANSWERING))
        self.submitted.emit(trace.request_id, trace.t_submit_ns)
        request = replace(request_of(chat, trace), inspect=self.inspects)
        self._inference.generate(GenerateCommand(request=request))

    def _note_engine(self, answer: Answer) -> None:
        loaded = self._state.loaded
        answer.n_ctx = loaded.engine.n_ctx if loaded is not None else None
        answer.model_name = display_name(loaded.model) if loaded is not None else None
        answer.engine_name = loaded.engine.backend if loaded is not None else None
        answer.kv = loaded.kv if loaded is not None else None

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
            elif isinstance(event, Counted):
                self.counted.emit(event)
        self.events_arrived.emit(batch)
        for request_id, answer in changed.items():
            if answer.phase.is_over:
                del self._running[request_id]
                answer.figures = answer.trace.figures()
                if self._state.status is EngineStatus.ANSWERING:
                    self._set_state(replace(self._state, status=EngineStatus.READY))
            self.library.note_change(answer)
            self.answer_changed.emit(answer)

    def _apply(self, event: Event, answer: Answer) -> None:
        answer.trace.add(event)
        match event:
            case Started():
                answer.phase = AnswerPhase.PREPARING
                self._note_engine(answer)
            case PromptReady():
                answer.phase = AnswerPhase.PREFILL
                answer.n_prefilled_tokens = event.n_cached_tokens
                chat = self._chat_of(answer)
                if chat is not None and event.n_dropped_messages:
                    leave_out(chat, event.n_dropped_messages)
                    self.settings_changed.emit(chat)
            case PrefillProgress():
                answer.n_prefilled_tokens = event.n_done_tokens
            case PrefillDone():
                answer.n_prefilled_tokens = answer.trace.n_prompt_tokens
            case Step():
                answer.phase = AnswerPhase.DECODE
                answer.text += event.text
                answer.step_ends.append(len(answer.text))
                answer.inspected.append(event.inspected)
            case Finished():
                answer.text += event.text
                answer.finish_reason = event.reason
                stopped = event.reason is FinishReason.CANCELLED
                answer.phase = AnswerPhase.STOPPED if stopped else AnswerPhase.DONE
            case Failed():
                answer.phase = AnswerPhase.FAILED
                answer.error = messages.of_error(event.error)
                # An engine that goes while another model loads is not missed.
                if self._state.status is not EngineStatus.LOADING:
                    self._note_loss(event.error)
            case _:
                pass

    def _apply_load(self, event: Event) -> None:
        match event:
            case LoadProgress():
                self._set_state(replace(self._state, stage=event.stage, fraction=event.fraction))
            case Loaded():
                self._see_all()
                waits = EngineStatus.ANSWERING if self._running else EngineStatus.READY
                self._set_state(
                    EngineState(status=waits, options=self._state.options, loaded=event)
                )
            case Failed():
                # Sending again starts a process that died anew.
                self._lost = event.error.code in (ErrorCode.ENGINE_DIED, ErrorCode.ENGINE_HUNG)
                self._set_state(
                    EngineState(
                        status=EngineStatus.FAILED,
                        options=self._state.options,
                        error=messages.of_error(event.error),
                    )
                )
            case _:
                pass

    def _see_all(self) -> None:
        """Another context may hold what the last one did not."""
        for chat in self.chats:
            if chat.n_left_out:
                chat.n_left_out = 0
                self.settings_changed.emit(chat)

    def _on_process_lost(self, error: ErrorInfo) -> None:
        """The engine died while idle."""
        if self._state.status in (EngineStatus.READY, EngineStatus.ANSWERING):
            self._lose_engine(error)

    def _note_loss(self, error: ErrorInfo) -> None:
        if error.code in (ErrorCode.ENGINE_DIED, ErrorCode.ENGINE_HUNG):
            self._lose_engine(error)
        if error.code is ErrorCode.ENGINE_HUNG:
            self.reload()

    def _lose_engine(self, error: ErrorInfo) -> None:
        self._lost = True
        self._set_state(
            EngineState(
                status=EngineStatus.FAILED,
                options=self._state.options,
                error=messages.of_error(error),
            )
        )
