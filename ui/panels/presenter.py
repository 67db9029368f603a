"""Begins and ends the presentation of a column's panels."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget

from app.telemetry import TelemetryStore
from ui.panels.dock_area import PanelArea
from ui.panels.layout_control import LayoutControl
from ui.panels.panel import LivePanel
from ui.panels.presentation import Presentation
from ui.panels.time_axis import TimeAxis
from ui.theme import Theme

if TYPE_CHECKING:
    from app.layouts import Arrangement


class Presenter(QObject):
    """Shows one panel of a column on the full screen. Main thread.

    Signals:
        changed(): A presentation began or ended.
    """

    changed = Signal()

    def __init__(
        self,
        store: TelemetryStore,
        theme: Theme,
        axis: TimeAxis,
        area: PanelArea,
        layouts: LayoutControl,
        column: QWidget,
    ) -> None:
        """Nothing is presented yet; what is belongs to `column`."""
        super().__init__(column)
        self._store = store
        self._theme = theme
        self._axis = axis
        self._area = area
        self._layouts = layouts
        self._column = column
        self._before: Arrangement | None = None
        self.presentation: Presentation | None = None
        for panel in area.panels:
            panel.present_requested.connect(lambda panel=panel: self.begin(panel))
        # Which may make the panels in the column larger or smaller.
        layouts.changed.connect(self._fit)

    def begin(self, panel: LivePanel | None = None) -> None:
        """Show a panel on the full screen: this, else the one with the focus, else the first."""
        shown = [each for each in self._area.panels if not each.isHidden()]
        focus = QApplication.focusWidget()
        focused = [each for each in shown if focus is not None and each.isAncestorOf(focus)]
        first = panel or next(iter([*focused, *shown]), None)
        if self.presentation is None and first is not None:
            # A panel that is lent stands with another height, and its neighbours with it.
            self._before = self._layouts.arrangement()
            self.presentation = Presentation(
                self._theme, self._store, self._axis, shown, first, self._column
            )
            self.presentation.ended.connect(self._on_ended)
            self.changed.emit()

    def end(self) -> None:
        """Return, if anything is presented."""
        if self.presentation is not None:
            self.presentation.close()

    def _fit(self) -> None:
        if self.presentation is not None:
            self.presentation.fit()

    def _on_ended(self) -> None:
        self.presentation = None
        before, now = self._before, self._layouts.arrangement()
        # Another layout may have been chosen meanwhile: that stays.
        if before is not None and now.layout == before.layout and now.is_like(before):
            self._layouts.put_back(before)
        self._column.window().activateWindow()
        self.changed.emit()
