"""Widgets below each other; in two columns where there is room beside."""

import math
from collections.abc import Sequence

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSpacerItem, QVBoxLayout, QWidget

from ui.panels.explain.flow_text import FlowText
from ui.panels.explain.sized import Sized
from ui.panels.look import USUAL, PanelLook

# In pixels of the usual size.
_LEAST_WIDE = 620
_BETWEEN = 28


class Halves(QWidget):
    """A first half and a second one, beside it or below it.

    Each half is a row of widgets that know their height; None is a larger gap.
    """

    def __init__(
        self, first: Sequence[Sized | None], second: Sequence[Sized | None], *, gap: int, wide: int
    ) -> None:
        """`gap` is between two widgets, `wide` where a new part begins; in usual pixels."""
        super().__init__()
        self._look = USUAL
        self._gap, self._wide = gap, wide
        self._halves = (tuple(first), tuple(second))
        self._spacers: list[QSpacerItem] = []
        self._columns = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._columns.setContentsMargins(0, 0, 0, 0)
        self._parts: list[QVBoxLayout] = []
        self._places: list[QWidget] = []
        self._half: int | None = None
        for half in self._halves:
            place = QWidget()
            part = QVBoxLayout(place)
            part.setContentsMargins(0, 0, 0, 0)
            for widget in half:
                if widget is None:
                    spacer = QSpacerItem(0, wide)
                    self._spacers.append(spacer)
                    part.addSpacerItem(spacer)
                else:
                    part.addWidget(widget)
            part.addStretch(1)
            self._parts.append(part)
            self._places.append(place)
            self._columns.addWidget(place, 1)
        self._space()

    @property
    def is_beside(self) -> bool:
        """Whether the halves stand side by side."""
        return self._columns.direction() is QBoxLayout.Direction.LeftToRight

    def show_half(self, half: int | None) -> None:
        """Show only the first (0) or the second (1); both where it is None."""
        self._half = half
        for number, place in enumerate(self._places):
            place.setVisible(half in (None, number))
        self._turn(self.width())

    def set_look(self, look: PanelLook) -> None:
        """Take other sizes."""
        self._look = look
        for half in self._halves:
            for widget in half:
                if widget is not None:
                    widget.set_look(look)
        self._turn(self.width())
        self._space()

    def height_at(self, width: int) -> int:
        """Pixels that all take at a width."""
        is_beside = self._fits_beside(width)
        between = round(_BETWEEN * self._look.text)
        each = (width - between) // 2 if is_beside else width
        heights = [
            self._height_of(half, each)
            for number, half in enumerate(self._halves)
            if self._half in (None, number)
        ]
        known = [height for height in heights if height]
        if is_beside:
            return max(known, default=0)
        return sum(known) + self._px(self._wide) * (len(known) - 1 if known else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stand side by side where there is room."""
        super().resizeEvent(event)
        self._turn(event.size().width())

    def _height_of(self, half: Sequence[Sized | None], width: int) -> int:
        shown = [each for each in half if each is None or not each.isHidden()]
        heights = [
            self._px(self._wide)
            if each is None
            else math.ceil(each.height_for(width)) + 1
            if isinstance(each, FlowText)
            else each.height()
            for each in shown
        ]
        return sum(heights) + self._px(self._gap) * max(len(shown) - 1, 0)

    def _fits_beside(self, width: int) -> bool:
        return self._half is None and width >= _LEAST_WIDE * self._look.text

    def _turn(self, width: int) -> None:
        direction = QBoxLayout.Direction
        wanted = direction.LeftToRight if self._fits_beside(width) else direction.TopToBottom
        if wanted is not self._columns.direction():
            self._columns.setDirection(wanted)
            self._space()

    def _space(self) -> None:
        between = _BETWEEN if self.is_beside else self._wide
        self._columns.setSpacing(self._px(between))
        for part in self._parts:
            part.setSpacing(self._px(self._gap))
        for spacer in self._spacers:
            spacer.changeSize(0, self._px(self._wide))
        self._columns.invalidate()

    def _px(self, usual: int) -> int:
        return round(usual * self._look.text)
