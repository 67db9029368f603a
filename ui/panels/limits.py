"""Panel: how near prefill and decode come to what the device reaches at most."""

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QApplication, QVBoxLayout

from app.ceilings import CeilingStore
from app.roofline import Point, Roofline, roofline_of
from app.telemetry import TelemetryStore
from engine.ceilings.measure import CannotMeasureReason
from ui.format import (
    bandwidth,
    compute_rate,
    format_date,
    format_percent,
    format_rate,
    percent,
    significant,
)
from ui.panels.canvas import Canvas
from ui.panels.explain.legend import LegendEntry
from ui.panels.layouts import BuiltIn
from ui.panels.look import PanelLook
from ui.panels.measure_row import MeasureRow
from ui.panels.panel import LivePanel, Reading
from ui.panels.roof_axis import RoofAxis, axis_number, round_above, round_below
from ui.panels.time_axis import TimeAxis
from ui.theme import Theme

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF

_GRAPH_HEIGHT = 118
# Beside and below the outermost points, in powers of ten.
_ROOM = 0.45
_NEAR_PX = 14.0
_NEAR_SHARE = 0.8


class LimitsPanel(LivePanel):
    """A roofline: the two ceilings of the device, and the last answer under them."""

    key = "limits"
    layouts = frozenset({BuiltIn.HARDWARE, BuiltIn.EXPLAIN})
    is_slow = True

    def __init__(
        self, store: TelemetryStore, theme: Theme, axis: TimeAxis, ceilings: CeilingStore
    ) -> None:
        """Show what was measured earlier, and offer to measure."""
        super().__init__(store, theme, axis)
        self._ceilings = ceilings
        self._dots: list[tuple[QPointF, str]] = []
        self.graph.point_text = self._text_at
        self.graph.setMinimumHeight(_GRAPH_HEIGHT)
        self.axis_below = RoofAxis(
            theme, (self.tr("↑ GFLOP/s"), self.tr("operations for each byte read →"))
        )
        self._row = MeasureRow(theme)
        self._origin, self.measure_button = self._row.sentence, self._row.button
        self.measure_button.clicked.connect(self._measure)
        body = self.widget().layout()
        assert isinstance(body, QVBoxLayout)
        body.addWidget(self.axis_below)
        body.addWidget(self._row)
        ceilings.changed.connect(self.refresh_text)
        ceilings.changed.connect(self.refresh_graph)
        store.running_changed.connect(self._on_running_changed)
        self.refresh_text()

    @property
    def origin_text(self) -> str:
        """What stands below the graph."""
        return self._origin.text()

    def definition(self) -> str:
        """What the figure is."""
        return self.tr(
            "A roofline. Decode reads all weights and the KV cache for each token, so memory "
            "bandwidth is its limit: bandwidth / (bytes of weights + of KV cache). Prefill works "
            "on many tokens each time it reads the weights, so computing is its limit. Under the "
            "slope memory limits, under the flat part computing does. To the right: operations "
            "per byte read; upwards: operations per second (GFLOP/s: thousand millions of them), "
            "two for each weight, without those of attention. In brackets stands the number format "
            "that was measured: int8 are whole numbers of 8 bits, float16 and float32 are numbers "
            "of 16 and 32. Both limits are the best this "
            "device reached when it was measured: reading a large buffer, multiplying large "
            "matrices. A small quantized model stays well below, since unpacking its weights "
            "takes time. Blank where a GPU and the processor share the layers: each has limits of "
            "its own."
        )

    def empty_text(self) -> str:
        """When it shows."""
        if self.store.loaded is None:
            return self.tr("Shows when a model is loaded")
        return self.tr("Shows when this device was measured")

    def plain(self) -> str:
        """In one sentence."""
        return self.tr(
            "How near the model comes to the best of this device: writing the answer waits for "
            "memory, as each token needs all weights, reading the prompt for computing."
        )

    def legend(self) -> tuple[LegendEntry, ...]:
        """What the colours mean."""
        return (
            ("muted", self.tr("what the device allows")),
            ("phase_prefill", self.tr("reading (prefill)")),
            ("phase_decode", self.tr("writing (decode)")),
        )

    def axis_text(self) -> str:
        """Nothing: its axes are labelled."""
        return ""

    def read(self) -> Reading:
        """Share of decode, else of prefill."""
        roof = roofline_of(self.store)
        if roof is None or (roof.decode is None and roof.prefill is None):
            return Reading(value=percent(None))
        prefill = "" if roof.prefill is None else self._prefill_text(roof.prefill)
        if roof.decode is None:
            return Reading(value=percent(None), context=prefill)
        decode = self.tr("decode, of what memory allows")
        context = "  ·  ".join(part for part in (decode, prefill) if part)
        return Reading(value=percent(roof.decode.share), context=context)

    def value_at(self, _t_s: float) -> str:
        """Nothing: its axis is not time."""
        return ""

    def show_body(self, look: PanelLook) -> None:
        """With its words and the button at the size of the others."""
        super().show_body(look)
        # Its words stay next to the graph, whatever explains it.
        body = self._body.layout()
        assert isinstance(body, QVBoxLayout)
        body.removeWidget(self.axis_below)
        body.insertWidget(body.indexOf(self.graph) + 1, self.axis_below)
        self.axis_below.set_look(look)
        self._row.set_look(look)

    def refresh_text(self) -> None:
        """Show what is known now."""
        super().refresh_text()
        self._show_button()
        self._origin.setText(self._find_origin())

    def draw(self, canvas: Canvas) -> None:
        """The roof, both phases, and how far below it they lie."""
        self._dots = []
        roof = roofline_of(self.store)
        if roof is None:
            self.axis_below.clear()
            return
        points = [
            (self.tr("prefill"), roof.prefill, self.theme.color("phase_prefill")),
            (self.tr("decode"), roof.decode, self.theme.color("phase_decode")),
        ]
        known = [(name, point, color) for name, point, color in points if point is not None]
        ridge = (roof.matrix_flop_per_s or 0) / roof.ceilings.read_bytes_per_s or 1.0
        log_x = [math.log10(ridge), *(math.log10(point.flop_per_byte) for _, point, _ in known)]
        x0, x1 = min(log_x) - 2 * _ROOM, max(log_x) + 2 * _ROOM
        peak = roof.matrix_flop_per_s or 10**x1 * roof.ceilings.read_bytes_per_s
        log_y = [math.log10(peak), *(math.log10(point.flop_per_s) for _, point, _ in known)]
        if not known:
            log_y.append(math.log10(10**x0 * roof.ceilings.read_bytes_per_s))
        y0 = math.log10(round_below(10 ** (min(log_y) - _ROOM)))
        y1 = math.log10(round_above(10 ** (math.log10(peak) + _ROOM / 2)))
        canvas.t0_s, canvas.t1_s, canvas.top = x0, x1, y1 - y0
        canvas.labels.top, canvas.labels.bottom = (axis_number(10**y / 1e9) for y in (y1, y0))
        self.axis_below.show_range(canvas.area, x0, x1)
        canvas.labels.limit = self._peak_text(roof)
        at = np.array([x0, min(max(math.log10(ridge), x0), x1), x1])
        flop_per_s = np.minimum(10**at * roof.ceilings.read_bytes_per_s, peak)
        canvas.curve(at, np.log10(flop_per_s) - y0, self.theme.color("muted"))
        faint = self.theme.color("faint")
        for name, point, color in known:
            x, y = math.log10(point.flop_per_byte), math.log10(point.flop_per_s) - y0
            canvas.gap(x, y, min(math.log10(point.limit_flop_per_s), y1) - y0, faint)
            words = f"{name} {format_percent(point.share)}"
            # The line of the roof would strike through them.
            is_near = point.share > _NEAR_SHARE
            place = canvas.dot(x, y, color, words, self.theme, below=is_near)
            self._dots.append((place, self._point_text(name, point)))

    def _prefill_text(self, prefill: Point) -> str:
        """The share of prefill, and of what."""
        share = format_percent(prefill.share)
        if prefill.is_memory_limited:
            return self.tr("prefill {share} of what memory allows").format(share=share)
        return self.tr("prefill {share} of what computing allows").format(share=share)

    def _text_at(self, x: float) -> str:
        """The dot near the pointer."""
        near = [text for place, text in self._dots if abs(place.x() - x) <= _NEAR_PX]
        return near[-1] if near else ""

    def _point_text(self, name: str, point: Point) -> str:
        intensity = self.tr("{n} operations per byte").format(n=significant(point.flop_per_byte))
        limit = format_rate(point.rate_tok_per_s / point.share)
        rate = self.tr("{rate} of {limit}").format(
            rate=format_rate(point.rate_tok_per_s), limit=limit
        )
        return f"{name}  {rate}  ·  {compute_rate(point.flop_per_s)}  ·  {intensity}"

    def _peak_text(self, roof: Roofline) -> str:
        if roof.matrix_flop_per_s is None or roof.number_format is None:
            return ""
        return self.tr("computing: {rate} ({format})").format(
            rate=compute_rate(roof.matrix_flop_per_s), format=roof.number_format
        )

    def _find_origin(self) -> str:
        """Where the roof comes from, or why there is none."""
        if self._ceilings.measuring is not None:
            return self.tr("Measuring, which takes a few seconds…")
        if self._ceilings.problem is not None:
            return self._problem_text(self._ceilings.problem)
        loaded = self.store.loaded
        known = None if loaded is None else self._ceilings.of_device(loaded.engine.device)
        if known is None:
            return ""
        when = format_date(known.measured_ms)
        read = bandwidth(known.read_bytes_per_s)
        if known.is_disturbed:
            return self.tr(
                "{bandwidth} read, measured {date}. Too low to compare with: other work took "
                "{share} of the processor meanwhile."
            ).format(bandwidth=read, date=when, share=format_percent(known.others_ratio))
        return self.tr("{bandwidth} read, measured {date}").format(bandwidth=read, date=when)

    def _problem_text(self, problem: CannotMeasureReason) -> str:
        match problem:
            case CannotMeasureReason.NO_MEMORY:
                return self.tr("Not measured: too little memory is free. Close something.")
            case CannotMeasureReason.NO_TORCH:
                return self.tr("Not measured: a GPU is measured with PyTorch, which is not there.")
            case CannotMeasureReason.NO_DEVICE:
                return self.tr("Not measured: PyTorch does not see this device.")
            case CannotMeasureReason.FAILED:
                return self.tr("Not measured: it failed. The log of the window says why.")
            case CannotMeasureReason.INTERRUPTED:
                return self.tr("Not measured: a model began to answer or to load meanwhile.")
            case CannotMeasureReason.DISTURBED:
                return self.tr(
                    "Not measured again: other work took the processor. The earlier result stays."
                )

    def _on_running_changed(self, running: bool) -> None:
        if running:
            # Each would slow the other down, and what was measured be kept for a limit.
            self._ceilings.cancel()
        self._show_button()

    def _show_button(self) -> None:
        loaded, running = self.store.loaded, self.store.is_running
        known = loaded is not None and self._ceilings.of_device(loaded.engine.device) is not None
        self._row.name_button(self.tr("Measure again") if known else self.tr("Measure this device"))
        self._enable_button(loaded is not None and not running and self._ceilings.measuring is None)
        if running:
            tip = self.tr("Not while a model answers or loads: each would slow the other down.")
        else:
            tip = self.tr("Takes a few seconds and all cores, and is kept for later.")
        self.measure_button.setToolTip(tip)

    def _enable_button(self, enabled: bool) -> None:
        # A button that is disabled would hand its focus to what stands elsewhere.
        if not enabled and self.measure_button.hasFocus():
            self._origin.setFocus()
        self.measure_button.setEnabled(enabled)
        if enabled and QApplication.focusWidget() is self._origin:
            self.measure_button.setFocus()

    def _measure(self) -> None:
        loaded = self.store.loaded
        if loaded is not None and not self.store.is_running:
            self._ceilings.measure(loaded.engine.device)
