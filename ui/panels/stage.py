"""Shows a widget larger than it draws itself, as far as it fits."""

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import QWidget

_STEP = 0.95
_LEAST = 1.0


class Stage(QWidget):
    """A picture of one widget, painted again whenever that wants to be.

    The widget itself is not on screen. `release` has to be called before the stage goes.
    """

    def __init__(self, widget: QWidget, scale: float) -> None:
        """Show `widget` at most `scale` times as large."""
        super().__init__()
        self._most = scale
        self._scale = scale
        self._widget = widget
        widget.setParent(None)
        widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        widget.installEventFilter(self)

    @property
    def scale_ratio(self) -> float:
        """How much larger the widget is shown."""
        return self._scale

    def set_scale(self, scale: float) -> None:
        """Show it at most so much larger."""
        self._most = scale
        self._fit()

    def release(self) -> None:
        """Let the widget be one on screen again."""
        self._widget.removeEventFilter(self)
        self._widget.hide()
        self._widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen, False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Paint what the widget would paint."""
        if event.type() in (QEvent.Type.UpdateRequest, QEvent.Type.LayoutRequest):
            self.update()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit anew."""
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the widget."""
        painter = QPainter(self)
        painter.scale(self._scale, self._scale)
        flags = QWidget.RenderFlag.DrawChildren
        self._widget.render(painter, QPoint(), QRegion(), flags)
        painter.end()

    def _fit(self) -> None:
        scale = max(self._most, _LEAST)
        while scale > _LEAST and self._height_at(self.width() / scale) * scale > self.height():
            scale = max(_LEAST, scale * _STEP)
        self._scale = scale
        self._widget.resize(round(self.width() / scale), round(self.height() / scale))
        self.update()

    def _height_at(self, width: float) -> int:
        """What the widget needs at this width."""
        layout = self._widget.layout()
        self._widget.resize(round(width), self._widget.height())
        if layout is None:
            return self._widget.sizeHint().height()
        layout.activate()
        if layout.hasHeightForWidth():
            return layout.totalHeightForWidth(round(width))
        return layout.totalMinimumSize().height()
