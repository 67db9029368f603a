"""The telemetry column: phase strip, live panels, and what chooses and freezes them."""

from collections import deque
from time import perf_counter

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QHideEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.layouts import LayoutStore
from app.telemetry import TelemetryStore
from app.timeline.bounds import known_s, zero_s
from app.watching import WatchingMeter
from ui.loop_turn import LoopTurn
from ui.panels.column_header import ColumnHeader
from ui.panels.cpu import CpuPanel
from ui.panels.decode_rate import DecodeRatePanel
from ui.panels.dock_area import PanelArea
from ui.panels.first_token import FirstTokenPanel
from ui.panels.gpu import GpuMemoryPanel, GpuPowerPanel, GpuTemperaturePanel, GpuUsePanel
from ui.panels.kv_cache import KvCachePanel
from ui.panels.kv_seen import KvSeenPanel
from ui.panels.layout_control import LayoutControl
from ui.panels.layout_menu import LayoutMenu
from ui.panels.layouts import BuiltIn
from ui.panels.limits import LimitsPanel
from ui.panels.look import LARGE, USUAL
from ui.panels.memory import MemoryPanel
from ui.panels.memory_map import MemoryMapPanel
from ui.panels.panel import LivePanel
from ui.panels.phase_strip import PhaseStrip
from ui.panels.power import CpuPowerPanel
from ui.panels.presentation import Presentation
from ui.panels.presenter import Presenter
from ui.panels.sizes import (
    BELOW_HEADER,
    BELOW_STRIP,
    COLUMN_BOTTOM,
    COLUMN_MARGIN,
    COLUMN_TOP,
)
from ui.panels.time_axis import TimeAxis
from ui.panels.time_per_token import TimePerTokenPanel
from ui.panels.watching import WatchingPanel
from ui.shortcuts import PRESENT, in_menu
from ui.theme import Theme

_SCROLL_BAR = 10
# Graphs at 10 Hz; digits, and graphs of what is sampled, at half of that.
_FRAME_MS = 100
# Where the engine wants every core each frame costs decode rate.
_BUSY_FRAME_MS = 250
_FRAMES_PER_TEXT = 2
# Of graphs drawn in one turn of the event loop.
_SLICE_S = 0.005

_PANELS: tuple[type[LivePanel], ...] = (
    DecodeRatePanel,
    TimePerTokenPanel,
    FirstTokenPanel,
    KvCachePanel,
    KvSeenPanel,
    MemoryPanel,
    MemoryMapPanel,
    CpuPanel,
    CpuPowerPanel,
    GpuUsePanel,
    GpuMemoryPanel,
    GpuPowerPanel,
    GpuTemperaturePanel,
)
# After what tells about time.
_LIMITS_PLACE = 3


