"""Which cells of the KV cache hold which part of a prompt: found after an answer, out of the way.

The place of a message in a prompt is what a template leaves around a stand-in for it. Which tokens
that is follows from the characters that each token completes, remembered for those seen before.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from engine.errors import EngineError
from engine.events import CellKind, CellSpan
from engine.text import REPLACEMENT, Utf8Stream, without_surrogates
from engine.token_prefix import common_prefix
from engine.values import ChatMessage, Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from engine.values import GenerateRequest

    class Render(Protocol):
        """What makes a prompt of messages; `ChatFormat.render` is one."""

        def __call__(self, messages: Sequence[ChatMessage], *, continues: bool = False) -> str:
            """The prompt, up to where the answer begins."""
            ...


_KINDS = {Role.SYSTEM: CellKind.SYSTEM, Role.USER: CellKind.USER, Role.ASSISTANT: CellKind.ANSWER}
# Characters of private use, which no template and no message has.
_STAND_IN = re.compile("\ue0c1(\\d+)\ue0c2")
_END_OF_REASONING = "</think>"
# Tokens, which take some 40 ms.
_ASK_EVERY = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt that was computed.

    Attributes:
        messages: Those in it.
        numbers: Of each, which one of its role it is in the conversation, from 1.
        answer_number: The same of its answer.
        text: As the template wrote it.
        tokens: As the model got it.
        continues: The last message is the beginning of the answer.
    """

    messages: tuple[ChatMessage, ...]
    numbers: tuple[int, ...]
    answer_number: int
    text: str
    tokens: list[int]
    continues: bool = False


class CellMap:
    """Finds the cells of messages. Used from the backend's thread.

    It remembers the last prompt and its text, and 9 bytes more for each token.

    Attributes:
        prompt: What is asked about; None where it was no conversation.
    """

    def __init__(self, shown_bytes: Callable[[int], bytes]) -> None:
        """`shown_bytes` gives the bytes of a token, of a control token its name."""
        self.prompt: Prompt | None = None
        self._shown_bytes = shown_bytes
        self._tokens: list[int] = []
        self._text = ""
        # Where each token ends in the text, and whether that is between two characters.
        self._ends = array("q")
        self._is_boundary = array("b")

    def spans(
        self, render: Render, is_awaited: Callable[[], bool] = lambda: False
    ) -> tuple[CellSpan, ...]:
        """What all tokens of the prompt hold, in order and without gaps; none without a prompt.

        `render` is what made its text from its messages. What cannot be told is UNKNOWN. Once
        `is_awaited`, there are none either; the next call goes on from there.
        """
        prompt = self.prompt
        if prompt is None:
            return ()
        n_tokens = len(prompt.tokens)
        is_spelt = self._walk(prompt.tokens, prompt.text, is_awaited)
        if is_spelt is None:
            return ()
        if not is_spelt:
            return _filled([], n_tokens, CellKind.UNKNOWN)
        places = _places(prompt, render)
        found: list[CellSpan] = []
        begin_tokens = 0
        added = _added_system(prompt, render)
        for index, begin, end in places if added is None else [(None, *added), *places]:
            first = max(self._first_token(begin), begin_tokens)
            last = min(bisect_left(self._ends, end) + 1, n_tokens)
            if first < last:
                if index is None:
                    kind, number = CellKind.ADDED_SYSTEM, 0
                else:
                    kind, number = _KINDS[prompt.messages[index].role], prompt.numbers[index]
                found.append(CellSpan(kind=kind, number=number, begin=first, end=last))
                begin_tokens = last
        is_whole = len(places) == len([item for item in prompt.messages if item.content.strip()])
        return _filled(found, n_tokens, CellKind.TEMPLATE if is_whole else CellKind.UNKNOWN)

    def _first_token(self, at: int) -> int:
        """The token that begins at a character; it may only be a part of it."""
        first = bisect_right(self._ends, at)
        while first and not self._is_boundary[first - 1]:
            first -= 1
        return first

    def _walk(self, tokens: list[int], text: str, is_awaited: Callable[[], bool]) -> bool | None:
        """Find where each token ends; False where they do not spell the text.

        None where it was broken off; what was found until then is kept.
        """
        kept = common_prefix(tokens, self._tokens)
        while kept and not self._is_boundary[kept - 1]:
            kept -= 1
        known = self._ends[kept - 1] if kept else 0
        if self._text[:known] != text[:known]:
            kept = known = 0
        ends, is_boundary = self._ends[:kept], self._is_boundary[:kept]
        stream, shown_bytes = Utf8Stream(), self._shown_bytes
        is_whole = True
        for index in range(kept, len(tokens)):
            if (index + 1) % _ASK_EVERY == 0 and is_awaited():
                is_whole = False
                break
            piece = stream.feed(shown_bytes(tokens[index]))
            # Some tokenizers put a space before a text, or a token that is not in it; and what
            # was cut in the middle of a character is left out of a text.
            for candidate in (piece, piece.removeprefix(" "), piece.lstrip(REPLACEMENT)):
                if text.startswith(candidate, known):
                    known += len(candidate)
                    break
            ends.append(known)
            is_boundary.append(stream.at_boundary)
        is_spelt = known == len(text) if is_whole else None
        self._tokens = [] if is_spelt is False else tokens[: len(ends)]
        self._text = "" if is_spelt is False else text
        self._ends, self._is_boundary = ends, is_boundary
        return is_spelt


