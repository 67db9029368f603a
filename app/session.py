"""The chat session: what the window asks for and what it is told."""

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QObject, Signal

from app.messages import UserMessage
from app.transcript import Answer, Conversation
from engine.events import Loaded, LoadStage
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
        chats_changed(): A chat was added, or a title changed.
        chat_opened(Conversation): This chat is the one shown now.
        turn_added(UserTurn | Answer): A turn was appended to the chat shown.
        answer_changed(Answer): Text, phase or progress changed, at most once a frame.
        message_raised(UserMessage): Something to say that belongs to no answer.
        submitted(int, int): Request id and `t_submit` (ns) of an answer that begins.
        events_arrived(tuple[Event, ...]): Everything the engine said since the last frame.
        engine_process_changed(int): Process id of the engine, 0 when there is none.
    """

    engine_changed = Signal(object)
    chats_changed = Signal()
    chat_opened = Signal(object)
    turn_added = Signal(object)
    answer_changed = Signal(object)
    message_raised = Signal(object)
    submitted = Signal(int, object)
    events_arrived = Signal(object)
    engine_process_changed = Signal(int)

    @property
    def engine_state(self) -> EngineState: ...
    @property
    def chats(self) -> tuple[Conversation, ...]: ...
    @property
    def current_chat(self) -> Conversation: ...
    @property
    def running_answer(self) -> Answer | None: ...

    def load(self, options: LoadOptions) -> None:
        """Load a model in a new engine process; the one before is closed."""

    def cancel_load(self) -> None:
        """Stop loading."""

    def reload(self) -> None:
        """Load again what was asked for last."""

    def new_chat(self) -> None:
        """Open an empty chat; one that is empty already is kept."""

    def open_chat(self, chat_id: int) -> None:
        """Show a chat of this session."""

    def send(self, text: str) -> bool:
        """Send what the person typed in the chat shown. False when it was not taken (a
        message says why; the composer keeps the text)."""

    def stop(self) -> None:
        """Stop the running answer; what has arrived stays."""

    def retry(self, answer: Answer) -> None:
        """Produce an answer again that failed or was stopped (the last turn of its chat)."""

    def report_first_paint(self, answer: Answer, t_paint_ns: int) -> None:
        """The window painted the first text of an answer at `t_paint_ns`."""

    def shutdown(self) -> None:
        """Close the engine and join the thread. Called once, before the application leaves."""
