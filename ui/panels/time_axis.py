"""The time axis that all panels share: what is in view, and where the hover line stands."""

import math
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from ui.ruler import ruler

_SHORTEST_S = 0.02
# What is followed is as old as the last frame.
_FRAME_S = 1.0

Span = tuple[float, float]


class TimeAxis(QObject):
    """Seconds on the store's clock. Main thread.

    While it follows, the view is the span of the answer; a zoom or a pan leaves it, and `follow`
    returns. Neither leads out of what is known or followed.

    Signals:
        view_changed(): The person changed what is in view, or it follows again.
        hover_changed(): The hover line moved, appeared or vanished.
    """

    view_changed = Signal()
    hover_changed = Signal()

    def __init__(
        self,
        parent: QObject | None = None,
        *,
        shortest_s: float = _SHORTEST_S,
        known_s: Callable[[], Span] | None = None,
        zero_of: Callable[[float, float], float] | None = None,
    ) -> None:
        """Follow, with nothing to follow yet.

        Args:
            parent: Owns it.
            shortest_s: Where zooming in ends.
            known_s: From when until when there is something to see; None where that is followed.
            zero_of: What labels count from in a view, given by its begin and end.
        """
        super().__init__(parent)
        self._shortest_s = shortest_s
        self._known_s = known_s
        self._zero_of = zero_of
        self._zero_is_of: Span = (math.nan, math.nan)
        self._zero_s = 0.0
        self._ticks: list[tuple[float, str]] = []
        self._ticks_are_of: tuple[float, ...] = ()
        self._followed_s: Span = (0.0, 1.0)
        self._view_s: Span | None = None
        self._hover_s: float | None = None

    @property
    def view_s(self) -> Span:
        """Begin and end of what is in view."""
        return self._view_s or self._followed_s

    @property
    def zero_s(self) -> float:
        """What the labels of the view count from."""
        if self._zero_of is not None and self._zero_is_of != self.view_s:
            self._zero_is_of = self.view_s
            self._zero_s = self._zero_of(*self.view_s)
        return self._zero_s

    def ticks(self, t0_s: float, t1_s: float, width_px: float) -> list[tuple[float, str]]:
        """Round moments of a view and what they are called; made once for all graphs alike."""
        are_of = (t0_s, t1_s, width_px, self.zero_s)
        if are_of != self._ticks_are_of:
            zero_s = self.zero_s
            self._ticks_are_of = are_of
            self._ticks = [
                (zero_s + since_s, text)
                for since_s, text in ruler(t0_s - zero_s, t1_s - zero_s, width_px)
            ]
        return self._ticks

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
        """Make the view `factor` times as long, `around_s` staying where it is.

        Where that is all there is, and what is followed is the same, it follows again.
        """
        t0_s, t1_s = self.view_s
        length_s = max((t1_s - t0_s) * factor, self._shortest_s)
        begin_s = around_s - (around_s - t0_s) / (t1_s - t0_s) * length_s
        found_s = self._within(begin_s, begin_s + length_s)
        if factor > 1 and self._is_followed(found_s):
            self.follow()
        elif found_s != self.view_s:
            self._show(found_s)

    def pan(self, by_s: float) -> None:
        """Move the view."""
        t0_s, t1_s = self.view_s
        found_s = self._within(t0_s + by_s, t1_s + by_s)
        if found_s != self.view_s:
            self._show(found_s)

    def set_hover(self, t_s: float | None) -> None:
        """Put the hover line there, or take it away."""
        if t_s != self._hover_s:
            self._hover_s = t_s
            self.hover_changed.emit()

    def look_at(self, t0_s: float, t1_s: float) -> None:
        """Show this stretch from now on, as far as there is something to see."""
        self._show(self._within(t0_s, max(t1_s, t0_s + self._shortest_s)))

    def _show(self, view_s: Span) -> None:
        self._view_s = view_s
        self.view_changed.emit()

    def _within(self, t0_s: float, t1_s: float) -> Span:
        """A stretch of the same length inside what there is, or all of that."""
        first_s, last_s = self._all_s()
        if t1_s - t0_s >= last_s - first_s:
            return first_s, last_s
        if t0_s < first_s:
            return first_s, first_s + (t1_s - t0_s)
        if t1_s > last_s:
            return last_s - (t1_s - t0_s), last_s
        return t0_s, t1_s

    def _is_followed(self, view_s: Span) -> bool:
        """Whether that is followed, or begins there and ends with what was no frame for yet."""
        begin_s, end_s = self._followed_s
        return view_s == self._all_s() and view_s[0] == begin_s and view_s[1] - end_s <= _FRAME_S

    def _all_s(self) -> Span:
        known_s = self._followed_s if self._known_s is None else self._known_s()
        return min(known_s[0], self._followed_s[0]), max(known_s[1], self._followed_s[1])
