"""A live panel that explains: a view of its own in place of a graph over time."""

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout

from ui.panels.canvas import Canvas
from ui.panels.explain.view import ExplainView
from ui.panels.layouts import BuiltIn
from ui.panels.look import USUAL, PanelLook
from ui.panels.panel import LivePanel
from ui.panels.sizes import CARD_SIDE

_EVERY = 2
_TOP = 2


class ExplainPanel(LivePanel):
    """Makes its view when it is first shown, since most windows never show it."""

    is_slow = True
    takes_room = False
    n_pages = 2
    layouts = frozenset({BuiltIn.EXPLAIN})
    _view: ExplainView | None = None
    _body_look = USUAL
    _page: int | None = None
    _n_skipped = 0
    # It was out of sight when it was last asked to draw.
    _is_behind = False

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
            body.setContentsMargins(CARD_SIDE, _TOP, CARD_SIDE, _TOP)
            body.addWidget(self._view)
            body.addStretch(1)
            self._body.installEventFilter(self)
            self._fit_view()
        return self._view

    def value_at(self, _t_s: float) -> str:
        """Nothing: its axis is not time."""
        return ""

    def draw(self, canvas: Canvas) -> None:
        """Nothing: the view paints itself."""

    def show_page(self, page: int | None) -> None:
        """One half of the view, which is twice as wide then."""
        self._page = page
        self.view.show_half(page)

    def show_body(self, look: PanelLook) -> None:
        """Draw the view at these sizes, too."""
        super().show_body(look)
        if self.explanation is not None and self._page:
            # It was said with the first.
            self.explanation.hide()
        self._body_look = look
        self._fit_view()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit again where the room changes; the parts of the body have their sizes by then."""
        if event.type() is QEvent.Type.Resize and self._body_look.is_bounded:
            QTimer.singleShot(0, self, self._fit_view)
        return super().eventFilter(watched, event)

    def _fit_view(self) -> None:
        if self._view is None:
            return
        if self._body_look.is_bounded:
            self._view.fit(self._body_look, self._body.width() - 2 * CARD_SIDE, self._room_height())
        else:
            self._view.set_look(self._body_look)

    def _room_height(self) -> int:
        taken = 2 * _TOP
        if self.explanation is not None and not self.explanation.isHidden():
            taken += self.explanation.sizeHint().height()
        return self._body.height() - taken

    def refresh_text(self) -> None:
        """Show what is known now, the head and the view at once.

        While an answer runs, every other time will do.
        """
        self._n_skipped += 1
        if not self.store.is_running or self._n_skipped >= _EVERY:
            self._show_now()

    def refresh_graph(self) -> None:
        """At once where it has come into view since it was last asked."""
        if self._is_out_of_sight():
            self._is_behind = True
        elif self._is_behind or not self.store.is_running:
            self._show_now()

    def _show_now(self) -> None:
        self._n_skipped = 0
        super().refresh_text()
        self._is_behind = self._is_out_of_sight()
        if not self._is_behind:
            self.view.refresh()
            if self._body_look.is_bounded and self.view.height() > self._room_height():
                self._fit_view()

    def _is_out_of_sight(self) -> bool:
        # Not the dock, which may be out of view while the body is on the full screen.
        return not self._body.isVisible() or self._body.visibleRegion().isEmpty()

    def showEvent(self, event: QShowEvent) -> None:
        """Make the view, and fill it."""
        super().showEvent(event)
        super().refresh_text()
        self.view.refresh()
