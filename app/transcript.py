"""A conversation in memory. Owned by the main thread, changed by `ChatSession` only."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from app.chat_settings import ChatSettings
from app.messages import UserMessage
from engine.events import FinishReason
from engine.figures import Figures, RequestTrace
from engine.values import ChatMessage, Role


class AnswerPhase(StrEnum):
    """What an answer is doing. WAITING: for the model to load or the engine to take it."""

    WAITING = "waiting"
    PREPARING = "preparing"
    PREFILL = "prefill"
    DECODE = "decode"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self in (AnswerPhase.DONE, AnswerPhase.STOPPED, AnswerPhase.FAILED)


@dataclass(slots=True, kw_only=True, eq=False)
class UserTurn:
    """What the person sent."""

    turn_id: int
    text: str


@dataclass(slots=True, kw_only=True, eq=False)
class Answer:
    """What the model answers, while it does and after.

    Attributes:
        turn_id: Unique within the application's run.
        text: What has arrived.
        phase: What it is doing.
        trace: Stamps of the request; figures come from it. Replaced when the answer is retried.
        n_prefilled_tokens: Prompt tokens in the KV cache so far, those from the cache included.
        n_ctx: Context size the answer ran with, in tokens; None until it starts.
        figures: Set when the answer is over; while it runs ask `trace.figures()`.
        felt_ttft_ns: From send to the first paint of text, measured in the window.
        finish_reason: How it ended; None while running or when failed.
        error: What went wrong.
    """

    turn_id: int
    trace: RequestTrace
    text: str = ""
    phase: AnswerPhase = AnswerPhase.WAITING
    n_prefilled_tokens: int | None = None
    n_ctx: int | None = None
    figures: Figures | None = None
    felt_ttft_ns: int | None = None
    finish_reason: FinishReason | None = None
    error: UserMessage | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class Conversation:
    """A chat: turns in order, the person and the model in alternation.

    Attributes:
        chat_id: Unique within the application's run.
        title: First words, empty while there are none.
        turns: What was said.
        settings: Hold from the next answer on.
        n_left_out: Turns at the beginning that the model no longer sees.
    """

    chat_id: int
    title: str = ""
    turns: list[UserTurn | Answer] = field(default_factory=list)
    settings: ChatSettings = field(default_factory=ChatSettings)
    n_left_out: int = 0


def title_of(text: str, *, max_characters: int = 48) -> str:
    """The first words of a message, as the title of its chat."""
    words = " ".join(text.split())
    if len(words) <= max_characters:
        return words
    return words[:max_characters].rsplit(" ", 1)[0] + "…"


def history_of(turns: Sequence[UserTurn | Answer]) -> tuple[ChatMessage, ...]:
    """The conversation as the model shall see it.

    An answer without text (failed, or stopped before its first word) is left out, and the two
    messages of the person around it become one: chat templates want strict alternation.
    """
    history: list[ChatMessage] = []
    for turn in turns:
        if not turn.text:
            continue
        role = Role.USER if isinstance(turn, UserTurn) else Role.ASSISTANT
        if history and history[-1].role is role:
            merged = f"{history[-1].content}\n\n{turn.text}"
            history[-1] = ChatMessage(role=role, content=merged)
        else:
            history.append(ChatMessage(role=role, content=turn.text))
    return tuple(history)


def n_turns_of(turns: Sequence[UserTurn | Answer], n_messages: int) -> int:
    """How many turns the first `n_messages` of `history_of(turns)` are made of."""
    for n_turns, turn in enumerate(turns):
        if turn.text and len(history_of(turns[: n_turns + 1])) > n_messages:
            return n_turns
    return len(turns)
