"""A conversation in memory. Owned by the main thread, changed by session and library only."""

import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from app.attachments import Attachment, with_attachments
from app.chat_settings import ChatSettings
from app.history import History
from app.ids import new_id
from app.messages import UserMessage
from app.reasoning import answer_in
from app.text import cut
from engine.events import FinishReason
from engine.figures import Figures, RequestTrace
from engine.values import ChatMessage, KvLayout, Role


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
        text: What was typed.
        attachments: Files that went along.
        turn_id: Unique, also after a restart.
        parent_id: The turn before; None for the first.
        created_ms: Unix time in milliseconds.
    """

    text: str
    attachments: tuple[Attachment, ...] = ()
    turn_id: str = field(default_factory=new_id)
    parent_id: str | None = None
    created_ms: int = field(default_factory=now_ms)

    @property
    def message(self) -> ChatMessage:
        """What the model is given of it: what was typed, and the files."""
        content = with_attachments(self.text, self.attachments)
        return ChatMessage(role=Role.USER, content=content)


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
        step_ends: How long `text` was after each step of `trace`, in characters.
        inspected: How the tokens of each of these steps were chosen, as `Step.inspected`; not kept.
        kv: How the KV cache it ran in is laid out; None for an answer of an earlier run.
        n_continuations: How often the model went on after it had ended. `trace` and `figures`
            are those of the last time.
        continued_from: How long `text` was when the model went on last, in characters.
        is_edited: Whether a person has changed what the model had said.
        before: How an answer that goes on was measured before it did; None for any other.
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
    n_continuations: int = 0
    continued_from: int = 0
    is_edited: bool = False
    before: "Measured | None" = None

    @property
    def message(self) -> ChatMessage:
        """What the model is given of it: not what it thought."""
        return ChatMessage(role=Role.ASSISTANT, content=answer_in(self.text))

    @property
    def can_continue(self) -> bool:
        """Whether it ended before the model had said all: by length, stopped, or failed midway."""
        if not self.phase.is_over or not self.text.strip():
            return False
        return self.finish_reason not in (FinishReason.END, FinishReason.STOP_STRING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What is known of an answer beside its text; as in `Answer`."""

    figures: Figures | None
    felt_ttft_ns: int | None
    n_ctx: int | None
    model_name: str | None
    engine_name: str | None
    settings: str | None


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
        draft_attachments: Files that would go along with it.
        draft_paths: Files that are still being read for it.
        leaf_id: The last turn of the branch that is shown, as far as it is known.
        is_read: Whether its turns are here; those of an earlier run are read when it is opened.
        settings: Hold from the next answer on.
        first_seen: Ids of turns that are the first which the model sees of their branches.
        tree: Every turn of every branch, in the order they were made.
        turns: The branch that is shown, from the first turn to the last.
        seen, unseen: What the model is given of the branch, and what it no longer is.
    """

    chat_id: str = field(default_factory=new_id)
    title: str = ""
    created_ms: int = field(default_factory=now_ms)
    changed_ms: int = field(default_factory=now_ms)
    is_pinned: bool = False
    is_archived: bool = False
    folder: str = ""
    draft: str = ""
    draft_attachments: tuple[Attachment, ...] = ()
    draft_paths: tuple[str, ...] = ()
    leaf_id: str | None = None
    is_read: bool = True
    settings: ChatSettings = field(default_factory=ChatSettings)
    first_seen: set[str] = field(default_factory=set)
    tree: list[Turn] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    seen: History = field(default_factory=History)
    unseen: History = field(default_factory=History)
    _children: dict[str | None, list[Turn]] = field(default_factory=dict)
    _last_shown: dict[str | None, Turn] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever said in it."""
        return self.is_read and not self.tree

    @property
    def is_worth_keeping(self) -> bool:
        """Whether there is anything in it to be written."""
        return not self.is_empty or self.has_draft

    @property
    def has_draft(self) -> bool:
        """Whether something waits to be sent."""
        return bool(self.draft or self.draft_attachments or self.draft_paths)

    def add(self, turn: Turn) -> None:
        """Append a turn to the branch that is shown."""
        turn.parent_id = self.turns[-1].turn_id if self.turns else None
        self.tree.append(turn)
        self._children.setdefault(turn.parent_id, []).append(turn)
        self._last_shown[turn.parent_id] = turn
        self.turns.append(turn)
        self.leaf_id = turn.turn_id

    def add_variant(self, turn: Turn, of: Turn) -> None:
        """Append a turn in the place of `of`, which is in the branch that is shown and stays."""
        del self.turns[self.turns.index(of) :]
        self.add(turn)

    def fill(self, tree: Sequence[Turn]) -> None:
        """Take over the turns of every branch, and show the branch of `leaf_id`."""
        self._set_tree(list(tree))
        self.is_read = True
        self.show_branch(self.leaf_id)

    def take_over(self, read: "Conversation") -> None:
        """Have the turns of `read`, which nobody else has, as another thread has filled it."""
        self.tree, self.turns, self.leaf_id = read.tree, read.turns, read.leaf_id
        self._children, self._last_shown = read._children, read._last_shown
        self.seen = read.seen
        self.is_read = True

    def show_branch(self, leaf_id: str | None) -> None:
        """Show the branch that ends in a turn; the newest where there is no such turn."""
        by_id = {turn.turn_id: turn for turn in self.tree}
        leaf = by_id.get(leaf_id or "") or (self.tree[-1] if self.tree else None)
        self.turns = self.branch_of(leaf)
        self.leaf_id = self.turns[-1].turn_id if self.turns else None
        self._last_shown |= {turn.parent_id: turn for turn in self.turns}

    def show_through(self, turn: Turn) -> None:
        """Show the branch through `turn` that was looked at last, else its newest."""
        found = {turn.turn_id}
        while (below := self._children.get(turn.turn_id)) is not None:
            turn = self._last_shown.get(turn.turn_id, below[-1])
            if turn.turn_id in found:
                break
            found.add(turn.turn_id)
        self.show_branch(turn.turn_id)

    def remove_variant(self, turn: Turn) -> list[tuple[int, Turn]]:
        """Take a variant and all that follows it away, and show the one beside it.

        Returns what `restore` brings back: turns, with their places in `tree`.
        """
        beside = self.variants(turn)
        place = beside.index(turn)
        gone, waiting = {turn.turn_id}, [turn]
        while waiting:
            below = self._children.get(waiting.pop().turn_id, [])
            waiting += [other for other in below if other.turn_id not in gone]
            gone |= {other.turn_id for other in below}
        removed = [item for item in enumerate(self.tree) if item[1].turn_id in gone]
        self._set_tree([other for other in self.tree if other.turn_id not in gone])
        self.show_through(beside[place - 1 if place else 1])
        return removed

    def restore(self, removed: Sequence[tuple[int, Turn]]) -> None:
        """Bring back what `remove_variant` took, and show it."""
        tree = list(self.tree)
        for place, turn in removed:
            tree.insert(place, turn)
        self._set_tree(tree)
        self.show_through(removed[0][1])

    def _set_tree(self, tree: list[Turn]) -> None:
        self.tree = tree
        self._children = {}
        for turn in tree:
            self._children.setdefault(turn.parent_id, []).append(turn)
        kept = {turn.turn_id for turn in tree}
        self._last_shown = {
            parent_id: turn for parent_id, turn in self._last_shown.items() if turn.turn_id in kept
        }

    def branch_of(self, leaf: Turn | None) -> list[Turn]:
        """The turns from the first one to `leaf`."""
        if self.turns and leaf is self.turns[-1]:
            return list(self.turns)
        by_id = {turn.turn_id: turn for turn in self.tree}
        branch: list[Turn] = []
        # A turn is taken once, whatever a damaged file says of parents.
        while leaf is not None and by_id.pop(leaf.turn_id, None) is not None:
            branch.append(leaf)
            leaf = by_id.get(leaf.parent_id or "")
        return branch[::-1]

    def variants(self, turn: Turn) -> list[Turn]:
        """The turns that stand in one place of the conversation, `turn` among them."""
        beside = self._children.get(turn.parent_id, [turn])
        return [other for other in beside if type(other) is type(turn)]

    def last_with_variants(self) -> Turn | None:
        """The last turn of the branch shown that others stand beside."""
        if len(self.tree) == len(self.turns):
            return None
        return next(
            (
                turn
                for turn in reversed(self.turns)
                if len(self._children[turn.parent_id]) > 1 and len(self.variants(turn)) > 1
            ),
            None,
        )

    def is_leaf(self, turn: Turn) -> bool:
        """Whether nothing follows a turn, in whatever branch."""
        return not self._children.get(turn.turn_id)

    @property
    def n_left_out(self) -> int:
        """How many turns at the beginning of the branch shown the model no longer sees."""
        return self.n_left_out_of(self.turns)

    def n_left_out_of(self, branch: Sequence[Turn]) -> int:
        """How many turns at the beginning of a branch the model no longer sees."""
        if not self.first_seen:
            return 0
        seen = (index for index, turn in enumerate(branch) if turn.turn_id in self.first_seen)
        return max(seen, default=0)


MOST_TITLE_CHARACTERS = 200


def title_of(text: str, *, max_characters: int = 48) -> str:
    """The first words of a message, as the title of its chat."""
    words = " ".join(text.split())
    if len(words) <= max_characters:
        return words
    return cut(words, max_characters).rsplit(" ", 1)[0] + "…"


def first_title(turn: UserTurn) -> str:
    """The title of a chat that begins with this message: its first words, else its first file."""
    return title_of(turn.text) or (title_of(turn.attachments[0].name) if turn.attachments else "")
