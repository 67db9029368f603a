"""A conversation in memory. Owned by the main thread, changed by session and library only."""

import os
import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from app.chat_settings import ChatSettings
from app.messages import UserMessage
from engine.events import FinishReason
from engine.figures import Figures, RequestTrace
from engine.values import ChatMessage, KvLayout, Role


def new_id() -> str:
    """An identifier that no other chat or message has, on any machine."""
    # As random as a UUID, whose module costs the start-up time.
    return os.urandom(16).hex()


def now_ms() -> int:
    """Unix time in milliseconds."""
    return time.time_ns() // 1_000_000


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
    """What the person sent.

    Attributes:
        text: The message.
        turn_id: Unique, also after a restart.
        parent_id: The turn before; None for the first.
        created_ms: Unix time in milliseconds.
    """

    text: str
    turn_id: str = field(default_factory=new_id)
    parent_id: str | None = None
    created_ms: int = field(default_factory=now_ms)


@dataclass(slots=True, kw_only=True, eq=False)
class Answer:
    """What the model answers, while it does and after.

    Attributes:
        turn_id: Unique, also after a restart.
        parent_id: The turn before.
        created_ms: Unix time in milliseconds.
        model_name: What answers; None until the engine takes it.
        engine_name: What runs the model, as `EngineInfo.backend`; None until then.
        settings: What it is asked for with, a JSON object; None where nobody said.
        text: What has arrived.
        phase: What it is doing.
        trace: Stamps of the request; figures come from it. Replaced when the answer is retried,
            and empty for an answer of an earlier run.
        n_prefilled_tokens: Prompt tokens in the KV cache so far, those from the cache included.
        n_ctx: Context size the answer ran with, in tokens; None until it starts.
        figures: Set when the answer is over; while it runs ask `trace.figures()`.
        felt_ttft_ns: From send to the first paint of text, measured in the window.
        finish_reason: How it ended; None while running or when failed.
        error: What went wrong.
        step_ends: How long `text` was after each step of the engine, in characters.
        inspected: How the tokens of each step were chosen, as `Step.inspected`; not kept.
        kv: How the KV cache it ran in is laid out; None for an answer of an earlier run.
    """

    trace: RequestTrace
    turn_id: str = field(default_factory=new_id)
    parent_id: str | None = None
    created_ms: int = field(default_factory=now_ms)
    model_name: str | None = None
    engine_name: str | None = None
    settings: str | None = None
    text: str = ""
    phase: AnswerPhase = AnswerPhase.WAITING
    n_prefilled_tokens: int | None = None
    n_ctx: int | None = None
    figures: Figures | None = None
    felt_ttft_ns: int | None = None
    finish_reason: FinishReason | None = None
    error: UserMessage | None = None
    step_ends: "array[int]" = field(default_factory=lambda: array("q"))
    inspected: list[tuple[bytes, ...]] = field(default_factory=list)
    kv: KvLayout | None = None


Turn = UserTurn | Answer


@dataclass(slots=True, kw_only=True, eq=False)
class Conversation:
    """A chat: turns in order, the person and the model in alternation.

    Attributes:
        chat_id: Unique, also after a restart.
        title: First words, or what the person called it; empty at first.
        created_ms: Unix time in milliseconds.
        changed_ms: When something was last said in it, Unix time in milliseconds.
        is_pinned: Whether it stays on top.
        is_archived: Whether it is out of the way.
        folder: Name of the folder it is in; empty for none.
        draft: What was typed and not sent.
        leaf_id: The last turn of the branch that is shown, as far as it is known.
        is_read: Whether its turns are here; those of an earlier run are read when it is opened.
        settings: Hold from the next answer on.
        n_left_out: Turns at the beginning that the model no longer sees.
        tree: Every turn of every branch, in the order they were made.
        turns: The branch that is shown, from the first turn to the last.
    """

    chat_id: str = field(default_factory=new_id)
    title: str = ""
    created_ms: int = field(default_factory=now_ms)
    changed_ms: int = field(default_factory=now_ms)
    is_pinned: bool = False
    is_archived: bool = False
    folder: str = ""
    draft: str = ""
    leaf_id: str | None = None
    is_read: bool = True
    settings: ChatSettings = field(default_factory=ChatSettings)
    n_left_out: int = 0
    tree: list[Turn] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever said in it."""
        return self.is_read and not self.tree

    def add(self, turn: Turn) -> None:
        """Append a turn to the branch that is shown."""
        turn.parent_id = self.turns[-1].turn_id if self.turns else None
        self.tree.append(turn)
        self.turns.append(turn)
        self.leaf_id = turn.turn_id

    def fill(self, tree: Sequence[Turn]) -> None:
        """Take over the turns of every branch, and show the branch of `leaf_id`."""
        self.tree = list(tree)
        self.is_read = True
        self.show_branch(self.leaf_id)

    def show_branch(self, leaf_id: str | None) -> None:
        """Show the branch that ends in a turn; the newest where there is no such turn."""
        by_id = {turn.turn_id: turn for turn in self.tree}
        turn = by_id.get(leaf_id or "") or (self.tree[-1] if self.tree else None)
        branch: list[Turn] = []
        # A turn is taken once, whatever a damaged file says of parents.
        while turn is not None and by_id.pop(turn.turn_id, None) is not None:
            branch.append(turn)
            turn = by_id.get(turn.parent_id or "")
        self.turns = branch[::-1]
        self.leaf_id = self.turns[-1].turn_id if self.turns else None


def title_of(text: str, *, max_characters: int = 48) -> str:
    """The first words of a message, as the title of its chat."""
    words = " ".join(text.split())
    if len(words) <= max_characters:
        return words
    return words[:max_characters].rsplit(" ", 1)[0] + "…"


def history_of(turns: Sequence[Turn]) -> tuple[ChatMessage, ...]:
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
