"""Where a model thinks aloud: the marks that models set around it, and the answer without it."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.transcript import Answer

# What opens it, and what closes it.
MARKS: dict[str, str] = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "<seed:think>": "</seed:think>",
    "<|begin_of_thought|>": "<|end_of_thought|>",
    "[THINK]": "[/THINK]",
    "◁think▷": "◁/think▷",
}
LONGEST_MARK = max(len(mark) for mark in (*MARKS, *MARKS.values()))

_OPENING = re.compile("|".join(re.escape(mark) for mark in MARKS))
# A template may have opened it in the prompt. Closing marks amid a line are only talked about.
_CLOSING = re.compile(
    "^[ \t]*(" + "|".join(re.escape(mark) for mark in MARKS.values()) + ")", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class ReasoningSpan:
    """Reasoning in a text: characters `begin` to `end`, its marks at both ends included.

    `inner_begin` and `inner_end` leave the marks out. `is_closed` is False while it goes on.
    """

    begin: int
    inner_begin: int
    inner_end: int
    end: int
    is_closed: bool


class ReasoningWatch:
    """Finds the reasoning that an answer begins with, while the answer grows.

    What a look costs depends on what came since the last one.
    """

    def __init__(self) -> None:
        """Begin with an empty text."""
        self.span: ReasoningSpan | None = None
        self._is_decided = False
        self._n_seen = 0

    def look(self, text: str, *, is_last: bool) -> int | None:
        """Where the answer proper begins in `text`; None while that is not known."""
        since = max(0, self._n_seen - LONGEST_MARK)
        self._n_seen = len(text)
        if not self._is_decided:
            self._decide(text, is_last=is_last)
        span = self.span
        if span is not None and span.is_closed:
            return span.end
        if span is not None:
            closing = MARKS[text[span.begin : span.inner_begin]]
            end = text.find(closing, max(span.inner_begin, since))
            is_closed = end >= 0
            inner_end = end if is_closed else len(text)
            stop = end + len(closing) if is_closed else len(text)
            self.span = ReasoningSpan(span.begin, span.inner_begin, inner_end, stop, is_closed)
            return stop if is_closed else None
        if not self._is_decided:
            return None
        self._look_for_closing(text, since)
        return self.span.end if self.span is not None else 0

    def _decide(self, text: str, *, is_last: bool) -> None:
        begin = len(text) - len(text.lstrip())
        opening = _OPENING.match(text, begin)
        if opening is not None:
            self.span = ReasoningSpan(begin, opening.end(), len(text), len(text), False)
            self._is_decided = True
        else:
            start = text[begin : begin + LONGEST_MARK]
            may_begin = not start or any(mark.startswith(start) for mark in MARKS)
            self._is_decided = is_last or not may_begin

    def _look_for_closing(self, text: str, since: int) -> None:
        line_begin = text.rfind("\n", 0, since) + 1 if text.rfind("\n", 0, since) >= 0 else 0
        n_fences, n_counted = 0, 0
        for closing in _CLOSING.finditer(text, max(line_begin, since - LONGEST_MARK)):
            n_fences += text.count("```", n_counted, closing.start())
            n_counted = closing.start()
            if n_fences % 2:
                continue
            self.span = ReasoningSpan(0, 0, closing.start(), closing.end(), True)
            return


def without_reasoning(text: str) -> str:
    """The answer proper; an answer that is still being thought about is empty."""
    begin = ReasoningWatch().look(text, is_last=True)
    return "" if begin is None else text[begin:].lstrip("\n")


def with_other_answer(text: str, answer: str) -> str:
    """What was thought in `text`, as it is there, and then `answer`; unended thoughts end."""
    thought = text[: len(text) - len(without_reasoning(text))]
    watch = ReasoningWatch()
    watch.look(text, is_last=True)
    if watch.span is not None and not watch.span.is_closed:
        thought += f"\n{MARKS[text[watch.span.begin : watch.span.inner_begin]]}\n\n"
    return thought + answer


def answer_in(text: str) -> str:
    """What a text says beside reasoning; one without reasoning as it is, white space included."""
    # All answers of a chat are asked for at each pause in typing; almost all have no marks.
    begins = _OPENING.match(text, len(text) - len(text.lstrip())) is not None
    if not begins and not any(mark in text for mark in MARKS.values()):
        return text
    begin = ReasoningWatch().look(text, is_last=True)
    if begin is None:
        return ""
    return text[begin:].lstrip("\n") if begin else text


def reasoning_figures(answer: "Answer", span: ReasoningSpan) -> tuple[int, int | None]:
    """Tokens of the steps whose text ended in the reasoning, and how long these took, ns.

    From the step before it, or the end of the prefill; None when the stamps are not there, or
    those only of what came when the answer was continued, or the machine slept meanwhile.
    """
    trace, ends = answer.trace, answer.step_ends
    if answer.continued_from > span.begin:
        return 0, None
    first = bisect_right(ends, span.begin)
    stop = min(bisect_right(ends, span.end), len(trace.step_t_ns))
    if span.is_closed and stop < len(trace.step_t_ns) and _end_before(ends, stop) < span.end:
        # The step that closed it went on with the answer.
        stop += 1
    if stop <= first:
        return 0, None
    before = trace.step_t_ns[first - 1] if first else trace.t_prefill_end_ns
    t_begin = trace.step_t_ns[first] if before is None else before
    return sum(trace.step_n_tokens[first:stop]), trace.span_ns(trace.step_t_ns[stop - 1], t_begin)


def _end_before(ends: Sequence[int], stop: int) -> int:
    return ends[stop - 1] if stop else 0
