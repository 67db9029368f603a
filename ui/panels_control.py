"""The menu of the live panels, and their full screen, for the window that has them."""

from typing import Protocol, runtime_checkable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from ui.columns import Columns
from ui.window_actions import WindowActions


@runtime_checkable
class Panels(Protocol):
    """What the window asks of a column of panels, which it does not import: that takes time."""

    def fill_menu(self, menu: QMenu) -> None:
        """Add layouts and panels to a menu that is about to show."""

    def present(self) -> None:
        """Show a panel on the full screen."""


class PanelsControl(QObject):
    """Fills the menu of panels when it opens, and begins a presentation. Main thread."""

    def __init__(self, actions: WindowActions, columns: Columns) -> None:
        super().__init__(actions)
        self._actions = actions
        self._columns = columns
        actions.panels_menu.aboutToShow.connect(self._fill)
        actions.present.triggered.connect(self._present)
        self._is_wanted = False
        columns.changed.connect(self._present_wanted)

    def _fill(self) -> None:
        menu = self._actions.panels_menu
        menu.clear()
        menu.addAction(self._actions.show_telemetry)
        panels: object = self._columns.panels
        if isinstance(panels, Panels):
            menu.addSeparator()
            panels.fill_menu(menu)

    def _present(self) -> None:
        # A panel of a hidden column can be shown, but there must be one.
        if not isinstance(self._columns.panels, Panels):
            self._columns.set_telemetry_shown(True)
        self._is_wanted = True
        self._present_wanted()

    def _present_wanted(self) -> None:
        """Present a panel where that was asked for; before there is one, that waits."""
        panels: object = self._columns.panels
        if self._is_wanted and isinstance(panels, Panels):
            self._is_wanted = False
            panels.present()
