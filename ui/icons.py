"""Icons in the colours of the theme."""

from pathlib import Path
from typing import Literal

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from ui.palette import ColorName
from ui.theme import Theme

IconName = Literal[
    "adjustments-horizontal",
    "alert-triangle",
    "arrow-down",
    "check",
    "chevron-down",
    "chevron-left",
    "chevron-right",
    "copy",
    "dots",
    "folder-plus",
    "info-circle",
    "maximize",
    "paperclip",
    "pencil",
    "player-track-next",
    "plus",
    "refresh",
    "search",
    "timeline",
    "trash",
    "x",
]

_FOLDER = Path(__file__).resolve().parent.parent / "resources" / "icons"


def icon(theme: Theme, name: IconName, color: ColorName = "muted", size_px: int = 16) -> QIcon:
    """The icon called `name` in a colour of the theme; ask again when the theme changes."""
    screen = QGuiApplication.primaryScreen()
    ratio = screen.devicePixelRatio()
    color_name = theme.color(color).name()
    key = f"oscillama/{name}/{color_name}/{size_px}/{ratio}"
    pixmap = QPixmap()
    if not QPixmapCache.find(key, pixmap):
        pixmap = _drawn(name, color_name, size_px, ratio)
        QPixmapCache.insert(key, pixmap)
    return QIcon(pixmap)


def _drawn(name: IconName, color_name: str, size_px: int, ratio: float) -> QPixmap:
    svg = (_FOLDER / f"{name}.svg").read_bytes()
    svg = svg.replace(b"currentColor", color_name.encode())
    renderer = QSvgRenderer(QByteArray(svg))
    pixmap = QPixmap(QSize(size_px, size_px) * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, size_px, size_px))
    painter.end()
    return pixmap
