"""A new chat: a greeting, and what to do."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from ui.labels import PlainLabel
from ui.theme import Theme

_WIDEST = 520
_SIDE = 24
# Border and padding of a suggestion, by the style sheet, and what rounding may take.
_SUGGESTION_SIDES = 2 * 17 + 2


class SuggestionButton(QPushButton):
    """Goes on in a second line where one has no room, which other buttons cannot."""

    def __init__(self, words: str, parent: QWidget) -> None:
        super().__init__(words, parent)
        self._words = words

    def fit(self, width: int) -> None:
        """Break the words for this width."""
        advance = self.fontMetrics().horizontalAdvance
        lines = [""]
        for word in self._words.split(" "):
            longer = f"{lines[-1]} {word}".lstrip()
            if lines[-1] and advance(longer) > width - _SUGGESTION_SIDES:
                lines.append(word)
            else:
                lines[-1] = longer
        self.setText("\n".join(lines))


class EmptyState(QScrollArea):
    """Shown while a chat has no turns. Scrolls where there is little room.

    Signals:
        prompt_chosen(str): The person took a suggestion.
        open_requested(): The person wants to open a model.
    """

    prompt_chosen = Signal(str)
    open_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        # Tab goes to what is in it, and shows that.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._title = PlainLabel(theme, font="title", wrap=True, parent=self)
        self._text = PlainLabel(theme, color="muted", wrap=True, parent=self)
        self._title.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.prompt_buttons = [self._prompt_button(theme, text) for text in self._prompts()]
        self.open_button = QPushButton(self.tr("Open a model…"), self)
        self.open_button.setProperty("look", "primary")
        self.open_button.setAccessibleName(self.tr("Open a model"))
        self.open_button.clicked.connect(self.open_requested)
        column = QWidget(self)
        inner = QVBoxLayout(column)
        inner.setContentsMargins(_SIDE, 0, _SIDE, 0)
        inner.setSpacing(8)
        inner.addWidget(self._title)
        inner.addWidget(self._text)
        inner.addSpacing(16)
        for button in self.prompt_buttons:
            inner.addWidget(button)
        inner.addWidget(self.open_button, 0, Qt.AlignmentFlag.AlignHCenter)
        content = QWidget()
        outer = QVBoxLayout(content)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addStretch(5)
        outer.addWidget(column, 0, Qt.AlignmentFlag.AlignHCenter)
        outer.addStretch(6)
        self._column, self._inner = column, inner
        self.setWidget(content)
        content.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        self.set_model_known(True)

    def set_model_known(self, known: bool) -> None:
        """Suggest prompts, or say how to get a model."""
        if known:
            self._title.setText(self.tr("What would you like to know?"))
            self._text.setText(
                self.tr("Ask anything, and watch at the right what the machine does to answer.")
            )
        else:
            self._title.setText(self.tr("Open a model to begin"))
            self._text.setText(
                self.tr(
                    "Oscillama runs language models on this machine. Open a model, a GGUF file or "
                    "a folder of safetensors, and chat with it here."
                )
            )
        for button in self.prompt_buttons:
            button.setVisible(known)
        self.open_button.setVisible(not known)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the column readable."""
        # Before the layout runs: wrapped labels need a known width.
        self._fit()
        super().resizeEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter takes the suggestion that has the focus."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and isinstance(watched, QPushButton)
        ):
            watched.click()
            return True
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        width = min(_WIDEST, self.width())
        for button in self.prompt_buttons:
            button.fit(width - 2 * _SIDE)
        self._inner.invalidate()
        self._column.setFixedSize(width, self._inner.totalHeightForWidth(width))

    def _prompts(self) -> list[str]:
        return [
            self.tr("Why is the sky blue? Explain it like I'm twelve."),
            self.tr("Write a Python function that reverses the words of a sentence."),
            self.tr("What happens inside a computer while a language model answers?"),
        ]

    def _prompt_button(self, theme: Theme, text: str) -> SuggestionButton:
        button = SuggestionButton(text, self)
        button.setProperty("look", "suggestion")
        button.setAccessibleName(text)
        button.setAccessibleDescription(self.tr("Sends this message"))
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.installEventFilter(self)
        button.clicked.connect(lambda: self.prompt_chosen.emit(text))
        return button
