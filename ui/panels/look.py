"""How large a panel is drawn, and whether it explains itself."""

from dataclasses import dataclass

from PySide6.QtGui import QFont

from ui.theme import FontName, Theme


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelLook:
    """Sizes of a panel, as ratios of the usual ones.

    Attributes:
        text: Of names, labels and lines.
        value: Of the current value.
        graph_height: Least height of the graph in pixels; None where the panel's own will do.
        is_explained: Whether legend and plain sentence are shown.
        is_bounded: Whether all has to fit into the height there is, and be smaller if need be.
    """

    text: float = 1.0
    value: float = 1.0
    graph_height: int | None = None
    is_explained: bool = False
    is_bounded: bool = False

    def font(self, theme: Theme, name: FontName) -> QFont:
        """A font of the theme at the size of names and labels."""
        return scaled_font(theme, name, self.text)


def scaled_font(theme: Theme, name: FontName, ratio: float) -> QFont:
    """A font of the theme, larger."""
    font = theme.font(name)
    if ratio != 1.0:
        font.setPixelSize(round(font.pixelSize() * ratio))
    return font


USUAL = PanelLook()
LARGE = PanelLook(text=1.2, value=1.5, graph_height=112, is_explained=True)
