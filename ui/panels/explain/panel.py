"""A live panel that explains: a view of its own in place of a graph over time."""

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.panels.canvas import Canvas
from ui.panels.layouts import BuiltIn
from ui.panels.panel import LivePanel

_EVERY = 2
_TOP = 2


class ExplainView(QWidget):
    """What such a panel shows."""

    def refresh(self) -> None:
        """Show what is known now."""
        raise NotImplementedError


class ExplainPanel(LivePanel):
    """Makes its view when it is first shown, since most windows never show it."""

    is_slow = True
    draws_larger = False
    layouts = frozenset({BuiltIn.EXPLAIN})
    _view: ExplainView | None = None
    _n_skipped = 0

    @property
    def is_over_time(self) -> bool:
        """Whether it stands on the shared time axis: it has none."""
        return False

    def make_view(self) -> ExplainView:
        """The view."""
        raise NotImplementedError

    @property
    def view(self) -> ExplainView:
        """What it shows."""
        if self._view is None:
            self._view = self.make_view()
            self.graph.hide()
            # Not that of the dock: the body may be on the full screen.
            body = self._body.layout()
            assert isinstance(body, QVBoxLayout)
            body.setContentsMargins(1, _TOP, 1, _TOP)
            body.addWidget(self._view)
            body.addStretch(1)
        return self._view

    def value_at(self, _t_s: float) -> str:
        """Nothing: its axis is not time."""
        return ""

    def draw(self, canvas: Canvas) -> None:
        """Nothing: the view paints itself."""

    def refresh_text(self) -> None:
        """Show what is known now."""
        super().refresh_text()
        if not self.store.is_running:
            self._show_now()

    def refresh_graph(self) -> None:
        """Bring the view up to date: while an answer runs, every other time will do."""
        self._n_skipped += 1
        if not self.store.is_running or self._n_skipped >= _EVERY:
            self._show_now()

    def _show_now(self) -> None:
        self._n_skipped = 0
        # Not of the dock, which may be out of view while the body is on the full screen.
        if self._body.isVisible() and not self._body.visibleRegion().isEmpty():
            self.view.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Make the view, and fill it."""
        super().showEvent(event)
        self.view.refresh()
