"""What stands under a turn: the way between its variants, and what can be done with it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from ui import shortcuts
from ui.copy_button import CopyButton
from ui.icons import IconName, icon
from ui.labels import PlainLabel
from ui.theme import Theme

if TYPE_CHECKING:
    from ui.palette import ColorName

_ICON_PX = 14
_BUTTON = 24
_ARROW_WIDTH = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnChoices:
    """What can be done with a turn now.

    Attributes:
        number: Which of its variants it is, from 1.
        n_variants: How many there are.
        has_keys: Whether the keys of the window mean this turn.
        can_continue: Whether the model can go on in it.
        is_blocked: Whether an answer runs, so that no other can begin.
    """

    number: int = 1
    n_variants: int = 1
    has_keys: bool = False
    can_continue: bool = False
    is_blocked: bool = False


class TurnFoot(QWidget):
    """A row of quiet buttons, which keeps its room while they are not painted.

    Args:
        theme: Colours and fonts.
        parent: The turn.
        hides: Paint what can be done only under the pointer, or with the focus in the turn.

    Signals:
        variant_chosen(int): Steps to the variant that is wanted: -1 or 1.
        delete_requested(): Take this variant away.
    """

    variant_chosen = Signal(int)
    delete_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget, *, hides: bool) -> None:
        super().__init__(parent)
        self._theme = theme
        self._hides = hides
        self._is_pointed_at = False
        self._watched: list[QWidget] = []
        self._buttons: list[FootButton] = []
        self._choices = TurnChoices()
        self.previous = self._arrow("chevron-left", self.tr("Previous variant"), -1)
        self.next = self._arrow("chevron-right", self.tr("Next variant"), 1)
        self._count = PlainLabel(theme, font="caption", color="muted", parent=self)
        self._count.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(2)
        for widget in (self.previous, self._count, self.next):
            self._layout.addWidget(widget)
        self._layout.addSpacing(4)
        self.delete = self.add_button("trash", self.tr("Delete this variant and what follows it"))
        self.delete.clicked.connect(self.delete_requested)
        self.show_choices(TurnChoices())

    @property
    def choices(self) -> TurnChoices:
        """What can be done with the turn now."""
        return self._choices

    @property
    def count_text(self) -> str:
        """Which variant it is, as shown; empty where there is one only."""
        return "" if self._count.isHidden() else self._count.text()

    @property
    def shows_actions(self) -> bool:
        """Whether its buttons are painted."""
        if not self._hides or self._is_pointed_at:
            return True
        return any(widget.hasFocus() for widget in (*self._watched, *self._stops()))

    def add_button(self, name: IconName, text: str, keys: str = "") -> "FootButton":
        """Add a button that begins an answer, and so is blocked while another runs."""
        button = FootButton(self._theme, name, text, self, keys=keys)
        self._buttons.append(button)
        self._layout.addWidget(button)
        return button

    def add_copy(self, button: CopyButton) -> None:
        """Add the button that copies."""
        button.setProperty("look", "icon")
        button.setFixedSize(_BUTTON, _BUTTON)
        self._layout.addWidget(button)
        self.watch(button)

    def watch(self, widget: QWidget) -> None:
        """Paint the buttons, too, while the focus is in `widget`."""
        self._watched.append(widget)
        widget.installEventFilter(self)

    def point_at(self, *, is_pointed_at: bool) -> None:
        """Whether the pointer is over the turn."""
        self._is_pointed_at = is_pointed_at
        self.repaint_actions()

    def repaint_actions(self) -> None:
        """Show or hide the buttons that are not needed always."""
        for button in (*self._buttons, *self._watched):
            if button.parent() is self:
                button.update()

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        return self._stops()

    def show_choices(self, choices: TurnChoices) -> None:
        """Offer what can be done now."""
        self._choices = choices
        has_variants = choices.n_variants > 1
        for widget in (self.previous, self._count, self.next):
            widget.setVisible(has_variants)
        self.delete.setVisible(has_variants)
        self._count.setText(f"{choices.number}/{choices.n_variants}")
        words = self.tr("Variant {n} of {total}").format(n=choices.number, total=choices.n_variants)
        self._count.setAccessibleName(words)
        for arrow in (self.previous, self.next):
            arrow.setAccessibleDescription(words)
            arrow.show_keys(shown=choices.has_keys)
        self.previous.setEnabled(choices.number > 1)
        self.next.setEnabled(choices.number < choices.n_variants)
        for button in self._buttons:
            button.set_blocked(is_blocked=choices.is_blocked, has_keys=choices.has_keys)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hear where the focus goes."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.repaint_actions()
        return False

    def _arrow(self, name: IconName, text: str, steps: int) -> "FootButton":
        keys = shortcuts.PREVIOUS_VARIANT if steps < 0 else shortcuts.NEXT_VARIANT
        arrow = FootButton(self._theme, name, text, self, keys=keys, is_lasting=True)
        arrow.setFixedWidth(_ARROW_WIDTH)
        arrow.clicked.connect(lambda: self.variant_chosen.emit(steps))
        return arrow

    def _stops(self) -> list[QWidget]:
        copies = [widget for widget in self._watched if widget.parent() is self]
        return [self.previous, self.next, *self._buttons, *copies]


class FootButton(QPushButton):
    """An icon to press.

    Args:
        theme: Colours and fonts.
        name: The icon.
        text: What it does, for the tooltip and screen readers.
        foot: Its owner.
        keys: Of the window, that do the same.
        is_lasting: Paint it also where the foot hides its buttons.
    """

    def __init__(
        self,
        theme: Theme,
        name: IconName,
        text: str,
        foot: TurnFoot,
        *,
        keys: str = "",
        is_lasting: bool = False,
    ) -> None:
        super().__init__(foot)
        self._foot = foot
        self._theme = theme
        self._name: IconName = name
        self._what = text
        self._keys = keys
        self._is_lasting = is_lasting
        self.setProperty("look", "icon")
        self.setAccessibleName(text)
        self.setToolTip(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedSize(_BUTTON, _BUTTON)
        theme.changed.connect(self._recolor)
        self._recolor()

    def show_keys(self, *, shown: bool) -> None:
        """Name the keys in the tooltip."""
        keys = self._keys
        self.setToolTip(shortcuts.with_keys(self._what, keys) if shown and keys else self._what)

    def set_blocked(self, *, is_blocked: bool, has_keys: bool) -> None:
        """Do nothing while an answer runs, and say why."""
        self.setEnabled(not is_blocked)
        if is_blocked:
            reason = self.tr("An answer is running. Wait for it, or stop it first.")
            self.setToolTip(f"{self._what}\n{reason}")
        else:
            self.show_keys(shown=has_keys)
        self.setAccessibleDescription(self.toolTip())

    def changeEvent(self, event: QEvent) -> None:
        """Look as it can be pressed, or not."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange:
            self._recolor()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show what else there is."""
        super().focusInEvent(event)
        self._foot.repaint_actions()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide it again."""
        super().focusOutEvent(event)
        self._foot.repaint_actions()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint it where it is wanted."""
        if self._is_lasting or self._foot.shows_actions:
            super().paintEvent(event)

    def _recolor(self) -> None:
        color: ColorName = "muted" if self.isEnabled() else "faint"
        self.setIcon(icon(self._theme, self._name, color, _ICON_PX))


class FootCopyButton(CopyButton):
    """Copies, and is painted where the foot paints its buttons."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint it where it is wanted."""
        foot = self.parentWidget()
        if not isinstance(foot, TurnFoot) or foot.shows_actions:
            super().paintEvent(event)
