"""Leaves the oldest turns of a conversation out where it does not fit into the context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.values import ChatMessage

# Without a most length of its own an answer is left this share of the context.
_ANSWER_SHARE = 4


def answer_room(max_tokens: int | None, n_ctx: int) -> int:
    """Tokens to keep for an answer: what it may take, and at most half of the context."""
    return min(n_ctx // _ANSWER_SHARE if max_tokens is None else max_tokens, n_ctx // 2)


def fitting(
    messages: Sequence[ChatMessage],
    *,
    count: Callable[[Sequence[ChatMessage]], int],
    max_tokens: int | None,
    n_ctx: int,
) -> tuple[tuple[ChatMessage, ...], int]:
    """What is left of a conversation so that it fits, and how many messages were left out.

    System messages at the top stay, and so does the last message. When anything has to go, so
    much goes that a quarter of the room is free again: each cut costs a prefill of all that is
    left, so it is not to happen at every turn.

    Args:
        messages: The conversation, system messages first.
        count: Tokens of a prompt.
        max_tokens: Most tokens of the answer, None where only the context bounds it.
        n_ctx: Context size, tokens.
    """
    room = n_ctx - answer_room(max_tokens, n_ctx)
    whole = tuple(messages)
    if count(whole) <= room:
        return whole, 0
    n_head = next((i for i, item in enumerate(whole) if item.role is not Role.SYSTEM), len(whole))
    head, rest = whole[:n_head], whole[n_head:]
    starts = [i for i, item in enumerate(rest) if i > 0 and item.role is Role.USER]
    if not starts:
        return whole, 0
    wanted = room * 3 // 4
    low, high = 0, len(starts) - 1
    while low < high:
        middle = (low + high) // 2
        if count((*head, *rest[starts[middle] :])) <= wanted:
            high = middle
        else:
            low = middle + 1
    return (*head, *rest[starts[low] :]), starts[low]
