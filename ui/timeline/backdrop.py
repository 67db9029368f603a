"""What of the timeline stands still while the line moves: ruler, names, lanes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap

from ui.ruler import ruler
from ui.theme import Theme
from ui.timeline.lane import Lane, Scene

if TYPE_CHECKING:
    from ui.timeline.chart import TimelineChart

GUTTER_PX = 300
RIGHT_PX = 14
RULER_PX = 24
_LANE_GAP = 16
# Of the words at the ends of the ruler beyond it.
_OVERHANG = 6
_TEXT_WIDTH = 222
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def lane_spans(lanes: Sequence[Lane], top: float, height: int) -> list[tuple[float, float]]:
    """Top and bottom of each lane, below `top` in a widget of `height`."""
    top += 6
    room = height - top - _LANE_GAP * len(lanes)
    whole = sum(lane.weight for lane in lanes)
    spans = []
    for lane in lanes:
        bottom = top + max(1.0, room * lane.weight / whole)
        spans.append((top, bottom))
        top = bottom + _LANE_GAP
    return spans


class Backdrop:
    """Draws everything but the line and the cursors. Names of lanes are laid out once a size."""

    def __init__(self, chart: "TimelineChart") -> None:
        """Draw what `chart` has in view."""
        self._chart = chart
        self._names: QPixmap | None = None
        self._names_are_of: tuple[object, ...] = ()

    def paint(self, painter: QPainter) -> None:
        """Draw the ruler, the names, and the lanes."""
        chart = self._chart
        whole = chart.scene()
        _paint_ruler(painter, whole, chart.axis.zero_s)
        painter.drawPixmap(0, 0, self._laid_out(whole.theme))
        if chart.marks is not None:
            chart.marks.paint_lines(painter, chart.scene(chart.marks), whole.area.bottom())
        for lane in chart.lanes:
            lane.paint(painter, chart.scene(lane))

    def _laid_out(self, theme: Theme) -> QPixmap:
        chart, ratio = self._chart, self._chart.devicePixelRatioF()
        are_of = (chart.size(), ratio, theme.color("text").name())
        if self._names is None or are_of != self._names_are_of:
            self._names_are_of = are_of
            self._names = QPixmap(QSize(GUTTER_PX, chart.height()) * ratio)
            self._names.setDevicePixelRatio(ratio)
            self._names.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._names)
            for lane in chart.lanes:
                _paint_gutter(painter, theme, lane, chart.scene(lane).area)
            painter.end()
        return self._names


def paint_chip(painter: QPainter, scene: Scene, x: float, text: str) -> None:
    """Words on a small ground at the right of the line, or left of it at the edge."""
    if not text:
        return
    painter.setFont(scene.theme.font("caption"))
    width = painter.fontMetrics().horizontalAdvance(text) + 12
    left = x + 6 if x + 6 + width <= scene.area.right() else x - 6 - width
    box = QRectF(left, scene.area.center().y() - 9, width, 18)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setPen(QPen(scene.theme.color("line"), 1))
    painter.setBrush(scene.theme.color("hover"))
    painter.drawRoundedRect(box.translated(0.5, 0.5), 5, 5)
    painter.setPen(scene.theme.color("text"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _paint_ruler(painter: QPainter, scene: Scene, zero_s: float) -> None:
    theme, area = scene.theme, scene.area
    painter.setFont(theme.font("caption"))
    for since_s, text in ruler(scene.t0_s - zero_s, scene.t1_s - zero_s, area.width()):
        x = int(scene.x(zero_s + since_s))
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(x, RULER_PX - 4, x, int(area.bottom()))
        painter.setPen(theme.color("muted"))
        width = painter.fontMetrics().horizontalAdvance(text) + 4
        left = min(max(x - width / 2, area.left() - _OVERHANG), area.right() + _OVERHANG - width)
        painter.drawText(QRectF(left, 0, width, 18), Qt.AlignmentFlag.AlignCenter, text)


def _paint_gutter(painter: QPainter, theme: Theme, lane: Lane, area: QRectF) -> None:
    painter.setFont(theme.font("strong"))
    painter.setPen(theme.color("text"))
    name = QRectF(8, area.top() - 6, _TEXT_WIDTH, 18)
    title = painter.fontMetrics().elidedText(lane.title(), Qt.TextElideMode.ElideRight, _TEXT_WIDTH)
    painter.drawText(name, _LEFT, title)
    painter.setFont(theme.font("caption"))
    painter.setPen(theme.color("muted"))
    text = QRectF(8, name.bottom(), _TEXT_WIDTH, area.height() + _LANE_GAP - 12)
    painter.save()
    painter.setClipRect(text)
    wrapped = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop
    painter.drawText(text, wrapped, lane.sentence())
    painter.restore()
