"""What a model thinks before it answers: folded, with its tokens and time."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QPushButton, QWidget

from ui.conversation.text_part import TextPart
from ui.counts import token_count
from ui.format import format_duration_ns
from ui.icons import IconName, icon
from ui.theme import Theme

_HEAD_HEIGHT = 28
_INDENT = 18


class ReasoningPart(QWidget):
    """Folded until the person unfolds it; its text is laid out only then.

    Signals:
        painted(): Something of it was painted.
        folded(): It was folded or unfolded: it needs another height.
    """

    painted = Signal()
    folded = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self._n_shown_characters = 0
        self._is_over = False
        self._figures: tuple[int, int | None] = (0, None)
        self._head = QPushButton(self)
        self._head.setProperty("look", "quiet")
        self._head.setFont(theme.font("secondary"))
        self._head.setCheckable(True)
        self._head.toggled.connect(self._on_toggled)
        self._body = TextPart(theme, "body", self)
        self._body.setAccessibleName(self.tr("Reasoning"))
        self._body.hide()
        theme.changed.connect(self._recolor)
        self._recolor()
        self._show_head()

    @property
    def head(self) -> QPushButton:
        """Folds and unfolds."""
        return self._head

    @property
    def body(self) -> TextPart:
        """The reasoning, empty until it is unfolded."""
        return self._body

    @property
    def text(self) -> str:
        """The reasoning, whether it is unfolded or not."""
        return self._text

    @property
    def is_folded(self) -> bool:
        """Whether the reasoning is hidden."""
        return not self._head.isChecked()

    def unfold(self) -> None:
        """Show the reasoning."""
        self._head.setChecked(True)

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        return [self._head, self._body]

    def show_reasoning(
        self, text: str, *, n_tokens: int, duration_ns: int | None, is_over: bool
    ) -> None:
        """Show all of the reasoning so far, and what it took."""
        self._text = text
        self._is_over = is_over
        self._figures = (n_tokens, duration_ns)
        self._show_head()
        self._show_text()

    def arrange(self, width: int) -> int:
        """Take `width` and the height then needed, which is returned; pixels."""
        size = self._head.sizeHint()
        self._head.setGeometry(-8, 0, min(width, size.width()), _HEAD_HEIGHT)
        height = _HEAD_HEIGHT
        if self._head.isChecked():
            self._body.move(_INDENT, _HEAD_HEIGHT + 4)
            height += 4 + self._body.arrange(width - _INDENT)
        self.resize(width, height)
        return height

    def set_caret(self, shown: bool) -> None:
        """Show a mark where the reasoning grows."""
        self._body.set_caret(shown)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a line beside the reasoning."""
        if self._head.isChecked():
            painter = QPainter(self)
            top = _HEAD_HEIGHT + 4
            painter.fillRect(4, top, 2, self.height() - top, self._theme.color("line"))
        self.painted.emit()

    def _on_toggled(self) -> None:
        self._show_text()
        self._body.setVisible(self._head.isChecked())
        self._show_head()
        self.folded.emit()

    def _show_text(self) -> None:
        if self._head.isChecked():
            arrived = self._text[self._n_shown_characters :]
            self._n_shown_characters = len(self._text)
            if arrived:
                self._body.append_text(arrived)

    def _show_head(self) -> None:
        n_tokens, duration_ns = self._figures
        name = self.tr("Reasoning") if self._is_over else self.tr("Reasoning…")
        words = [name]
        if n_tokens:
            words.append(token_count(n_tokens))
        if duration_ns is not None:
            words.append(format_duration_ns(duration_ns))
        self._head.setText(" · ".join(words))
        state = self.tr("unfolded") if self._head.isChecked() else self.tr("folded")
        self._head.setAccessibleName(f"{' · '.join(words)}, {state}")
        shown: IconName = "chevron-down" if self._head.isChecked() else "chevron-right"
        self._head.setIcon(icon(self._theme, shown, size_px=14))

    def _recolor(self) -> None:
        palette = self._body.palette()
        palette.setColor(QPalette.ColorRole.Text, self._theme.color("muted"))
        self._body.setPalette(palette)
        self._show_head()
        self.update()
