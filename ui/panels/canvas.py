"""Turns series into what QPainter draws fastest: lines of pixels, in the pixels of one graph.

One column of pixels gets at most two points of a curve, its lowest and its highest value, so a
long answer costs what a short one costs and no peak is lost. Fills are vertical lines, one a
column: a tenth of the time that filling a path takes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from pyqtgraph.Qt.internals import PrimitiveArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from app.series import FloatArray
from ui.panels.look import scaled_font
from ui.theme import Theme

# Above this many points antialiasing is not seen, and costs.
_SMOOTH_POINTS = 600
_FILL_ALPHA = 38
_DOT_RADIUS = 4.0

_Draw = Callable[[QPainter], None]


@dataclass(slots=True, kw_only=True)
class Labels:
    """Words of a graph.

    Attributes:
        top: Value of the upper grid line.
        bottom: Value of the lower grid line.
        limit: What stands at the upper right.
        empty: Shown instead of curves where there are none.
    """

    top: str = ""
    bottom: str = "0"
    limit: str = ""
    empty: str = ""


@dataclass(slots=True)
class Canvas:
    """Collects what one graph shows, from `area` (pixels) and the view (seconds, 0 to top).

    `scale` makes lines, bars and words larger.
    """

    area: QRectF
    t0_s: float
    t1_s: float
    top: float
    labels: Labels = field(default_factory=Labels)
    scale: float = 1.0
    _draws: list[_Draw] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was drawn."""
        return not self._draws

    def paint(self, painter: QPainter) -> None:
        """Draw everything that was added."""
        for draw in self._draws:
            draw(painter)

    def curve(
        self, t_s: FloatArray, values: FloatArray, color: QColor, *, filled: bool = True
    ) -> None:
        """A curve, broken where values are unknown, with a fill down to zero."""
        x, y = self._x(t_s), self._y(values)
        if not np.isfinite(y).any():
            return
        if filled:
            columns, heights = self._heights(x, y)
            self._columns(columns, heights, self.area.bottom(), color, _FILL_ALPHA)
        polygons = [_polygon(*self._thin(a, b)) for a, b in _runs(x, y)]
        smooth = sum(polygon.size() for polygon in polygons) <= _SMOOTH_POINTS
        pen = QPen(color, self._ink)

        def draw(painter: QPainter) -> None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
            painter.setPen(pen)
            for polygon in polygons:
                painter.drawPolyline(polygon)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

        self._draws.append(draw)

    def bars(self, t_s: FloatArray, values: FloatArray, color: QColor) -> None:
        """One bar a value, two pixels wide where there is room; the highest of a column wins."""
        x, y = self._x(t_s), self._y(values)
        seen = np.isfinite(y) & (x >= self.area.left()) & (x <= self.area.right())
        x, y = x[seen], y[seen]
        if not len(x):
            return
        widest = 2 * self._ink
        room = _middle(np.diff(x)) if len(x) > 1 else 2.0 * widest
        width = max(1, min(widest, int(room / 1.3)))
        columns = np.floor(x)
        starts = _starts(columns)
        tops = np.minimum.reduceat(y, starts)
        alpha = 255 if room >= 2 else 190
        self._columns(
            columns[starts] + width / 2, tops, self.area.bottom(), color, alpha, width=width
        )

    def band(self, t_s: FloatArray, lower: FloatArray, upper: FloatArray, color: QColor) -> None:
        """A stretch between two curves, filled; one of a stack."""
        x = self._x(t_s)
        columns, tops = self._heights(x, self._y(upper))
        _, bottoms = self._heights(x, self._y(lower), columns)
        self._columns(columns, tops, bottoms, color, 217)

    def block(self, rect: QRectF, color: QColor) -> None:
        """A filled rectangle, in pixels."""
        self._draws.append(lambda painter: painter.fillRect(rect, color))

    def level(self, value: float, color: QColor) -> None:
        """A dashed line across, at a value."""
        y = round(float(self._y(np.array([value]))[0])) + 0.5
        pen = QPen(color, self._ink, Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([3, 3])
        line = QLineF(self.area.left(), y, self.area.right(), y)

        def draw(painter: QPainter) -> None:
            painter.setPen(pen)
            painter.drawLine(line)

        self._draws.append(draw)

    def gap(self, t_s: float, lower: float, upper: float, color: QColor) -> None:
        """A dotted line straight up from one value to another."""
        x, y0, y1 = (
            float(edge[0])
            for edge in (
                self._x(np.array([t_s])),
                self._y(np.array([lower])),
                self._y(np.array([upper])),
            )
        )
        pen = QPen(color, self._ink, Qt.PenStyle.DotLine)
        line = QLineF(x, y0, x, y1)

        def draw(painter: QPainter) -> None:
            painter.setPen(pen)
            painter.drawLine(line)

        self._draws.append(draw)

    def dot(
        self,
        t_s: float,
        value: float,
        color: QColor,
        text: str,
        theme: Theme,
        *,
        below: bool = False,
    ) -> QPointF:
        """A dot with words beside it, or `below` that; gives its place, in pixels."""
        place = QPointF(float(self._x(np.array([t_s]))[0]), float(self._y(np.array([value]))[0]))
        font = scaled_font(theme, "caption", self.scale)
        metrics = QFontMetricsF(font)
        width = metrics.horizontalAdvance(text)
        radius = _DOT_RADIUS * self.scale
        left = place.x() + radius + 5
        if left + width > self.area.right():
            left = place.x() - radius - 5 - width
        baseline = place.y() + (metrics.ascent() + radius if below else metrics.ascent() / 2 - 1)

        def draw(painter: QPainter) -> None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            painter.drawEllipse(place, radius, radius)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.setFont(font)
            painter.setPen(theme.color("text"))
            painter.drawText(QPointF(left, baseline), text)

        self._draws.append(draw)
        return place

    @property
    def _ink(self) -> int:
        """Width of a line, in pixels."""
        return max(1, round(self.scale))

    def _columns(
        self,
        columns: FloatArray,
        tops: FloatArray,
        bottoms: FloatArray | float,
        color: QColor,
        alpha: int,
        *,
        width: int = 1,
    ) -> None:
        if not len(columns):
            return
        lines = PrimitiveArray(QLineF, 4)
        lines.resize(len(columns))
        memory = lines.ndarray()
        memory[:, 0] = memory[:, 2] = columns
        memory[:, 1], memory[:, 3] = bottoms, tops
        ink = QColor(color)
        ink.setAlpha(alpha)
        pen = QPen(ink, width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)

        def draw(painter: QPainter) -> None:
            painter.setPen(pen)
            painter.drawLines(*lines.drawargs())

        self._draws.append(draw)

    def _heights(
        self, x: FloatArray, y: FloatArray, columns: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """The curve's height at the middle of each column of pixels that it covers."""
        if columns is None:
            columns = np.arange(self.area.left(), self.area.right()) + 0.5
        known = np.isfinite(y)
        if not known.any():
            return np.empty(0), np.empty(0)
        after = np.searchsorted(x, columns)
        inside = (after > 0) & (after < len(x))
        after = np.clip(after, 1, max(1, len(x) - 1))
        if len(x) > 1:
            inside &= known[after] & known[after - 1]
        columns = columns[inside]
        return columns, np.interp(columns, x[known], y[known])

    def _thin(self, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        inside = slice(
            max(0, int(np.searchsorted(x, self.area.left())) - 1),
            int(np.searchsorted(x, self.area.right())) + 1,
        )
        x, y = x[inside], y[inside]
        if len(x) > 2 * self.area.width():
            starts = _starts(np.floor(x))
            highest, lowest = np.minimum.reduceat(y, starts), np.maximum.reduceat(y, starts)
            x, y = np.repeat(x[starts], 2), np.stack((highest, lowest), axis=1).ravel()
        return x, y

    def _x(self, t_s: FloatArray) -> FloatArray:
        scale = self.area.width() / (self.t1_s - self.t0_s)
        return self.area.left() + (t_s - self.t0_s) * scale

    def _y(self, values: FloatArray) -> FloatArray:
        return self.area.bottom() - values * (self.area.height() / self.top)


def _middle(values: FloatArray) -> float:
    """One in the middle of their order; `np.median` takes 20 ms to be loaded."""
    place = len(values) // 2
    return float(np.partition(values, place)[place])


def _starts(columns: FloatArray) -> NDArray[np.intp]:
    """Where each stretch of equal values begins."""
    return np.concatenate(([0], np.flatnonzero(columns[1:] != columns[:-1]) + 1))


def _runs(x: FloatArray, y: FloatArray) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Stretches without a gap."""
    edges = np.flatnonzero(np.diff(np.isfinite(y).astype(np.int8), prepend=0, append=0))
    for begin, end in zip(edges[::2], edges[1::2], strict=True):
        if end - begin > 1:
            yield x[begin:end], y[begin:end]


def _polygon(x: FloatArray, y: FloatArray) -> QPolygonF:
    polygon: QPolygonF = pg.functions.arrayToQPolygonF(x, y)
    return polygon
