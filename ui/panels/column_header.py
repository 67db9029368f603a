"""The top of the telemetry column: what it shows, the ways out of it, and what freezes it."""

import html

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from ui import shortcuts
from ui.icons import icon
from ui.menu_hover import MenuHover
from ui.panels.follow_button import FollowButton
from ui.panels.sizes import HEADER_HEIGHT
from ui.panels.time_axis import TimeAxis
from ui.shortcuts import with_keys
from ui.theme import Theme

_WIDEST_NAME, _NARROWEST_NAME = 110, 24


class ColumnHeader(QWidget):
    """As wide as it may be: where words find no room there are fewer of them.

    Signals:
        timeline_requested(): Show the same on the timeline.
        paused(bool): The view is frozen, or goes on.
    """

    timeline_requested = Signal()
    paused = Signal(bool)

    def __init__(self, theme: Theme, axis: TimeAxis, menu: QMenu) -> None:
        """Offer `menu` under the name of the layout, and to follow again what `axis` followed."""
        super().__init__()
        self._theme = theme
        self._name = ""
        self._title = QLabel(self.tr("Live"))
        self._title.setFont(theme.font("strong"))
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self.follow_button = FollowButton(
            axis,
            self.tr("Follow"),
            self.tr("Show all of the answer again (Home, or a double click on a graph)"),
            self,
        )
        self.timeline_button = QPushButton()
        self.timeline_button.setProperty("look", "quiet")
        self.timeline_button.setAccessibleName(self.tr("Timeline of all answers"))
        self.timeline_button.setToolTip(
            with_keys(self.tr("Timeline of all answers"), shortcuts.TIMELINE)
        )
        self.timeline_button.clicked.connect(self.timeline_requested)
        self.set_button = QToolButton()
        self.set_button.setProperty("look", "quiet")
        self.set_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.set_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.set_button.setMenu(menu)
        MenuHover(self.set_button, menu)
        self.pause_button = QPushButton(self.tr("Pause"))
        self.pause_button.setProperty("look", "quiet")
        self.pause_button.setCheckable(True)
        self.pause_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.pause_button.setAccessibleName(self.tr("Pause the live panels"))
        self.pause_button.toggled.connect(self._on_paused)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self._widgets = (
            self._title,
            self.follow_button,
            self.timeline_button,
            self.set_button,
            self.pause_button,
        )
        for widget in self._widgets:
            row.addWidget(widget)
        row.insertStretch(2, 1)
        self.setFixedHeight(HEADER_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        # The button comes and goes first.
        axis.view_changed.connect(self._fit)
        theme.changed.connect(self._fit)

    def set_title(self, title: str) -> None:
        """Say what it shows."""
        self._title.setText(title)
        self._fit()

    def set_name(self, name: str) -> None:
        """Say which layout it has; whatever the person calls it."""
        self._name = name
        self.set_button.setAccessibleName(self.tr("Panels shown: {set}").format(set=name))
        # Rich text, since Qt would guess what a name is.
        self.set_button.setToolTip(f"<p>{html.escape(name)}</p>")
        self._fit()

    def sizeHint(self) -> QSize:
        """As wide as a panel."""
        return QSize(320, HEADER_HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use the room there is."""
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        """Only now the style says how wide words are."""
        super().showEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """So it may be with another style."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self._fit()

    def _fit(self) -> None:
        """All words; else a picture for the timeline; else no title, too, and less of the name."""
        for has_words, has_title in ((True, True), (False, True), (False, False)):
            self.timeline_button.setText(self.tr("Timeline") if has_words else "")
            picture = QIcon() if has_words else icon(self._theme, "timeline")
            self.timeline_button.setIcon(picture)
            self._title.setVisible(has_title)
            self._show_name(_WIDEST_NAME)
            if self._n_missing_px() <= 0:
                return
        width = min(self.set_button.fontMetrics().horizontalAdvance(self._name), _WIDEST_NAME)
        # What is cut is a little wider in a button than by itself.
        while self._n_missing_px() > 0 and width > _NARROWEST_NAME:
            width = max(width - self._n_missing_px(), _NARROWEST_NAME)
            self._show_name(width)

    def _show_name(self, width: int) -> None:
        metrics = self.set_button.fontMetrics()
        text = metrics.elidedText(self._name, Qt.TextElideMode.ElideRight, width)
        self.set_button.setText(f"{text.replace('&', '&&')} ▾")

    def _n_missing_px(self) -> int:
        widths = [each.sizeHint().width() for each in self._widgets if not each.isHidden()]
        between = max(0, len(widths) - 1) * self._row.spacing()
        return sum(widths) + between - self.width()

    def _on_paused(self, paused: bool) -> None:
        self.pause_button.setText(self.tr("Resume") if paused else self.tr("Pause"))
        self._fit()
        self.paused.emit(paused)
