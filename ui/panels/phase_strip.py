"""The phase strip: what the engine was doing, on the axis of the panels."""

import html
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.phases import Phase, PhaseSpan
from app.telemetry import TelemetryStore
from ui.format import format_duration_ns
from ui.panels.look import scaled_font
from ui.panels.sizes import (
    BAR_HEIGHT,
    BAR_TOP,
    CARD_SIDE,
    LEGEND_HEIGHT,
    LEGEND_TOP,
    PLOT_LEFT,
    PLOT_RIGHT,
    STRIP_HEIGHT,
)
from ui.panels.time_axis import TimeAxis
from ui.panels.time_ticks import LaidOutTexts, paint_ticks
from ui.theme import Theme

if TYPE_CHECKING:
    from ui.palette import ColorName

_LEAST_PIXELS = 2.0
_MARK_WIDTH = 3.0
_SQUARE = 7
_SQUARE_GAP = 4
_ENTRY_GAP = 13

PHASE_COLORS: "dict[Phase, ColorName]" = {
    Phase.WAITING: "phase_waiting",
    Phase.LOAD: "phase_load",
    Phase.COMPILE: "phase_compile",
    Phase.PREFILL: "phase_prefill",
    Phase.DECODE: "phase_decode",
    Phase.STOPPED: "phase_stopped",
    Phase.FAILED: "phase_stopped",
}


