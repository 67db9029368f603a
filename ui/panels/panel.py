"""What every live panel is: a card with a header and a graph on the shared time axis."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPoint, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QMenu, QVBoxLayout, QWidget

from app.series import FloatArray
from app.telemetry import TelemetryStore
from engine.values import MemoryUse
from ui.format import Quantity, trimmed
from ui.panels.canvas import Canvas, Labels
from ui.panels.explain.legend import LegendEntry
from ui.panels.explanation import Explanation
from ui.panels.graph import Graph
from ui.panels.header import PanelHeader
from ui.panels.layouts import BuiltIn
from ui.panels.look import USUAL, PanelLook
from ui.panels.names import panel_name
from ui.panels.scales import Scale
from ui.panels.sizes import CARD_BOTTOM, CARD_RADIUS, CARD_SIDE
from ui.panels.time_axis import TimeAxis
from ui.shortcuts import PRESENT, in_menu
from ui.theme import Theme

_ASIDE = 24
# Six panels find room in a window 720 pixels high.
_GIVES_PX = 9
_HELD_MS = 50
# To be minimised it would need a place in the bar of tasks.
_FRAME = (
    Qt.WindowType.Tool
    | Qt.WindowType.CustomizeWindowHint
    | Qt.WindowType.WindowTitleHint
    | Qt.WindowType.WindowSystemMenuHint
    | Qt.WindowType.WindowCloseButtonHint
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The current value of a panel, and the line at its right."""

    value: Quantity
    context: str = ""


