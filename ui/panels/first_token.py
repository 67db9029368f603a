"""Panel: what the person waits for before the first token, turn by turn."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF

from app.telemetry import TelemetryStore
from app.turns import Turn
from ui.counts import tokens_of
from ui.format import axis_duration_ns, duration_ns, format_duration_ns
from ui.panels.canvas import Canvas
from ui.panels.explain.legend import LegendEntry
from ui.panels.layouts import BuiltIn
from ui.panels.panel import LivePanel, Reading
from ui.panels.time_axis import TimeAxis
from ui.theme import Theme

if TYPE_CHECKING:
    from ui.palette import ColorName

_MOST_BARS = 12
_WIDEST_SLOT = 44.0
_BAR_SHARE = 0.5


class FirstTokenPanel(LivePanel):
    """TTFT of the last turn, and a bar a turn: queue, template and tokenize, prefill, sampling."""

    key = "first_token"
    layouts = frozenset({BuiltIn.ESSENTIAL, BuiltIn.EXPLAIN})
    is_slow = True
    smallest_top = 1e7

    def definition(self) -> str:
        """What the figure is."""
        return self.tr(
            "TTFT: t_first − t_start, from when the engine takes the request to its first "
            "token; “felt” is from sending to the first text on screen. A bar is a turn: queue "
            "(grey), template and tokenize (dark grey), prefill (orange), first token (blue). "
            "The green line under it is the share of the prompt that was in the KV cache "
            "already. Stamped in the engine process, except “felt”."
        )

    def __init__(self, store: TelemetryStore, theme: Theme, axis: TimeAxis) -> None:
        """Show nothing known yet."""
        super().__init__(store, theme, axis)
        self.graph.point_text = self._text_at
        self._lefts: list[tuple[float, Turn]] = []
        self._right = 0.0

    def plain(self) -> str:
        """In one sentence."""
        return self.tr(
            "How long you wait until the answer begins, since the model has to read all of the "
            "question before it can write."
        )

    def legend(self) -> tuple[LegendEntry, ...]:
        """What the colours mean."""
        return (
            ("phase_waiting", self.tr("queue")),
            ("memory_other_processes", self.tr("template")),
            ("phase_prefill", self.tr("reading (prefill)")),
            ("phase_decode", self.tr("first token")),
            ("phase_cached", self.tr("remembered")),
        )

    def axis_text(self) -> str:
        """What stands side by side."""
        return self.tr("questions →")

    def empty_text(self) -> str:
        """When it shows."""
        return self.tr("Shows with the first token of an answer")

    def read(self) -> Reading:
        """TTFT of the last turn and its cached share."""
        turn = self.store.turn
        if turn is None:
            return Reading(value=duration_ns(None))
        figures = turn.figures
        parts = []
        if turn.felt_ttft_ns is not None:
            felt = format_duration_ns(turn.felt_ttft_ns)
            parts.append(self.tr("felt {time}").format(time=felt))
        if figures.n_prompt_tokens is not None:
            tokens = tokens_of(figures.n_cached_tokens, figures.n_prompt_tokens)
            parts.append(self.tr("{tokens} from cache").format(tokens=tokens))
        return Reading(value=duration_ns(figures.ttft_ns), context="  ·  ".join(parts))

    def value_at(self, t_s: float) -> str:
        """TTFT of the turn at the hover line."""
        for turn in reversed(self.store.turns):
            if self.store.to_s(turn.t_submit_ns) <= t_s:
                ttft_ns = turn.figures.ttft_ns
                ended = turn.t_end_ns is not None and self.store.to_s(turn.t_end_ns) < t_s
                return "" if ttft_ns is None or ended else format_duration_ns(ttft_ns)
        return ""

    def draw(self, canvas: Canvas) -> None:
        """A stacked bar for each of the last turns."""
        turns = self.store.turns[-_MOST_BARS:]
        self._lefts = []
        stacks = [stack for stack in map(_stack, turns) if stack]
        if not stacks:
            return
        self.fit(canvas, np.array([sum(ns for _, ns in stack) for stack in stacks], float))
        self.label_top(canvas, axis_duration_ns(canvas.top))
        slot = min(canvas.area.width() / max(len(turns), 1), _WIDEST_SLOT * canvas.scale)
        width = round(slot * _BAR_SHARE)
        for index, turn in enumerate(turns):
            left = round(canvas.area.left() + (index + 0.5) * slot - width / 2)
            self._lefts.append((canvas.area.left() + index * slot, turn))
            self._draw_turn(canvas, turn, left, width)
        self._right = canvas.area.left() + len(turns) * slot

    def _text_at(self, x: float) -> str:
        """The parts of the bar under the pointer."""
        under = [turn for left, turn in self._lefts if left <= x < self._right]
        if not under:
            return ""
        figures = under[-1].figures
        parts = (
            (self.tr("queue"), figures.queue_ns),
            (self.tr("template"), figures.prepare_ns),
            (self.tr("prefill"), figures.prefill_ns),
            (self.tr("first token"), figures.first_token_ns),
        )
        return "   ".join(
            f"{name} {format_duration_ns(part_ns)}"
            for name, part_ns in parts
            if part_ns is not None
        )

    def _draw_turn(self, canvas: Canvas, turn: Turn, left: float, width: float) -> None:
        area = canvas.area
        bottom = area.bottom()
        for color, part_ns in _stack(turn):
            height = part_ns / canvas.top * area.height()
            canvas.block(QRectF(left, bottom - height, width, height), self.theme.color(color))
            bottom -= height
        figures = turn.figures
        if figures.n_cached_tokens and figures.n_prompt_tokens:
            share = figures.n_cached_tokens / figures.n_prompt_tokens
            line = QRectF(left, area.bottom() - 1, width * share, 2 * canvas.scale)
            canvas.block(line, self.theme.color("phase_cached"))


def _stack(turn: Turn) -> "list[tuple[ColorName, int]]":
    figures = turn.figures
    parts: list[tuple[ColorName, int | None]] = [
        ("phase_waiting", figures.queue_ns),
        ("memory_other_processes", figures.prepare_ns),
        ("phase_prefill", figures.prefill_ns),
        ("phase_decode", figures.first_token_ns),
    ]
    return [(color, part_ns) for color, part_ns in parts if part_ns]
