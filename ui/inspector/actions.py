"""What can be asked of the token inspector: for the menu, and for keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from app.tint import Tint
from ui.format import format_percent

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class InspectorActions(QObject):
    """The actions of the inspector, added to the window so that their shortcuts work.

    Signals:
        tint_chosen(Tint): Colour answers by this.
    """

    tint_chosen = Signal(object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.inspect = QAction(self.tr("Inspect tokens"), self)
        self.inspect.setCheckable(True)
        self.inspect.setShortcut(QKeySequence("Ctrl+Shift+I"))
        self.look = QAction(self.tr("Look into the word at the text cursor"), self)
        self.look.setShortcut(QKeySequence("Ctrl+I"))
        self.look.setToolTip(
            self.tr("Also by Alt and a click on a word, or a click while tokens are inspected")
        )
        self.tints = QActionGroup(self)
        for tint, text in (
            (Tint.NONE, self.tr("No colours")),
            (Tint.LATENCY, self.tr("Colour by time")),
            (Tint.PROBABILITY, self.tr("Colour by probability")),
        ):
            action = QAction(text, self.tints)
            action.setCheckable(True)
            action.setData(tint.value)
        self.tints.triggered.connect(lambda action: self.tint_chosen.emit(Tint(str(action.data()))))
        for action in (self.inspect, self.look):
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            window.addAction(action)
        self.show_cost(None)

    def show_tint(self, tint: Tint) -> None:
        """Check the colours that are shown."""
        for action in self.tints.actions():
            action.setChecked(action.data() == tint.value)

    def show_cost(self, ratio: float | None) -> None:
        """Say what inspecting costs, once it was measured in an answer."""
        if ratio is None:
            cost = self.tr(
                "It slows the model down; how much is measured with the next answer. "
                "Nothing when off."
            )
        else:
            cost = self.tr("Took {share} of the decode time of the last answer.").format(
                share=format_percent(ratio)
            )
        kept = self.tr("How each token of the next answers is chosen. For this session only.")
        self.inspect.setToolTip(f"{kept}\n{cost}")
        self.inspect.setStatusTip(cost)

    def add_to(self, menu: QMenu) -> QMenu:
        """A menu of its own in `menu`."""
        made = QMenu(self.tr("Tokens"), menu)
        made.setAccessibleName(self.tr("Tokens"))
        # Beside what else changes how the window looks.
        separator = next((one for one in menu.actions() if one.isSeparator()), None)
        if separator is None:
            menu.addMenu(made)
        else:
            menu.insertMenu(separator, made)
        made.setToolTipsVisible(True)
        made.addActions([self.inspect, self.look])
        made.addSeparator()
        made.addActions(self.tints.actions())
        return made