class PhaseStrip(QWidget):
    """A bar of phases with the times of all panels below it, and its legend."""

    def __init__(self, store: TelemetryStore, theme: Theme, axis: TimeAxis) -> None:
        """Show what the store has."""
        super().__init__()
        self._store = store
        self._theme = theme
        self._axis = axis
        self._texts = LaidOutTexts(theme)
        self._scale, self._inset = 1.0, 0.0
        self.set_scale(1.0)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Phase"))
        definition = self.tr(
            "What the engine was doing: it reads the prompt (prefill), which is the chat so far, "
            "then writes the answer one token, a piece of a word, after the other (decode). "
            "The green part of a prefill is the share of the prompt that it remembered from before "
            "(in the KV cache), which took no time. Idle where there is no bar. Stamped in the "
            "engine process, except the begin of waiting."
        )
        gestures = self.tr(
            "On the graphs below, Ctrl and the wheel zoom, Shift and the wheel or a drag move, a "
            "double click shows all of the answer again. The times count from its send."
        )
        self.setToolTip(f"<p>{html.escape(definition)}</p><p>{html.escape(gestures)}</p>")
        axis.hover_changed.connect(self.update)
        theme.changed.connect(self.update)

    def set_scale(self, ratio: float, *, inset: float = 0.0) -> None:
        """Draw it larger, its name `inset` pixels from the edge."""
        self._scale = ratio
        self._texts.forget()
        self._inset = inset
        self.setFixedHeight(round(STRIP_HEIGHT * ratio))
        self.update()

    def spans(self) -> list[PhaseSpan]:
        """Phases in view."""
        return list(self._store.phases.between(*self._axis.view_s))

    def refresh_bar(self) -> None:
        """Paint the bar of now."""
        self.update(0, 0, self.width(), int(LEGEND_TOP * self._scale) - 1)

    def refresh(self) -> None:
        """Say and paint what is known now."""
        phase = self._store.phases.at(self._store.now_s)
        spoken = self.name_of(phase)
        if spoken != self.accessibleDescription():
            self.setAccessibleDescription(spoken)
        self.update()

    def name_of(self, phase: Phase | None) -> str:
        """A phase in words."""
        match phase:
            case Phase.WAITING:
                return self.tr("wait")
            case Phase.LOAD:
                return self.tr("load")
            case Phase.COMPILE:
                return self.tr("compiling")
            case Phase.PREFILL:
                return self.tr("prefill")
            case Phase.DECODE:
                return self.tr("decode")
            case Phase.STOPPED:
                return self.tr("stopped")
            case Phase.FAILED:
                return self.tr("failed")
        return self.tr("idle")

    def sizeHint(self) -> QSize:
        """As wide as a panel."""
        return QSize(320, self.height())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the hover line of all panels."""
        area, (t0_s, t1_s) = self._area(), self._axis.view_s
        x = event.position().x()
        inside = area.left() <= x <= area.right()
        share = (x - area.left()) / area.width()
        self._axis.set_hover(t0_s + share * (t1_s - t0_s) if inside else None)

    def leaveEvent(self, event: QEvent) -> None:
        """Take the hover line away."""
        super().leaveEvent(event)
        self._axis.set_hover(None)

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        """Follow the answer again."""
        self._axis.follow()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint bar, times, legend and hover line."""
        painter = QPainter(self)
        area = self._area()
        spans = self.spans()
        painter.setFont(scaled_font(self._theme, "secondary", self._scale))
        painter.setPen(self._theme.color("muted"))
        label = area.adjusted(self._inset - area.left(), -2, -area.width(), 2)
        painter.drawText(label, Qt.AlignmentFlag.AlignVCenter, self.tr("Phase"))
        rounded = QPainterPath()
        rounded.addRoundedRect(area, 4, 4)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillPath(rounded, self._theme.color("line"))
        painter.setClipPath(rounded)
        for span in spans:
            self._paint_span(painter, area, span)
        painter.restore()
        hover_s = self._axis.hover_s
        t0_s, t1_s = self._axis.view_s
        if hover_s is not None and t0_s <= hover_s <= t1_s:
            x = int(area.left() + (hover_s - t0_s) / (t1_s - t0_s) * area.width())
            painter.setPen(QPen(self._theme.color("text"), 1))
            painter.drawLine(x, int(area.top()) - 2, x, int(area.bottom()) + 2)
        if spans:
            painter.setFont(scaled_font(self._theme, "caption", self._scale))
            paint_ticks(
                painter,
                area,
                self._axis,
                (t0_s, t1_s),
                theme=self._theme,
                texts=self._texts,
                scale=self._scale,
            )
        if event.rect().bottom() >= LEGEND_TOP * self._scale:
            self._paint_legend(painter, area, spans)
        painter.end()

    def _area(self) -> QRectF:
        left = CARD_SIDE + round(PLOT_LEFT * self._scale)
        right = CARD_SIDE + round(PLOT_RIGHT * self._scale)
        width = max(1, self.width() - left - right)
        return QRectF(left, BAR_TOP * self._scale, width, BAR_HEIGHT * self._scale)

    def _paint_span(self, painter: QPainter, area: QRectF, span: PhaseSpan) -> None:
        t0_s, t1_s = self._axis.view_s
        scale = area.width() / (t1_s - t0_s)
        end_s = min(self._store.now_s, t1_s) if span.t1_s is None else span.t1_s
        left = area.left() + (span.t0_s - t0_s) * scale
        width = max((end_s - span.t0_s) * scale, _LEAST_PIXELS)
        if span.phase.is_mark:
            left, width = min(left, area.right() - _MARK_WIDTH), _MARK_WIDTH
        rect = QRectF(left, area.top(), width, area.height())
        painter.fillRect(rect, self._theme.color(PHASE_COLORS[span.phase]))
        if span.cached_ratio:
            height = min(span.cached_ratio * rect.height(), rect.height() - 3)
            cached = QRectF(left, rect.bottom() - height, width, height)
            painter.fillRect(cached, self._theme.color("phase_cached"))
        # A hairline keeps neighbours apart for eyes that do not tell their colours.
        painter.fillRect(QRectF(left, rect.top(), 1, rect.height()), self._theme.color("side"))

    def _paint_legend(self, painter: QPainter, area: QRectF, spans: list[PhaseSpan]) -> None:
        font = scaled_font(self._theme, "caption", self._scale)
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        time_text = self._time_text()
        room = area.width() - metrics.horizontalAdvance(time_text)
        entries = self._legend(spans, lambda names: self._legend_width(metrics, names) <= room)
        needed = self._legend_width(metrics, [name for _, name in entries])
        x = area.left() if needed <= area.width() else 0.0
        # Where they are too many they stand closer.
        missing = max(0.0, needed - (area.right() - x)) / max(1, len(entries) - 1)
        between = max(_ENTRY_GAP * self._scale - missing, _SQUARE_GAP * self._scale)
        top, height = LEGEND_TOP * self._scale, LEGEND_HEIGHT * self._scale
        square, gap = _SQUARE * self._scale, _SQUARE_GAP * self._scale
        for color, name in entries:
            block = QRectF(x, top + 5 * self._scale, square, square)
            painter.fillRect(block, self._theme.color(color))
            width = metrics.horizontalAdvance(name)
            painter.setPen(self._theme.color("muted"))
            words = QRectF(x + square + gap, top, width + 2, height)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, name)
            x += square + gap + width + between
        if x + metrics.horizontalAdvance(time_text) > area.right():
            return
        painter.setPen(self._theme.color("muted"))
        painter.drawText(
            QRectF(area.left(), top, area.width(), height),
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight,
            time_text,
        )

    def _time_text(self) -> str:
        """Where the hover line stands, else how long the view is."""
        t0_s, t1_s = self._axis.view_s
        hover_s = self._axis.hover_s
        span = self._store.span_s
        if hover_s is not None and span is not None:
            return format_duration_ns((hover_s - self._axis.zero_s) * 1e9)
        return format_duration_ns((t1_s - t0_s) * 1e9) if span is not None else ""

    def _legend(
        self, spans: list[PhaseSpan], fits: Callable[[list[str]], bool]
    ) -> "list[tuple[ColorName, str]]":
        """The usual phases and those in view; only those in view where that is too long."""
        seen: set[ColorName] = {PHASE_COLORS[span.phase] for span in spans}
        if any(span.cached_ratio for span in spans):
            seen.add("phase_cached")
        entries: dict[ColorName, str] = {
            "phase_waiting": self.name_of(Phase.WAITING),
            "phase_load": self.name_of(Phase.LOAD),
            "phase_compile": self.name_of(Phase.COMPILE),
            "phase_cached": self.tr("from cache"),
            "phase_prefill": self.name_of(Phase.PREFILL),
            "phase_decode": self.name_of(Phase.DECODE),
        }
        broken_off = [span.phase for span in spans if span.phase.is_mark]
        if broken_off:
            entries["phase_stopped"] = self.name_of(broken_off[-1])
        for rare in ("phase_load", "phase_compile"):
            if rare not in seen:
                del entries[rare]
        if not fits(list(entries.values())):
            entries = {color: name for color, name in entries.items() if color in seen}
        return list(entries.items())

    def _legend_width(self, metrics: QFontMetricsF, names: list[str]) -> float:
        each = (_SQUARE + _SQUARE_GAP + _ENTRY_GAP) * self._scale
        return sum(metrics.horizontalAdvance(name) + each for name in names)