class TelemetryColumn(QWidget):
    """Everything live. Make it after the window's first paint: it imports pyqtgraph.

    It repaints ten times a second while an answer or a load runs and somebody can see it. While
    the engine is idle graphs stand still, and the values of the machine follow its samples.

    Signals:
        timeline_requested(): Show the same on the timeline.
        presentation_changed(): A panel fills the screen, or does no longer.
    """

    timeline_requested = Signal()
    presentation_changed = Signal()

    def __init__(
        self,
        store: TelemetryStore,
        theme: Theme,
        *,
        layouts: LayoutStore | None = None,
        watching: WatchingMeter | None = None,
    ) -> None:
        """Show the essential panels.

        Args:
            store: What is shown.
            theme: Colours and fonts.
            layouts: Keeps layouts of the person's own.
            watching: Measures what the panels cost, where it can be.
        """
        super().__init__()
        self._store = store
        self._theme = theme
        self.axis = TimeAxis(
            self,
            known_s=lambda: known_s(store),
            zero_of=lambda t0_s, t1_s: zero_s(store, t0_s, t1_s),
        )
        panels: list[LivePanel] = [make(store, theme, self.axis) for make in _PANELS]
        if store.ceilings is not None:
            panels.insert(_LIMITS_PLACE, LimitsPanel(store, theme, self.axis, store.ceilings))
        if watching is not None:
            watching.is_seen = lambda: self._can_be_seen() and not self.is_paused
            panels.append(WatchingPanel(store, theme, self.axis, watching))
        self.panels: tuple[LivePanel, ...] = tuple(panels)
        self.area = PanelArea(self.panels)
        self.strip = PhaseStrip(store, theme, self.axis)
        self.layouts = LayoutControl(self.area, self.panels, layouts, self)
        self._layout_menu = LayoutMenu(theme, self.layouts, self.area, self)
        self._presenter = Presenter(store, theme, self.axis, self.area, self.layouts, self)
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.header = ColumnHeader(theme, self.axis, self._menu)
        self.header.timeline_requested.connect(self.timeline_requested)
        self.header.paused.connect(self._on_paused)
        self._machine = store.machine
        self._n_frames = 0
        self._followed_s: tuple[float, float | None] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_FRAME_MS)
        self._turn = LoopTurn(self._on_frame, self)
        self._timer.timeout.connect(self._turn.take)
        # Whose graphs are still to be drawn in this frame.
        self._due: deque[LivePanel] = deque()
        self._rest = LoopTurn(self._draw_some, self)
        self.setAccessibleName(self.tr("Live telemetry"))
        self._lay_out()
        self._name_layout()
        store.changed.connect(self._on_changed)
        self.layouts.changed.connect(self._name_layout)
        self.layouts.chosen.connect(self._on_chosen)
        self._presenter.changed.connect(self.presentation_changed)
        self._presenter.changed.connect(self.wake)
        self.axis.view_changed.connect(self._refresh_graphs)
        self.area.layout_changed.connect(self._on_layout_changed)
        self._scroll.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self._scroll.verticalScrollBar().rangeChanged.connect(self._make_room)
        theme.changed.connect(self.update)

    @property
    def is_paused(self) -> bool:
        """Whether the view is frozen; data is collected all the same."""
        return self.header.pause_button.isChecked()

    def set_title(self, title: str) -> None:
        """Say that it shows something else than what happens now."""
        self.header.set_title(title)
        self.setAccessibleName(title)

    def refresh(self) -> None:
        """Show what is known now."""
        self._follow()
        self._refresh_texts()
        self._refresh_graphs()

    def panel_actions(self) -> list[QAction]:
        """Checkable actions that show and hide each panel, for a menu."""
        return self._layout_menu.panel_actions()

    def fill_menu(self, menu: QMenu) -> None:
        """Add layouts and panels to a menu that is about to show."""
        self._layout_menu.fill(menu)
        present = QAction(in_menu(self.tr("Full screen"), PRESENT), menu)
        present.setEnabled(bool(self.area.shown()))
        present.triggered.connect(lambda: self.present())
        menu.addAction(present)

    def show_essential(self) -> None:
        """Show what most people want to see, on this machine."""
        self.layouts.choose(BuiltIn.ESSENTIAL)

    def show_all(self) -> None:
        """Show every panel that this machine has figures for."""
        self.layouts.choose(BuiltIn.ALL)

    def present(self, panel: LivePanel | None = None) -> None:
        """Show a panel on the full screen: this, else the one with the focus, else the first."""
        self._presenter.begin(panel)

    @property
    def presentation(self) -> Presentation | None:
        """The panel on the full screen, None while there is none."""
        return self._presenter.presentation

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is behind everything."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._theme.color("side"))
        painter.end()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened meanwhile."""
        super().showEvent(event)
        QTimer.singleShot(0, self, self.wake)

    def hideEvent(self, event: QHideEvent) -> None:
        """Rest while nobody can see it; panels that float go on."""
        super().hideEvent(event)
        if not self._can_be_seen():
            self._stop_frames()
        # Minimised windows may go on on the full screen of another.
        if not event.spontaneous():
            self._presenter.end()

    def wake(self) -> None:
        """Catch up where somebody can see it: its window came back."""
        if self._can_be_seen() and not self.is_paused:
            self.refresh()
            if self._store.is_running:
                self._start_frames()

    def _lay_out(self) -> None:
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # The bar takes the place of the margin, so that the panels keep their width.
        self._room = QWidget()
        room = QHBoxLayout(self._room)
        room.setContentsMargins(0, 0, COLUMN_MARGIN, 0)
        room.addWidget(self.area)
        self._scroll.setWidget(self._room)
        # What is behind the panels is painted once, by the column.
        self._room.setAutoFillBackground(False)
        self._scroll.viewport().setAutoFillBackground(False)
        top = QVBoxLayout()
        top.setContentsMargins(0, 0, COLUMN_MARGIN, 0)
        top.setSpacing(BELOW_HEADER)
        top.addWidget(self.header)
        top.addWidget(self.strip)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(COLUMN_MARGIN, COLUMN_TOP, 0, COLUMN_BOTTOM)
        layout.setSpacing(BELOW_STRIP)
        layout.addLayout(top)
        layout.addWidget(self._scroll, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let all panels find room, where a little is missing."""
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._fit_panels)

    def _fit_panels(self) -> None:
        self.area.fit_into(self._scroll.viewport().height())

    def _make_room(self, _least: int, most: int) -> None:
        layout = self._room.layout()
        if layout is not None:
            layout.setContentsMargins(
                0, 0, COLUMN_MARGIN - _SCROLL_BAR if most else COLUMN_MARGIN, 0
            )

    def _on_changed(self) -> None:
        """Something is new: repaint in time while running, once when it ends."""
        if self._store.machine != self._machine:
            self._machine = self._store.machine
            self.layouts.refit()
        if self._can_be_seen() and not self.is_paused:
            if self._store.is_running:
                self._start_frames()
            elif not self._timer.isActive():
                # Of what was measured with nothing is left: the last answer shows again.
                is_same = self._followed_s == self._store.span_s
                (self._refresh_texts if is_same else self.refresh)()

    def _on_scrolled(self) -> None:
        """What has come into view shows at once what is known now."""
        if not self.is_paused:
            self._refresh_texts(of_all=False)
        self._refresh_graphs()

    def _start_frames(self) -> None:
        if not self._timer.isActive():
            self._n_frames = 0
            self._timer.start(_BUSY_FRAME_MS if self._store.wants_all_cores else _FRAME_MS)

    def _stop_frames(self) -> None:
        self._timer.stop()
        self._due.clear()

    def _on_frame(self) -> None:
        if not self._timer.isActive():
            return
        is_last = not self._store.is_running
        is_slow_turn = is_last or self._n_frames % _FRAMES_PER_TEXT == 0
        if is_last or not self._can_be_seen():
            self._timer.stop()
        if not self._can_be_seen():
            return
        self._follow()
        if is_slow_turn:
            self._refresh_texts(of_all=is_last)
            self._strip_in_view.refresh()
        else:
            self._strip_in_view.refresh_bar()
        drawn = self._panels_in_view
        self._due = deque(panel for panel in drawn if is_slow_turn or not panel.is_slow)
        self._rest.put_off()
        self._n_frames += 1

    def _draw_some(self) -> None:
        deadline = perf_counter() + _SLICE_S
        while self._due and perf_counter() < deadline:
            self._due.popleft().refresh_graph()
        if self._due:
            self._rest.take()

    def _follow(self) -> None:
        self._followed_s = self._store.span_s
        if self._followed_s is not None:
            t0_s, t1_s = self._followed_s
            self.axis.set_followed(t0_s, self._store.now_s if t1_s is None else t1_s)

    def _refresh_texts(self, *, of_all: bool = True) -> None:
        """Bring the texts up to date; unless `of_all`, those that are not scrolled away."""
        of_all = of_all or self.presentation is not None
        for panel in self._panels_in_view:
            if of_all or not panel.visibleRegion().isEmpty():
                panel.refresh_text()
        if self.presentation is not None:
            self.presentation.refresh()

    def _refresh_graphs(self) -> None:
        self._strip_in_view.refresh()
        for panel in self._panels_in_view:
            panel.refresh_graph()

    @property
    def _panels_in_view(self) -> list[LivePanel]:
        """Those that somebody can see: one where it fills the screen."""
        if self.presentation is not None:
            return [self.presentation.panel]
        return [panel for panel in self.panels if panel.isVisible()]

    @property
    def _strip_in_view(self) -> PhaseStrip:
        return self.strip if self.presentation is None else self.presentation.strip

    def _can_be_seen(self) -> bool:
        if self.presentation is not None:
            return True
        floats = any(panel.isFloating() and panel.isVisible() for panel in self.panels)
        # With their window those are minimised that float.
        return (self.isVisible() or floats) and not self.window().isMinimized()

    def _on_paused(self, paused: bool) -> None:
        if paused:
            self._stop_frames()
            self._refresh_texts()
        else:
            self.wake()

    def _on_chosen(self) -> None:
        # Another layout begins at its top, wherever the one before was scrolled to.
        self._scroll.verticalScrollBar().setValue(0)
        self.wake()

    def _on_layout_changed(self) -> None:
        QTimer.singleShot(0, self, self._fit_panels)
        QTimer.singleShot(0, self, self.wake)

    def _name_layout(self) -> None:
        self.strip.set_scale((LARGE if self.layouts.is_large else USUAL).text)
        self.header.set_name(self.layouts.current_name)

    def _fill_menu(self) -> None:
        self._menu.clear()
        self.fill_menu(self._menu)
