"""Shows a widget larger than it draws itself, as far as it fits."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView, QWidget

from ui.theme import Theme

_STEP = 0.92
_LEAST = 1.0


class Stage(QGraphicsView):
    """A view of one widget, which stays alive to pointer and keys; scrolls where it is too high.

    `release` has to be called before it goes, else the widget goes with it.
    """

    def __init__(self, theme: Theme, widget: QWidget, scale: float) -> None:
        """Show `widget` at most `scale` times as large."""
        super().__init__()
        self._most = scale
        self._widget = widget
        self._scene = QGraphicsScene(self)
        widget.setParent(None)
        self._proxy = self._scene.addWidget(widget)
        # It would stand where it stood in its panel.
        self._proxy.setPos(0, 0)
        self.setScene(self._scene)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        self.setBackgroundBrush(theme.color("panel"))

    def set_scale(self, scale: float) -> None:
        """Show it at most so much larger."""
        self._most = scale
        self._fit()

    def release(self) -> QWidget:
        """Give the widget back, at its own size."""
        self._proxy.setWidget(None)  # type: ignore[arg-type] # None takes it out
        return self._widget

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit anew."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.viewport().size()
        scale = max(self._most, _LEAST)
        while scale > _LEAST and self._height_at(room.width() / scale) * scale > room.height():
            scale = max(_LEAST, scale * _STEP)
        width = room.width() / scale
        height = max(self._height_at(width), room.height() / scale)
        self._widget.resize(round(width), round(height))
        self._scene.setSceneRect(QRectF(0, 0, width, height))
        self.resetTransform()
        self.scale(scale, scale)

    def _height_at(self, width: float) -> int:
        self._widget.resize(round(width), self._widget.height())
        layout = self._widget.layout()
        if layout is None:
            return self._widget.sizeHint().height()
        layout.activate()
        if layout.hasHeightForWidth():
            return layout.totalHeightForWidth(round(width))
        return layout.totalMinimumSize().height()
