"""A graph: pyqtgraph's view with one item that paints grid, curves, labels and hover line.

One item and no ViewBox: measured at a third of the cost of pyqtgraph's stock curves and axes.
"""

from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsScene,
    QGraphicsView,
    QSizePolicy,
    QStyleOptionGraphicsItem,
    QWidget,
)

from ui.panels.canvas import Canvas
from ui.panels.look import scaled_font
from ui.panels.sizes import PLOT_LEFT, PLOT_RIGHT, TICKS_HEIGHT
from ui.panels.time_axis import TimeAxis
from ui.panels.time_ticks import LaidOutTexts, paint_ticks
from ui.panels.wheel import ZOOM_PER_NOTCH, turn_wheel
from ui.theme import Theme

_PLOT_TOP = 14
_PLOT_BOTTOM = 7
_TIMES_FROM_HEIGHT = 72
_MIN_HEIGHT = 52
_KEY_STEP = 0.1

HoverText = Callable[[float], str]


class _Picture(pg.GraphicsObject):  # type: ignore[misc] # pyqtgraph is untyped
    """Everything a graph shows, in pixels of its view."""

    def __init__(self, graph: "Graph") -> None:
        super().__init__()
        self._graph = graph

    def boundingRect(self) -> QRectF:
        return QRectF(self._graph.viewport().rect())

    def paint(
        self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None
    ) -> None:
        self._graph.paint_picture(painter)