def prompt_of(
    request: GenerateRequest, left: Sequence[ChatMessage], text: str, tokens: list[int]
) -> Prompt:
    """A prompt of the messages of a request, of which the oldest may have been left out.

    System messages at the top are never left out.
    """
    messages, n_dropped = request.messages, len(request.messages) - len(left)
    roles = [item.role for item in messages]
    if not request.continues:
        roles.append(Role.ASSISTANT)
    *numbers, answer_number = _numbers_of(roles, request.n_earlier)
    if request.continues:
        numbers.append(answer_number)
    n_head = next((i for i, item in enumerate(messages) if item.role is not Role.SYSTEM), 0)
    return Prompt(
        messages=tuple(left),
        numbers=(*numbers[:n_head], *numbers[n_head + n_dropped : len(messages)]),
        answer_number=answer_number,
        text=text,
        tokens=tokens,
        continues=request.continues,
    )


def _numbers_of(roles: Iterable[Role], earlier: Iterable[tuple[Role, int]]) -> list[int]:
    """Of each message, which one of its role it is, from 1 where there are no earlier ones."""
    seen: Counter[Role] = Counter(dict(earlier))
    numbers = []
    for role in roles:
        seen[role] += 1
        numbers.append(seen[role])
    return numbers


def _places(prompt: Prompt, render: Render) -> list[tuple[int, int, int]]:
    """Index, begin and end (characters of the prompt) of each message that is found, in order.

    Stops at the first that the template changed in a way nobody foresaw.
    """
    texts, indexes = _around(_stand_ins(prompt), render, continues=prompt.continues)
    if not texts or not prompt.text.startswith(texts[0]):
        return []
    at, found = len(texts[0]), []
    for index, after in zip(indexes, texts[1:], strict=True):
        content = without_surrogates(prompt.messages[index].content)
        answer = content.rpartition(_END_OF_REASONING)[2]
        for candidate in (content, content.strip(), answer, answer.strip()):
            end = at + len(candidate)
            if prompt.text.startswith(candidate, at) and prompt.text.startswith(after, end):
                found.append((index, at, end))
                at = end + len(after)
                break
        else:
            break
    return found


def _added_system(prompt: Prompt, render: Render) -> tuple[int, int] | None:
    """Begin and end (characters) of the system prompt that the template adds by itself.

    It stands between what the template puts before and after a system message it is given.
    """
    if not prompt.messages or prompt.messages[0].role is Role.SYSTEM:
        return None
    stand_ins = _stand_ins(prompt)
    given = ChatMessage(role=Role.SYSTEM, content=_stand_in(len(stand_ins)))
    without, _ = _around(stand_ins, render, continues=prompt.continues)
    texts, indexes = _around([given, *stand_ins], render, continues=prompt.continues)
    if not without or not indexes or indexes[0] != len(stand_ins):
        return None
    head, before, after = without[0], texts[0], texts[1]
    begin, end = len(before), len(head) - len(after)
    is_between = head.startswith(before) and head.endswith(after) and head[begin:end].strip()
    return (begin, end) if is_between and prompt.text.startswith(head) else None


def _stand_ins(prompt: Prompt) -> list[ChatMessage]:
    """The messages, each with a stand-in for what it says."""
    return [
        ChatMessage(role=message.role, content=_stand_in(index) if message.content else "")
        for index, message in enumerate(prompt.messages)
    ]


def _stand_in(index: int) -> str:
    return f"\ue0c1{index}\ue0c2"


def _around(
    stand_ins: Sequence[ChatMessage], render: Render, *, continues: bool
) -> tuple[list[str], list[int]]:
    """What the template writes around stand-ins, and which those are; nothing if it refuses."""
    try:
        parts = _STAND_IN.split(render(stand_ins, continues=continues))
    except EngineError:
        return [], []
    return parts[0::2], [int(part) for part in parts[1::2]]


def _filled(found: list[CellSpan], n_tokens: int, rest: CellKind) -> tuple[CellSpan, ...]:
    """The spans with what is between them; past the last, what is `rest`."""
    spans: list[CellSpan] = []
    at = 0
    for span in found:
        if at < span.begin:
            spans.append(CellSpan(kind=CellKind.TEMPLATE, begin=at, end=span.begin))
        spans.append(span)
        at = span.end
    if at < n_tokens:
        spans.append(CellSpan(kind=rest, begin=at, end=n_tokens))
    return tuple(spans)
