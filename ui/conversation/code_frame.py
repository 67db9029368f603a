"""What code looks like in an answer, whether it is a part of its own or stands in prose."""

from PySide6.QtCore import QCoreApplication, QRectF
from PySide6.QtGui import QPainter, QPen

from ui.markdown.visible import visible
from ui.theme import Theme

_LONGEST_LANGUAGE = 40
_RADIUS = 10


def language_text(language: str) -> str:
    """What code in a language is called."""
    return visible(language[:_LONGEST_LANGUAGE]) or QCoreApplication.translate("CodePart", "code")


def paint_code_frame(
    painter: QPainter, theme: Theme, frame: QRectF, *, begins: bool = True, ends: bool = True
) -> None:
    """Paint the frame of code, or the piece of it in `frame`, which has a top and a bottom or not.

    Pieces that meet at whole pixels look like one.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(frame)
    painter.setPen(QPen(theme.color("line"), 1))
    painter.setBrush(theme.color("code"))
    above, below = 0.5 if begins else -2.0 * _RADIUS, -0.5 if ends else 2.0 * _RADIUS
    painter.drawRoundedRect(frame.adjusted(0.5, above, -0.5, below), _RADIUS, _RADIUS)
    painter.restore()
