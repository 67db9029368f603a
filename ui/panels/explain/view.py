"""What a panel that explains shows in place of a graph."""

from dataclasses import replace

from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.panels.explain.halves import Halves
from ui.panels.look import USUAL, PanelLook
from ui.panels.sizes import body_side

_TOP, _BOTTOM = 8, 6
_BLOCK_GAP = 12
# Each halves what the size may be off by.
_TRIES = 5


class ExplainView(QWidget):
    """Blocks below each other, which can be drawn larger. Sub-classes fill them."""

    def __init__(self) -> None:
        """Show no blocks."""
        super().__init__()
        self._look = USUAL
        # What it was fitted to last, where it is.
        self._fitted: tuple[PanelLook, int, int] | None = None
        self._blocks: list[Halves] = []
        self._half: int | None = None
        self._side = body_side(USUAL.text)
        self._layout = QVBoxLayout(self)
        self._space()

    @property
    def look(self) -> PanelLook:
        """The sizes it has."""
        return self._look

    def refresh(self) -> None:
        """Show what is known now."""
        raise NotImplementedError

    def add_block(self, block: Halves) -> None:
        """Show a block below the others."""
        block.set_look(self._look)
        block.show_half(self._half)
        self._blocks.append(block)
        self._layout.addWidget(block)

    def show_half(self, half: int | None) -> None:
        """Show only the first (0) or the second (1) half of each block; both where it is None."""
        self._half, self._fitted = half, None
        for block in self._blocks:
            block.show_half(half)

    def set_look(self, look: PanelLook) -> None:
        """Take other sizes."""
        if not look.is_bounded:
            self._side = body_side(look.text)
        self._fitted = None
        self._look = look
        for block in self._blocks:
            block.set_look(look)
        self._space()

    def fit(self, look: PanelLook, width: int, height: int) -> None:
        """Take the sizes of a look, or the largest below at which all finds room."""
        fitted = look, width, height
        # The smallest need not be looked for again.
        if fitted == self._fitted and (self._look.text <= 1 or self.height_at(width) <= height):
            return
        # However small it gets, it begins where the head does.
        self._side = body_side(look.text)
        self.set_look(look)
        if self._look.text > 1 and self.height_at(width) > height:
            self._shrink(look, width, height)
        self._fitted = fitted

    def _shrink(self, look: PanelLook, width: int, height: int) -> None:
        """The smaller the text, the less height all takes."""
        self.set_look(replace(look, text=1.0))
        if self.height_at(width) > height:
            return
        fits, too_large = 1.0, look.text
        for _ in range(_TRIES):
            middle = (fits + too_large) / 2
            self.set_look(replace(look, text=middle))
            if self.height_at(width) > height:
                too_large = middle
            else:
                fits = middle
        self.set_look(replace(look, text=fits))

    def height_at(self, width: int) -> int:
        """Pixels that all take at a width."""
        scale = self._look.text
        room = width - 2 * self._side
        heights = [block.height_at(room) for block in self._blocks if not block.isHidden()]
        between = round(_BLOCK_GAP * scale) * max(len(heights) - 1, 0)
        return round((_TOP + _BOTTOM) * scale) + sum(heights) + between

    def _space(self) -> None:
        scale = self._look.text
        top, bottom = (round(edge * scale) for edge in (_TOP, _BOTTOM))
        self._layout.setContentsMargins(self._side, top, self._side, bottom)
        self._layout.setSpacing(round(_BLOCK_GAP * scale))