class LivePanel(QDockWidget):
    """A panel. Sub-classes say what it reads and what it draws.

    Signals:
        move_requested(int): Up (-1) or down (1) in the column.
        present_requested(): Show it on the full screen.
    """

    move_requested = Signal(int)
    present_requested = Signal()

    key = ""
    """Names the panel in a saved layout."""

    layouts: frozenset[BuiltIn] = frozenset()
    """The layouts that show it, beside the one that shows all."""

    smallest_top = 1.0
    """The upper end of the axis is never below this."""

    is_binary = False
    """Whether the axis is in KiB, MiB, GiB."""

    takes_room = True
    """Whether more height than it needs shows more."""

    n_pages = 1
    """In how many parts it is shown on the full screen."""

    is_slow = False
    """Whether what it shows changes a few times a second only, so that fewer frames will do."""

    def __init__(self, store: TelemetryStore, theme: Theme, axis: TimeAxis) -> None:
        """Show nothing known yet."""
        super().__init__()
        self.store = store
        self.theme = theme
        self.axis = axis
        self._look = USUAL
        self._explanation: Explanation | None = None
        self._scale = Scale(smallest=self.smallest_top, is_binary=self.is_binary)
        self.setObjectName(self.key)
        self.setWindowTitle(self.title())
        self.setAllowedAreas(Qt.DockWidgetArea.LeftDockWidgetArea)
        self.header = PanelHeader(theme, self.title(), self._make_menu())
        self.graph = Graph(theme, axis, self.value_at)
        self._usual_graph_height: int | None = None
        self._is_low = False
        self._body = QWidget()
        layout = QVBoxLayout(self._body)
        layout.setContentsMargins(CARD_SIDE, 0, CARD_SIDE, CARD_BOTTOM)
        layout.addWidget(self.graph)
        self.setTitleBarWidget(self.header)
        self.setWidget(self._body)
        self.header.present_button.clicked.connect(self.present_requested)
        self.graph.stale.connect(self.refresh_graph)
        self.setAccessibleName(self.title())
        self.graph.setAccessibleName(self.tr("Graph: {name}").format(name=self.title()))
        # The graph itself shows values under the pointer instead.
        self.header.define(self.plain(), self.definition())
        theme.changed.connect(self._restyle)

    def title(self) -> str:
        """Its name."""
        return panel_name(self.key)

    def definition(self) -> str:
        """What the figure is, its field term, and where it comes from; text of ours only."""
        raise NotImplementedError

    def plain(self) -> str:
        """One sentence for somebody who never heard of any of this; empty where there is none."""
        return ""

    def legend(self) -> tuple[LegendEntry, ...]:
        """What the colours of the graph mean."""
        return ()

    def axis_text(self) -> str:
        """What the horizontal axis is."""
        return self.tr("time →")

    def empty_text(self) -> str:
        """Says when there will be something to see."""
        return self.tr("Shows while an answer runs")

    def read(self) -> Reading:
        """What is known now."""
        raise NotImplementedError

    def value_at(self, t_s: float) -> str:
        """The value under the hover line; empty where there is none."""
        raise NotImplementedError

    def draw(self, canvas: Canvas) -> None:
        """Add curves to a canvas whose view is set; set its `top` and its labels first."""
        raise NotImplementedError

    def absence(self) -> str:
        """Why this machine cannot show it; empty where it can."""
        return ""

    @property
    def is_over_time(self) -> bool:
        """Whether the graph stands on the shared time axis."""
        return self.graph.point_text is None

    def fit(self, canvas: Canvas, *series: FloatArray) -> None:
        """Set the canvas's upper end to one that holds everything in `series`."""
        peaks = [float(np.nanmax(values)) for values in series if np.isfinite(values).any()]
        canvas.top = self._scale.fit(max(peaks, default=None))

    def engine_memory(self, *, on_gpu: bool) -> MemoryUse | None:
        """What the engine reports having allocated there; None when it lies elsewhere."""
        memory = self.store.memory
        return None if memory is None or memory.on_gpu != on_gpu else memory

    def label_top(self, canvas: Canvas, top: Quantity) -> None:
        """Write the upper end; its unit only where it is not that of the current value."""
        end = trimmed(top)
        same_unit = top.unit == self.header.value.unit
        canvas.labels.top = end.number if same_unit else str(end)

    def refresh_text(self) -> None:
        """Show what is known now."""
        reading = self.read()
        self.header.show_reading(reading.value, reading.context)
        spoken = f"{reading.value}. {reading.context}" if reading.context else str(reading.value)
        if spoken != self.accessibleDescription():
            self.setAccessibleDescription(spoken)

    def refresh_graph(self) -> None:
        """Draw what is in view now; nothing while nobody can see it."""
        if not self.graph.isVisible() or self.graph.viewport().visibleRegion().isEmpty():
            return
        t0_s, t1_s = self.axis.view_s
        canvas = Canvas(
            area=self.graph.area,
            t0_s=t0_s,
            t1_s=t1_s,
            top=1.0,
            labels=Labels(empty=self.empty_text()),
            scale=self.graph.scale_ratio,
        )
        self.draw(canvas)
        self.graph.set_canvas(canvas)

    @property
    def look(self) -> PanelLook:
        """How it is drawn."""
        return self._look

    @property
    def explanation(self) -> Explanation | None:
        """What stands under the graph; None before it was first shown."""
        return self._explanation

    def set_look(self, look: PanelLook) -> None:
        """Draw it larger or smaller, with or without what explains it."""
        if look == self._look:
            return
        self._look = look
        self.header.set_look(look)
        self.show_body(look)

    def show_body(self, look: PanelLook) -> None:
        """Draw what is below the header, wherever it stands now."""
        plain, legend = self.plain(), self.legend()
        if look.is_explained and self._explanation is None and (plain or legend):
            self._explanation = Explanation(self.theme, legend, self.axis_text(), plain)
            layout = self._body.layout()
            assert isinstance(layout, QVBoxLayout)
            layout.insertWidget(layout.indexOf(self.graph) + 1, self._explanation)
        if self._explanation is not None:
            self._explanation.setVisible(look.is_explained)
            self._explanation.set_look(look)
        self.graph.setMinimumHeight(self._graph_height(look, is_low=self._is_low))
        self.graph.set_scale(look.text)
        # Docks that stand between others keep a height that was needed once.
        layout = self._body.layout()
        if layout is not None:
            layout.activate()

    @property
    def gives_px(self) -> int:
        """By how much less height it will do where all panels find room then."""
        usual, low = (self._graph_height(self._look, is_low=is_low) for is_low in (False, True))
        return usual - low

    def _graph_height(self, look: PanelLook, *, is_low: bool) -> int:
        if self._usual_graph_height is None:
            self._usual_graph_height = self.graph.minimumHeight()
        given = _GIVES_PX if is_low and self.takes_room else 0
        return max(self._usual_graph_height - given, look.graph_height or 0)

    def set_low(self, is_low: bool) -> None:
        """Do with that much less height, or with no less than usual."""
        if is_low != self._is_low:
            self._is_low = is_low
            self.show_body(self._look)

    def show_page(self, page: int | None) -> None:
        """Show a part of the body, of `n_pages`; all of it where that is None."""

    def lend_body(self) -> QWidget:
        """Give away what is below the header, until `take_body_back`; its place stays empty."""
        place = QWidget()
        place.setMinimumHeight(self._body.height())
        self.setWidget(place)
        return self._body

    def take_body_back(self) -> None:
        """Stand as before."""
        place = self.widget()
        # Before it stands here, or a window of its own would grow for it.
        self.show_page(None)
        self.show_body(self._look)
        self.setWidget(self._body)
        self._body.show()
        # What stands elsewhere gets the fonts again that it was made with.
        self.show_body(self._look)
        if place is not self._body:
            place.deleteLater()

    def showEvent(self, event: QShowEvent) -> None:
        """A window that was floating before, and is shown only now."""
        super().showEvent(event)
        if self.isFloating():
            QTimer.singleShot(0, self, self._take_frame)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Somebody closes its window, and not that of the others: it goes back to them."""
        home = self.parentWidget()
        # The others may be out of view, in a window that is not.
        if self.isFloating() and home is not None and home.window().isVisible():
            event.ignore()
            self.setFloating(False)
        else:
            super().closeEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the card; a window is all card."""
        painter = QPainter(self)
        if self.isFloating():
            painter.fillRect(self.rect(), self.theme.color("panel"))
            painter.end()
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.theme.color("line"), 1))
        painter.setBrush(self.theme.color("panel"))
        painter.drawRoundedRect(
            QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), CARD_RADIUS, CARD_RADIUS
        )
        painter.end()

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        self._float_action = QAction(self.tr("Float"), menu)
        present = QAction(in_menu(self.tr("Full screen"), PRESENT), menu)
        actions = [
            (present, self.present_requested.emit),
            (QAction(self.tr("Move up"), menu), lambda: self.move_requested.emit(-1)),
            (QAction(self.tr("Move down"), menu), lambda: self.move_requested.emit(1)),
            (self._float_action, self._float),
            (QAction(self.tr("Hide"), menu), self.hide),
        ]
        for action, do in actions:
            action.triggered.connect(do)
            menu.addAction(action)
        self.topLevelChanged.connect(self._on_floated)
        return menu

    def _float(self) -> None:
        place = self.mapToGlobal(QPoint())
        self.setFloating(not self.isFloating())
        if self.isFloating():
            # Beside the column: above it, it would hide the panels that moved up.
            left = self.screen().availableGeometry().left()
            self.move(max(left, place.x() - self.width() - _ASIDE), place.y())

    def _on_floated(self, is_floating: bool) -> None:
        self._float_action.setText(self.tr("Dock") if is_floating else self.tr("Float"))
        if is_floating:
            QTimer.singleShot(0, self, self._take_frame)

    def _take_frame(self) -> None:
        """Be moved, sized and closed as any window; a dock with a head of its own has no frame."""
        is_bare = bool(self.windowFlags() & Qt.WindowType.FramelessWindowHint)
        if not is_bare or not self.isFloating() or not self.isVisible():
            return
        if QApplication.mouseButtons():
            # Another window would fall out of the hand that drags this one.
            QTimer.singleShot(_HELD_MS, self, self._take_frame)
            return
        place = self.geometry()
        # To those who look on it was there all the time.
        self.blockSignals(True)
        self.setWindowFlags(_FRAME)
        self.setGeometry(place)
        self.show()
        self.blockSignals(False)

    def _restyle(self) -> None:
        # Another style sheet puts back the fonts that widgets were made with.
        self.show_body(self._look)
        self.graph.restyle()
        self.header.update()
        self.update()
        self.refresh_graph()
