"""The panels one below the other: shown, hidden, moved, floated, and remembered."""

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QWidget

from app.layouts import Arrangement
from ui.panels.panel import LivePanel
from ui.panels.sizes import SEPARATOR

_LAYOUT_VERSION = 1


class PanelArea(QMainWindow):
    """A main window inside the column, for the sake of its docks.

    Signals:
        layout_changed(): A panel was shown, hidden, moved or floated.
    """

    layout_changed = Signal()

    def __init__(self, panels: Sequence[LivePanel], parent: QWidget | None = None) -> None:
        """Stack the panels in this order, all hidden."""
        super().__init__(parent, Qt.WindowType.Widget)
        self._panels = {panel.key: panel for panel in panels}
        self._order = [panel.key for panel in panels]
        # Until the person drags the edge of a panel, or a layout of theirs is restored.
        self._shares_evenly = False
        self._is_low = False
        self._evening = QTimer(self)
        self._evening.setSingleShot(True)
        self._evening.setInterval(0)
        self._evening.timeout.connect(self._even)
        self.setDockOptions(QMainWindow.DockOption(0))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        for panel in panels:
            self.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, panel, Qt.Orientation.Vertical)
            panel.hide()
            panel.move_requested.connect(lambda by, panel=panel: self.move_panel(panel, by))
            panel.visibilityChanged.connect(self._on_changed)
            panel.topLevelChanged.connect(self._on_changed)

    @property
    def panels(self) -> tuple[LivePanel, ...]:
        """Every panel, in the order they stand or would stand in."""
        return tuple(self._panels[key] for key in self.order())

    def order(self) -> list[str]:
        """Keys from top to bottom; a panel dragged with the pointer counts where it is now."""
        placed = [key for key in self._order if self._is_placed(self._panels[key])]
        by_place = sorted(placed, key=lambda key: self._panels[key].y())
        following = iter(by_place)
        placed_keys = set(placed)
        self._order = [next(following) if key in placed_keys else key for key in self._order]
        return self._order

    def show_only(self, keys: Sequence[str]) -> None:
        """Show these panels and hide the others."""
        for key, panel in self._panels.items():
            panel.setVisible(key in keys)

    def shown(self) -> list[str]:
        """Keys of the panels that are not hidden."""
        return [key for key in self._order if not self._panels[key].isHidden()]

    def move_panel(self, panel: LivePanel, by: int) -> None:
        """Swap a panel with the shown one above (-1) or below (1) it."""
        order = self.order()
        standing = [
            key
            for key in order
            if not self._panels[key].isHidden() and not self._panels[key].isFloating()
        ]
        if panel.key not in standing:
            return
        target = standing.index(panel.key) + by
        if not 0 <= target < len(standing):
            return
        a, b = order.index(panel.key), order.index(standing[target])
        order[a], order[b] = order[b], order[a]
        self._stack(order)
        panel.header.menu_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def save(self, *, is_large: bool, layout: str) -> Arrangement:
        """How the panels stand, for `restore`; what else is told about them goes with it."""
        shown = self.shown()
        return Arrangement(
            order=tuple(self.order()),
            shown=tuple(shown),
            floating=tuple(key for key in shown if self._panels[key].isFloating()),
            is_large=is_large,
            state=bytes(self.saveState(_LAYOUT_VERSION).data()),
            layout=layout,
        )

    def restore(self, arrangement: Arrangement) -> bool:
        """Let the panels stand as they did. False, and nothing changed, when Qt refuses."""
        order = [key for key in arrangement.order if key in self._panels]
        if not self.restoreState(QByteArray(arrangement.state), _LAYOUT_VERSION):
            return False
        self._order = order + [key for key in self._order if key not in order]
        self._shares_evenly = False
        return True

    def fit_into(self, height: int) -> None:
        """Make graphs a little lower where all find room in a height then, and nothing scrolls."""
        placed = [panel for panel in self.panels if self._is_placed(panel)]
        gives = sum(panel.gives_px for panel in placed)
        least = sum(panel.minimumSizeHint().height() for panel in placed)
        least += SEPARATOR * max(len(placed) - 1, 0) + gives * self._is_low
        is_low = 0 < least - height <= gives
        if is_low != self._is_low:
            self._is_low = is_low
            for panel in self._panels.values():
                panel.set_low(is_low)
            if self._shares_evenly:
                self._evening.start()

    def share_evenly(self) -> None:
        """Give each panel the height it needs, and what is left to the graphs, in equal parts."""
        self._shares_evenly = True
        self._evening.start()

    def reset(self) -> None:
        """Every panel back in its place, none floating; what is shown stays shown."""
        for panel in self._panels.values():
            panel.setFloating(False)
        self._stack(list(self._panels))

    def event(self, event: QEvent) -> bool:
        """What is pressed here and not in a panel is an edge between two."""
        # Panels leave to what they stand in what is pressed on their texts.
        if (
            event.type() is QEvent.Type.MouseButtonPress
            and isinstance(event, QMouseEvent)
            and self.childAt(event.position().toPoint()) is None
        ):
            self._shares_evenly = False
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new height."""
        super().resizeEvent(event)
        if self._shares_evenly:
            self._evening.start()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Floating panels close with the column."""
        for panel in self._panels.values():
            if panel.isFloating():
                panel.hide()
        super().closeEvent(event)

    def _stack(self, order: list[str]) -> None:
        shown = set(self.shown())
        floating = {key for key, panel in self._panels.items() if panel.isFloating()}
        for key in order:
            if key in floating:
                continue
            panel = self._panels[key]
            self.removeDockWidget(panel)
            self.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, panel, Qt.Orientation.Vertical)
            panel.setVisible(key in shown)
        self._order = order
        self.layout_changed.emit()

    def _even(self) -> None:
        if not self._shares_evenly:
            return
        placed = [panel for panel in self.panels if self._is_placed(panel)]
        least = [panel.minimumSizeHint().height() for panel in placed]
        room = self.height() - SEPARATOR * max(len(placed) - 1, 0)
        graphs = [place for place, panel in enumerate(placed) if panel.takes_room]
        heights = _shared(least, room, graphs)
        self.resizeDocks(placed, heights, Qt.Orientation.Vertical)

    def _is_placed(self, panel: LivePanel) -> bool:
        return panel.isVisible() and not panel.isFloating()

    def _on_changed(self, _state: bool) -> None:
        self.layout_changed.emit()


def _shared(least: Sequence[int], room: int, growing: Sequence[int]) -> list[int]:
    """The least heights, and in those places what is left of the room, so that they are alike."""
    heights = list(least)
    room -= sum(height for place, height in enumerate(least) if place not in growing)
    rest = sorted(growing, key=lambda place: least[place])
    # Who needs more than an equal part leaves less to the others.
    while rest and least[rest[-1]] * len(rest) >= room:
        room -= least[rest.pop()]
    for number, place in enumerate(sorted(rest)):
        heights[place] = room // len(rest) + (number < room % len(rest))
    return heights
