"""Widgets side by side, in as many lines as the width asks for."""

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget


class FlowRow(QWidget):
    """Places its widgets from left to right, and goes on below where they end."""

    def __init__(self, spacing: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spacing = spacing
        self._widgets: list[QWidget] = []
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, widget: QWidget) -> None:
        """Place a widget after the others."""
        widget.setParent(self)
        widget.installEventFilter(self)
        self._widgets.append(widget)
        self._place()

    def eventFilter(self, watched: QWidget, event: QEvent) -> bool:  # type: ignore[override] # widgets only
        """Close the gap that a hidden widget leaves."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._place()
        return super().eventFilter(watched, event)

    def hasHeightForWidth(self) -> bool:
        """Narrower is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of the lines at `width`, pixels."""
        return max((place.bottom() + 1 for _, place in self._places(width)), default=0)

    def sizeHint(self) -> QSize:
        """In one line."""
        hints = [widget.sizeHint() for widget in self._shown()]
        width = sum(hint.width() for hint in hints) + self._spacing * max(0, len(hints) - 1)
        return QSize(width, max((hint.height() for hint in hints), default=0))

    def minimumSizeHint(self) -> QSize:
        """As wide as the widest, and as high as one."""
        hints = [widget.minimumSizeHint() for widget in self._shown()]
        widest = max((hint.width() for hint in hints), default=0)
        return QSize(widest, max((hint.height() for hint in hints), default=0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place them anew."""
        super().resizeEvent(event)
        self._place()

    def _shown(self) -> list[QWidget]:
        return [widget for widget in self._widgets if not widget.isHidden()]

    def _places(self, width: int) -> Iterator[tuple[QWidget, QRect]]:
        x = y = highest = 0
        for widget in self._shown():
            hint = widget.sizeHint()
            if x and x + hint.width() > width:
                x, y, highest = 0, y + highest + self._spacing, 0
            yield widget, QRect(x, y, min(hint.width(), max(1, width)), hint.height())
            x += hint.width() + self._spacing
            highest = max(highest, hint.height())

    def _place(self) -> None:
        for widget, place in self._places(self.width()):
            widget.setGeometry(place)
        self.updateGeometry()
