"""What stands under a turn: the way between its variants, and what can be done with it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPaintEvent
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

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
_SPACING = 2
_COUNT_SIDES = 4
_COUNT = "count"
_VARIANTS = ("previous", "next", "delete")


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

    Buttons are made from `dress` on, when the turn comes on screen: most turns of a long
    conversation never do.

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
        self._is_dressed = False
        self._has_new = False
        self._watched: list[QWidget] = []
        self._buttons: dict[str, QPushButton] = {}
        self._count: PlainLabel | None = None
        self._choices = TurnChoices()

    @property
    def choices(self) -> TurnChoices:
        """What can be done with the turn now."""
        return self._choices

    @property
    def count_text(self) -> str:
        """Which variant it is, as shown; empty where there is one only."""
        return "" if self._count is None or self._count.isHidden() else self._count.text()

    @property
    def shows_actions(self) -> bool:
        """Whether its buttons are painted."""
        if not self._hides or self._is_pointed_at:
            return True
        return any(widget.hasFocus() for widget in (*self._watched, *self._buttons.values()))

    @property
    def offered(self) -> list[str]:
        """The names of the buttons that can be seen when it is pointed at, in order."""
        return [name for name in self._shown() if name != _COUNT]

    def button(self, name: str) -> QPushButton:
        """A button of a foot that is dressed, which is or was shown: `_VARIANTS`, or an action."""
        return self._buttons[name]

    def dress(self) -> bool:
        """Make the buttons that are shown; the others follow when they make sense.

        Returns whether there are new ones, which Tab is to come to.
        """
        if not self._is_dressed:
            self._is_dressed = True
            self._lay_out()
        has_new, self._has_new = self._has_new, False
        return has_new

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
        for button in self._buttons.values():
            button.update()

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        return [self._buttons[name] for name in self._order() if name in self._buttons]

    def show_choices(self, choices: TurnChoices) -> None:
        """Offer what can be done now."""
        self._choices = choices
        self.refresh()

    def refresh(self) -> None:
        """Show the buttons that make sense now."""
        if self._is_dressed:
            self._lay_out()

    def add_to(self, menu: QMenu) -> None:
        """Offer in the menu of the turn what can be done with its words."""
        raise NotImplementedError

    def sizeHint(self) -> QSize:
        """What the buttons take that are shown."""
        shown = self._shown()
        width = sum(self._width(name) for name in shown) + _SPACING * max(0, len(shown) - 1)
        return QSize(width, _BUTTON)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hear where the focus goes."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.repaint_actions()
        return False

    def _actions(self) -> list[str]:
        """What can be done with the turn, in order, whether it makes sense now or not."""
        raise NotImplementedError

    def _makes_sense(self, name: str) -> bool:
        """Whether an action is offered for the turn as it is."""
        raise NotImplementedError

    def _make(self, name: str) -> QPushButton:
        """The button of an action."""
        raise NotImplementedError

    def _order(self) -> list[str]:
        return [*_VARIANTS, *self._actions()]

    def _shown(self) -> list[str]:
        has_variants = self._choices.n_variants > 1
        actions = [name for name in self._actions() if self._makes_sense(name)]
        return [*(("previous", _COUNT, "next", "delete") if has_variants else ()), *actions]

    def _width(self, name: str) -> int:
        if name == _COUNT:
            text = f"{self._choices.number}/{self._choices.n_variants}"
            return self.fontMetrics().horizontalAdvance(text) + _COUNT_SIDES
        return _ARROW_WIDTH if name in ("previous", "next") else _BUTTON

    def _lay_out(self) -> None:
        shown = self._shown()
        left = 0
        for name in shown:
            width = self._width(name)
            widget: QWidget = self._show_count() if name == _COUNT else self._shown_button(name)
            widget.setGeometry(left, 0, width, _BUTTON)
            widget.show()
            left += width + _SPACING
        for name, button in self._buttons.items():
            if name not in shown:
                button.hide()
        if self._count is not None and _COUNT not in shown:
            self._count.hide()

    def _show_count(self) -> PlainLabel:
        if self._count is None:
            self._count = PlainLabel(self._theme, font="caption", color="muted", parent=self)
            self._count.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._count.setText(f"{self._choices.number}/{self._choices.n_variants}")
        self._count.setAccessibleName(self._variant_words())
        return self._count

    def _shown_button(self, name: str) -> QPushButton:
        button = self._buttons.get(name)
        if button is None:
            button = self._make_variant_button(name) if name in _VARIANTS else self._make(name)
            self._buttons[name] = button
            self._has_new = True
        choices = self._choices
        if name in ("previous", "next") and isinstance(button, FootButton):
            edge = 1 if name == "previous" else choices.n_variants
            button.setAccessibleDescription(self._variant_words())
            button.show_keys(shown=choices.has_keys)
            button.setEnabled(choices.number != edge)
        elif isinstance(button, FootButton):
            button.set_blocked(is_blocked=choices.is_blocked, has_keys=choices.has_keys)
        return button

    def _variant_words(self) -> str:
        return self.tr("Variant {n} of {total}").format(
            n=self._choices.number, total=self._choices.n_variants
        )

    def _make_variant_button(self, name: str) -> QPushButton:
        if name == "delete":
            delete = FootButton(
                self._theme, "trash", self.tr("Delete this variant and what follows it"), self
            )
            delete.clicked.connect(self.delete_requested)
            return delete
        is_back = name == "previous"
        arrow = FootButton(
            self._theme,
            "chevron-left" if is_back else "chevron-right",
            self.tr("Previous variant") if is_back else self.tr("Next variant"),
            self,
            keys=shortcuts.PREVIOUS_VARIANT if is_back else shortcuts.NEXT_VARIANT,
            is_lasting=True,
        )
        arrow.clicked.connect(lambda: self.variant_chosen.emit(-1 if is_back else 1))
        return arrow


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

    def __init__(self, theme: Theme, text: Callable[[], str], name: str, foot: TurnFoot) -> None:
        super().__init__(theme, text, name, foot, shows_words=False)
        self._foot = foot
        self.setProperty("look", "icon")
        foot.watch(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint it where it is wanted."""
        if self._foot.shows_actions:
            super().paintEvent(event)
