"""The plot of runs as a picture for paper: PNG or SVG, always light, with a legend."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QCoreApplication,
    QIODevice,
    QPointF,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QImageWriter, QPainter, QPen
from PySide6.QtSvg import QSvgGenerator

from ui.palette import LIGHT
from ui.ruler import ruler
from ui.runs.drawing import Curve, PlottedRun, axis_text, curve_title, last_s, make_canvas

_WIDTH, _PLOT_HEIGHT = 1000, 250
_LEFT, _RIGHT, _TOP, _TITLE, _AXIS = 76, 20, 16, 26, 28
_LEGEND_LINE = 20
_TICK = 4
_PNG_SCALE = 2
_FONT_PX = 12

translate = QCoreApplication.translate


def svg_picture(runs: Sequence[PlottedRun], font: QFont) -> bytes:
    """The plot as SVG."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    size = _size(runs)
    generator.setOutputDevice(buffer)
    # As browsers have it: a unit is a pixel.
    generator.setResolution(96)
    generator.setSize(size)
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    generator.setTitle("Oscillama")
    painter = QPainter(generator)
    _paint(painter, size, runs, font)
    painter.end()
    buffer.close()
    return bytes(content.data())


def png_picture(runs: Sequence[PlottedRun], font: QFont) -> bytes:
    """The plot as PNG, two pixels for one of the SVG."""
    size = _size(runs)
    image = QImage(size * _PNG_SCALE, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.scale(_PNG_SCALE, _PNG_SCALE)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    _paint(painter, size, runs, font)
    painter.end()
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    buffer.close()
    return bytes(content.data())


def _size(runs: Sequence[PlottedRun]) -> QSize:
    height = _TOP + len(Curve) * (_TITLE + _PLOT_HEIGHT + _AXIS) + (len(runs) + 1) * _LEGEND_LINE
    return QSize(_WIDTH, height)


def _paint(painter: QPainter, size: QSize, runs: Sequence[PlottedRun], font: QFont) -> None:
    text_font = QFont(font)
    text_font.setPixelSize(_FONT_PX)
    painter.setFont(text_font)
    painter.fillRect(QRectF(0, 0, size.width(), size.height()), QColor(LIGHT["background"]))
    view_s = (0.0, last_s(runs))
    y = float(_TOP)
    for curve in Curve:
        painter.setPen(QColor(LIGHT["text"]))
        painter.drawText(QPointF(_LEFT, y + 14), curve_title(curve))
        since = translate("Runs", "time since each was sent")
        width = QFontMetricsF(painter.font()).horizontalAdvance(since)
        painter.setPen(QColor(LIGHT["muted"]))
        painter.drawText(QPointF(_WIDTH - _RIGHT - width, y + 14), since)
        y += _TITLE
        area = QRectF(_LEFT, y, _WIDTH - _LEFT - _RIGHT, _PLOT_HEIGHT)
        _paint_plot(painter, area, curve, runs, view_s)
        y += _PLOT_HEIGHT + _AXIS
    for run in runs:
        painter.fillRect(QRectF(_LEFT, y + 4, 12, 12), run.color)
        painter.setPen(QColor(LIGHT["text"]))
        room = _WIDTH - _RIGHT - _LEFT - 20
        metrics = QFontMetricsF(painter.font())
        words = metrics.elidedText(run.words, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QPointF(_LEFT + 20, y + 14), words)
        y += _LEGEND_LINE


def _paint_plot(
    painter: QPainter,
    area: QRectF,
    curve: Curve,
    runs: Sequence[PlottedRun],
    view_s: tuple[float, float],
) -> None:
    canvas = make_canvas(curve, runs, area, view_s)
    metrics = QFontMetricsF(painter.font())
    painter.setPen(QPen(QColor(LIGHT["line"]), 1))
    for share in (0.0, 0.5, 1.0):
        y = area.top() + share * area.height()
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
    painter.save()
    painter.setClipRect(area.adjusted(0, -1, 0, 1))
    canvas.paint(painter)
    painter.restore()
    painter.setPen(QColor(LIGHT["muted"]))
    labels = (
        (canvas.labels.top, area.top()),
        (axis_text(curve, canvas.top / 2), area.center().y()),
        (canvas.labels.bottom, area.bottom()),
    )
    for text, y in labels:
        width = metrics.horizontalAdvance(text)
        painter.drawText(QPointF(area.left() - 8 - width, y + 4), text)
    for t_s, text in ruler(*view_s, area.width()):
        width = metrics.horizontalAdvance(text)
        x = area.left() + (t_s - view_s[0]) / (view_s[1] - view_s[0]) * area.width()
        painter.setPen(QPen(QColor(LIGHT["line"]), 1))
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + _TICK))
        left = min(max(x - width / 2, area.left()), area.right() - width)
        painter.setPen(QColor(LIGHT["muted"]))
        painter.drawText(QPointF(left, area.bottom() + 17), text)
    painter.setPen(Qt.PenStyle.NoPen)
