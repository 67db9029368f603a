"""What stands around code, the same in a part of its own and amid prose."""

from PySide6.QtCore import QCoreApplication, QRect, QRectF, QSize
from PySide6.QtGui import QPainter, QPen

from ui.markdown.visible import visible
from ui.theme import Theme

_LONGEST_LANGUAGE = 40
_RADIUS = 10
_COPY_TOP = 4
_COPY_RIGHT = 8


def language_text(language: str) -> str:
    """What code is called whose fence names a language, or none."""
    return visible(language[:_LONGEST_LANGUAGE]) or QCoreApplication.translate("CodePart", "code")


def copy_place(head: QRect, size: QSize) -> QRect:
    """Where in the head of code its button stands that has a size."""
    left = head.left() + head.width() - _COPY_RIGHT - size.width()
    return QRect(left, head.top() + _COPY_TOP, size.width(), size.height())


def paint_code_frame(
    painter: QPainter, theme: Theme, place: QRect, *, begins: bool = True, ends: bool = True
) -> None:
    """Paint the frame of code, or a piece of it from one side to the other."""
    painter.save()
    painter.setClipRect(place)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("line"), 1))
    painter.setBrush(theme.color("code"))
    above, below = (0 if begins else 2 * _RADIUS), (0 if ends else 2 * _RADIUS)
    frame = QRectF(place).adjusted(0.5, 0.5 - above, -0.5, below - 0.5)
    painter.drawRoundedRect(frame, _RADIUS, _RADIUS)
    painter.restore()
