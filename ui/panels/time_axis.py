"""The time axis that all panels share: what is in view, and where the hover line stands."""

from PySide6.QtCore import QObject, Signal

_SHORTEST_S = 0.02
_LONGEST_S = 4 * 3600.0


class TimeAxis(QObject):
    """Seconds on the store's clock. Main thread.

    While it follows, the view is the span of the answer; a zoom or a pan leaves it, and `follow`
    returns.

    Signals:
        view_changed(): The person changed what is in view.
        hover_changed(): The hover line moved, appeared or vanished.
    """

    view_changed = Signal()
    hover_changed = Signal()

    def __init__(
        self,
        parent: QObject | None = None,
        *,
        shortest_s: float = _SHORTEST_S,
        longest_s: float = _LONGEST_S,
    ) -> None:
        """Follow, with nothing to follow yet; a zoom ends at these lengths of the view."""
        super().__init__(parent)
        self._shortest_s = shortest_s
        self._longest_s = longest_s
        self._followed_s = (0.0, 1.0)
        self._view_s: tuple[float, float] | None = None
        self._hover_s: float | None = None

    @property
    def view_s(self) -> tuple[float, float]:
        """Begin and end of what is in view."""
        return self._view_s or self._followed_s

    @property
    def is_following(self) -> bool:
        """Whether the view goes along with what is followed."""
        return self._view_s is None

    @property
    def hover_s(self) -> float | None:
        """Where the hover line stands; None when there is none."""
        return self._hover_s

    def set_followed(self, t0_s: float, t1_s: float) -> None:
        """The span of the answer now. Asks nobody to repaint."""
        self._followed_s = (t0_s, max(t1_s, t0_s + self._shortest_s))

    def follow(self) -> None:
        """Return to the span of the answer."""
        if self._view_s is not None:
            self._view_s = None
            self.view_changed.emit()

    def zoom(self, factor: float, around_s: float) -> None:
        """Make the view `factor` times as long, `around_s` staying where it is."""
        t0_s, t1_s = self.view_s
        length_s = min(max((t1_s - t0_s) * factor, self._shortest_s), self._longest_s)
        share = (around_s - t0_s) / (t1_s - t0_s)
        begin_s = around_s - share * length_s
        self.look_at(begin_s, begin_s + length_s)

    def pan(self, by_s: float) -> None:
        """Move the view."""
        t0_s, t1_s = self.view_s
        self.look_at(t0_s + by_s, t1_s + by_s)

    def set_hover(self, t_s: float | None) -> None:
        """Put the hover line there, or take it away."""
        if t_s != self._hover_s:
            self._hover_s = t_s
            self.hover_changed.emit()

    def look_at(self, t0_s: float, t1_s: float) -> None:
        """Show this stretch from now on."""
        self._view_s = (t0_s, t1_s)
        self.view_changed.emit()
