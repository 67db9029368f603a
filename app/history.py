"""What the model is given of a conversation."""

from __future__ import annotations

from bisect import bisect_left
from itertools import takewhile
from typing import TYPE_CHECKING

from engine.values import ChatMessage

if TYPE_CHECKING:
    from app.transcript import Turn


class History:
    """A branch as the model shall see it. What was made of turns is kept: there may be thousands.

    What the model thought before an answer is not part of it. An answer without text (failed, or
    stopped before its first word) is left out, and the two messages of the person around it
    become one: chat templates want strict alternation.
    """

    def __init__(self) -> None:
        """Nothing was said yet."""
        self._turns: list[Turn] = []
        self._texts: list[str] = []
        self._messages: list[ChatMessage] = []
        # Which turn each message begins with.
        self._starts: list[int] = []

    def messages(self, turns: list[Turn], *more: Turn) -> tuple[ChatMessage, ...]:
        """Those of `turns`, and then of turns that are not kept."""
        self._read(turns)
        messages = list(self._messages)
        for turn in more:
            _append(messages, turn)
        return tuple(messages)

    def n_turns(self, turns: list[Turn], n_messages: int) -> int:
        """How many turns the first `n_messages` of `messages(turns)` are made of."""
        self._read(turns)
        return self._starts[n_messages] if n_messages < len(self._starts) else len(turns)

    def _read(self, turns: list[Turn]) -> None:
        """Go on from where turns and texts are no longer those of the last time."""
        texts = [turn.text for turn in turns]
        n_kept = len(self._texts)
        if self._turns != turns[:n_kept] or self._texts != texts[:n_kept]:
            before = zip(self._turns, self._texts, strict=True)
            pairs = zip(before, zip(turns, texts, strict=True), strict=False)
            n_same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            # The last message that begins before may have words of what comes after.
            n_messages = max(0, bisect_left(self._starts, n_same) - 1)
            n_kept = min([n_same, *self._starts[n_messages : n_messages + 1]])
            del self._turns[n_kept:], self._texts[n_kept:]
            del self._messages[n_messages:], self._starts[n_messages:]
        for index in range(n_kept, len(turns)):
            if _append(self._messages, turns[index]):
                self._starts.append(index)
        self._turns += turns[n_kept:]
        self._texts += texts[n_kept:]


def _append(messages: list[ChatMessage], turn: Turn) -> bool:
    """Add what a turn says; returns whether a message begins with it."""
    message = turn.message
    if not message.content:
        return False
    if messages and messages[-1].role is message.role:
        content = f"{messages[-1].content}\n\n{message.content}"
        messages[-1] = ChatMessage(role=message.role, content=content)
        return False
    messages.append(message)
    return True