class Graph(pg.GraphicsView):  # type: ignore[misc] # pyqtgraph is untyped
    """Paints a `Canvas`, and moves the shared time axis: wheel, drag, keys, double click.

    The wheel: see `turn_wheel`. Keys: left and right pan, plus and minus zoom, Home follows again,
    with Shift the hover line moves.

    Signals:
        stale(): Its size changed, so the canvas must be made again.
    """

    stale = Signal()

    def __init__(self, theme: Theme, axis: TimeAxis, hover_text: HoverText) -> None:
        """Show nothing yet."""
        super().__init__(background=None)
        self._theme = theme
        self._axis = axis
        self._hover_text = hover_text
        self._canvas: Canvas | None = None
        self._drag_x: float | None = None
        self._point_x: float | None = None
        self.point_text: HoverText | None = None
        """For a graph whose axis is not time: the words for a place, in pixels."""
        self._picture = _Picture(self)
        self.scene().addItem(self._picture)
        self.scene().setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setOptimizationFlags(
            QGraphicsView.OptimizationFlag.DontSavePainterState
            | QGraphicsView.OptimizationFlag.DontAdjustForAntialiasing
        )
        self._texts = LaidOutTexts(theme)
        self._scale = 1.0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMinimumHeight(_MIN_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.CrossCursor)
        axis.hover_changed.connect(self.refresh)
        self.restyle()

    @property
    def area(self) -> QRectF:
        """Where curves are drawn, in pixels."""
        size = self.viewport().size()
        below = TICKS_HEIGHT if self._shows_times else _PLOT_BOTTOM
        left, right, top, bottom = (
            round(edge * self._scale) for edge in (PLOT_LEFT, PLOT_RIGHT, _PLOT_TOP, below)
        )
        return QRectF(
            left, top, max(1, size.width() - left - right), max(1, size.height() - top - bottom)
        )

    @property
    def _shows_times(self) -> bool:
        """Low ones leave that to the strip above them: the curve needs the room."""
        return self.point_text is None and self.height() >= _TIMES_FROM_HEIGHT * self._scale

    @property
    def scale_ratio(self) -> float:
        """How much larger than usual its words and lines are."""
        return self._scale

    def set_scale(self, ratio: float) -> None:
        """Make its words and lines larger."""
        if ratio != self._scale:
            self._scale = ratio
            self._texts.forget()
            self.stale.emit()

    @property
    def canvas(self) -> Canvas | None:
        """What it shows."""
        return self._canvas

    def set_canvas(self, canvas: Canvas) -> None:
        """Show this from now on."""
        self._canvas = canvas
        self._picture.update()

    def refresh(self) -> None:
        """Paint again what is shown."""
        self._picture.update()

    def restyle(self) -> None:
        """Take the colours of the theme."""
        self.setBackground(self._theme.color("panel"))

    def paint_picture(self, painter: QPainter) -> None:
        """Paint everything. Called by the item only."""
        canvas = self._canvas
        if canvas is None:
            return
        area = self.area
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(self._theme.color("line"), 1))
        for share in (0.0, 1.0) if canvas.is_empty else (0.0, 0.5, 1.0):
            y = int(area.top() + share * area.height())
            painter.drawLine(int(area.left()), y, int(area.right()), y)
        painter.save()
        painter.setClipRect(area.adjusted(0, -1, 0, 1))
        canvas.paint(painter)
        painter.restore()
        self._paint_labels(painter, canvas, area)
        if self._shows_times and not canvas.is_empty:
            paint_ticks(
                painter,
                area,
                self._axis,
                (canvas.t0_s, canvas.t1_s),
                theme=self._theme,
                texts=self._texts,
                scale=self._scale,
            )
        if self.point_text is None and self._axis.hover_s is not None:
            self._paint_hover(painter, area, self._axis.hover_s)
        elif self.point_text is not None and self._point_x is not None:
            self._paint_chip(painter, area, self._point_x, self.point_text(self._point_x))
        if self.hasFocus():
            painter.setPen(QPen(self._theme.color("accent"), 1))
            painter.drawRoundedRect(QRectF(self.viewport().rect()).adjusted(2, 0, -3, -1), 5, 5)

    def sizeHint(self) -> QSize:
        """Tall enough to read, and no more."""
        return QSize(320, 72 if self.point_text is not None else 80)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the pointer or pan, where that is not for what scrolls."""
        turn_wheel(event, self._axis, self._time_at(event.position().x()), self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to pan."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._drag_x = event.position().x()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pan while a button is held, else move the hover line."""
        x = event.position().x()
        if self.point_text is not None:
            self._point_x = x
            self.refresh()
            return
        if self._drag_x is not None:
            self._axis.pan(self._time_at(self._drag_x) - self._time_at(x))
            self._drag_x = x
        inside = self.area.left() <= x <= self.area.right()
        self._axis.set_hover(self._time_at(x) if inside else None)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """Stop panning."""
        self._drag_x = None

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        """Follow the answer again."""
        self._axis.follow()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pan, zoom, follow, and move the hover line."""
        t0_s, t1_s = self._axis.view_s
        step_s = (t1_s - t0_s) * _KEY_STEP
        middle_s = (t0_s + t1_s) / 2
        around_s = middle_s if self._axis.hover_s is None else self._axis.hover_s
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        match event.key():
            case Qt.Key.Key_Left | Qt.Key.Key_Right as key:
                by_s = -step_s if key == Qt.Key.Key_Left else step_s
                if shifted:
                    self._axis.set_hover(min(max(around_s + by_s / 5, t0_s), t1_s))
                else:
                    self._axis.pan(by_s)
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self._axis.zoom(ZOOM_PER_NOTCH, around_s)
            case Qt.Key.Key_Minus:
                self._axis.zoom(1 / ZOOM_PER_NOTCH, around_s)
            case Qt.Key.Key_Home:
                self._axis.follow()
            case _:
                event.ignore()

    def leaveEvent(self, event: QEvent) -> None:
        """Take the hover line away."""
        super().leaveEvent(event)
        self._point_x = None
        self._axis.set_hover(None)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Ask for a canvas of the new size."""
        super().resizeEvent(event)
        # pyqtgraph resizes once while it is being constructed.
        if hasattr(self, "_picture"):
            self._picture.prepareGeometryChange()
            self.stale.emit()

    def _time_at(self, x: float) -> float:
        t0_s, t1_s = self._axis.view_s
        area = self.area
        return t0_s + (x - area.left()) / area.width() * (t1_s - t0_s)

    def _paint_labels(self, painter: QPainter, canvas: Canvas, area: QRectF) -> None:
        labels = canvas.labels
        painter.setFont(scaled_font(self._theme, "caption", self._scale))
        painter.setPen(self._theme.color("muted"))
        if canvas.is_empty:
            painter.setFont(scaled_font(self._theme, "secondary", self._scale))
            words = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(area, words, labels.empty)
            return
        for text, right, middle in (
            (labels.top, area.left() - 7 * self._scale, area.top()),
            (labels.bottom, area.left() - 7 * self._scale, area.bottom()),
            (labels.limit, area.right(), area.top() - 8 * self._scale),
        ):
            if text:
                laid_out = self._texts.get(text, self._scale)
                size = laid_out.size()
                top = round(middle - size.height() / 2)
                painter.drawStaticText(QPointF(round(right - size.width()), top), laid_out)

    def _paint_hover(self, painter: QPainter, area: QRectF, hover_s: float) -> None:
        t0_s, t1_s = self._axis.view_s
        if not t0_s <= hover_s <= t1_s:
            return
        x = int(area.left() + (hover_s - t0_s) / (t1_s - t0_s) * area.width())
        painter.setPen(QPen(self._theme.color("muted"), 1))
        painter.drawLine(x, int(area.top()), x, int(area.bottom()))
        self._paint_chip(painter, area, x, self._hover_text(hover_s))

    def _paint_chip(self, painter: QPainter, area: QRectF, x: float, text: str) -> None:
        if not text:
            return
        font = scaled_font(self._theme, "caption", self._scale)
        width = QFontMetricsF(font).horizontalAdvance(text) + 12 * self._scale
        left = x + 5.0
        if left + width > area.right():
            left = max(1.0, min(x - 5 - width, area.right() - width))
        box = QRectF(left, area.top() + 1, width, 18 * self._scale)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.setBrush(self._theme.color("hover"))
        painter.drawRoundedRect(box.translated(QPointF(0.5, 0.5)), 5, 5)
        painter.setPen(self._theme.color("text"))
        painter.setFont(font)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
