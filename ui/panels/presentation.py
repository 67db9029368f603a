"""One panel on the full screen, to be read from the back of a room."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from app.telemetry import TelemetryStore
from ui.icons import IconName, icon
from ui.labels import PlainLabel
from ui.panels.follow_button import FollowButton
from ui.panels.header import PanelHeader
from ui.panels.look import PanelLook
from ui.panels.panel import LivePanel
from ui.panels.phase_strip import PhaseStrip
from ui.panels.time_axis import TimeAxis
from ui.shortcuts import PRESENT
from ui.theme import Theme

# Words of the usual size can be read on a window of this height at arm's length.
_USUAL_HEIGHT = 370.0
_LEAST_RATIO, _MOST_RATIO = 1.4, 6.0
_VALUE_TO_TEXT = 2.0
_CHEVRON = 12
_STRIP_INSET = 9
_NEXT_KEYS = (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_PageDown)
_PREVIOUS_KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_PageUp)


class Presentation(QWidget):
    """A window with the graph of a panel, which stands here instead of in the column.

    What is too much for large letters is shown in parts, one after the other.

    Only the panel shown is drawn: the column asks `panel` which one that is. Keys: Escape and F11
    return, arrows and Page Up and Down go to the panel before and after.

    Signals:
        ended(): The graph is back in its panel, and the window is going.
    """

    ended = Signal()

    def __init__(
        self,
        theme: Theme,
        store: TelemetryStore,
        axis: TimeAxis,
        panels: Sequence[LivePanel],
        first: LivePanel,
        parent: QWidget,
    ) -> None:
        """Go through `panels`, beginning with `first`; on the screen `first` is on."""
        super().__init__(parent, Qt.WindowType.Window)
        self._theme = theme
        shown = list(panels) if first in panels else [first, *panels]
        self._pages = [(panel, page) for panel in shown for page in range(panel.n_pages)]
        self._place = self._pages.index((first, 0))
        self.panel = first
        self._has_ended = False
        self.head = PanelHeader(theme, "")
        self.strip = PhaseStrip(store, theme, axis)
        self.position = PlainLabel(theme, color="muted", parent=self)
        self._keys = PlainLabel(
            theme, self.tr("← → another panel   ·   Esc back"), color="muted", parent=self
        )
        self.previous_button = self._button(self.tr("Previous panel"), -1)
        self.next_button = self._button(self.tr("Next panel"), 1)
        self.follow_button = FollowButton(
            axis,
            self.tr("Follow"),
            self.tr("Show all of the answer again (Home, or a double click on the graph)"),
            self,
        )
        self._chevrons: tuple[tuple[QToolButton, IconName], ...] = (
            (self.previous_button, "chevron-left"),
            (self.next_button, "chevron-right"),
        )
        self._foot = QHBoxLayout()
        for part in (self.previous_button, self.position, self.next_button):
            self._foot.addWidget(part)
        self._foot.addWidget(self.follow_button)
        self._foot.addStretch(1)
        self._foot.addWidget(self._keys)
        self._room = QVBoxLayout()
        self._layout = QVBoxLayout(self)
        # The screen says how large it is.
        self._layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
        self._layout.addWidget(self.head)
        self._layout.addWidget(self.strip)
        self._layout.addLayout(self._room, 1)
        self._layout.addLayout(self._foot)
        self._bind(_NEXT_KEYS, lambda: self.go(1))
        self._bind(_PREVIOUS_KEYS, lambda: self.go(-1))
        self._bind((Qt.Key.Key_Escape, QKeySequence(PRESENT)), self.close)
        # After the panel took its usual sizes.
        theme.changed.connect(self.fit)
        screen = first.window().screen()
        self.setScreen(screen)
        self.setGeometry(screen.geometry())
        self._take(first)
        self.showFullScreen()
        self.setFocus()

    @property
    def look(self) -> PanelLook:
        """Sizes for the window as it is."""
        by_width = self.width() / (1.6 * _USUAL_HEIGHT)
        wanted = min(self.height() / _USUAL_HEIGHT, by_width)
        ratio = min(max(wanted, _LEAST_RATIO), _MOST_RATIO)
        # Nor is its value larger.
        value = ratio * (_VALUE_TO_TEXT if self.panel.takes_room else 1.0)
        return PanelLook(text=ratio, value=value, is_explained=True, is_bounded=True)

    def go(self, by: int) -> None:
        """Show what is so many places further; after the last comes the first."""
        self._place = (self._place + by) % len(self._pages)
        panel, _ = self._pages[self._place]
        if panel is self.panel:
            self._show_page()
        else:
            self._give_back()
            self._take(panel)

    def refresh(self) -> None:
        """Show what the panel's own head shows."""
        self.head.show_reading(self.panel.header.value, self.panel.header.context)
        spoken = f"{self.panel.title()}: {self.panel.accessibleDescription()}"
        if spoken != self.accessibleDescription():
            self.setAccessibleDescription(spoken)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Put the graph back."""
        super().closeEvent(event)
        if not self._has_ended:
            self._has_ended = True
            self._give_back()
            self.ended.emit()
            self.deleteLater()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the sizes of this screen."""
        super().resizeEvent(event)
        if not self._has_ended:
            self.fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground."""
        QPainter(self).fillRect(event.rect(), self._theme.color("panel"))

    def _take(self, panel: LivePanel) -> None:
        self.panel = panel
        body = panel.lend_body()
        self._room.addWidget(body)
        body.show()
        self.setWindowTitle(panel.title())
        self.setAccessibleName(self.tr("Full screen: {name}").format(name=panel.title()))
        self.head.set_title(panel.title())
        # Over an axis of something else than time it would mislead.
        self.strip.setVisible(panel.is_over_time)
        self._show_page()

    def _show_page(self) -> None:
        panel, page = self._pages[self._place]
        panel.show_page(page)
        text = self.tr("{n} of {all}")
        self.position.setText(text.format(n=self._place + 1, all=len(self._pages)))
        self.fit()
        panel.refresh_text()
        panel.refresh_graph()
        self.refresh()

    def _give_back(self) -> None:
        self.panel.take_body_back()
        self.panel.refresh_graph()

    def fit(self) -> None:
        """Give all parts the sizes of this screen."""
        look = self.look
        margin = round(14 * look.text)
        self._layout.setContentsMargins(margin, margin, margin, margin)
        self._layout.setSpacing(round(6 * look.text))
        # What needs its height for words has its head in two lines.
        self.head.set_look(replace(look, is_explained=self.panel.takes_room))
        self.strip.set_scale(look.text, inset=_STRIP_INSET * look.text)
        self.panel.show_body(look)
        for label in (self.position, self._keys, self.follow_button):
            label.setFont(look.font(self._theme, "caption"))
        self._recolor()

    def _button(self, text: str, by: int) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("look", "quiet")
        button.setAccessibleName(text)
        button.setToolTip(text)
        button.clicked.connect(lambda: self.go(by))
        return button

    def _bind(self, keys: Sequence[Qt.Key | QKeySequence], do: Callable[[], object]) -> None:
        for key in keys:
            QShortcut(QKeySequence(key), self).activated.connect(do)

    def _recolor(self) -> None:
        side = round(_CHEVRON * self.look.text)
        for button, name in self._chevrons:
            button.setIcon(icon(self._theme, name, size_px=side))
            button.setIconSize(QSize(side, side))
        self.update()
