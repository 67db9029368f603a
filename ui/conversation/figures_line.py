"""One quiet line under an answer: a dot in the colour of the phase, and its figures."""

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.transcript import Answer, AnswerPhase
from ui.conversation.figures_text import broken_figures, figures_line, figures_tooltip
from ui.labels import PlainLabel
from ui.theme import Theme
from ui.thin_bar import ThinBar

# Digits that change faster cannot be read.
_REFRESH_MS = 220
_DOT = 8
_DOT_SPACE = 16
_BAR_WIDTH = 120
_LINE_HEIGHT = 20


class FiguresLine(QWidget):
    """Shows phase, progress and figures of one answer."""

    def __init__(self, theme: Theme, answer: Answer, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._answer = answer
        self._shown_phase: AnswerPhase | None = None
        self._words = ""
        self._label = PlainLabel(theme, font="secondary", color="muted", wrap=True, parent=self)
        self._label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._bar = ThinBar(theme, "phase_prefill", self)
        self._bar.setAccessibleName(self.tr("Prefill progress"))
        self._bar.hide()
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_REFRESH_MS)
        self._pause.timeout.connect(self._refresh_late)
        self._is_stale = False
        theme.changed.connect(self.update)
        self.refresh()

    def text(self) -> str:
        """The words shown."""
        return self._words

    def update_answer(self) -> None:
        """The answer changed: show it, a new phase at once, figures a few times a second."""
        if self._answer.phase is not self._shown_phase:
            self.refresh()
        elif self._pause.isActive():
            self._is_stale = True
        else:
            self.refresh()

    def refresh(self) -> None:
        """Show what is known now."""
        answer = self._answer
        self._shown_phase = answer.phase
        self._is_stale = False
        self._words = figures_line(answer)
        self._break(self.width() - _DOT_SPACE)
        self.setAccessibleName(self.tr("Figures of this answer"))
        self.setAccessibleDescription(self._words)
        self.setToolTip(figures_tooltip(answer))
        self._refresh_bar()
        self.update()
        if answer.phase.is_over:
            self._pause.stop()
        else:
            self._pause.start()

    def arrange(self, width: int) -> int:
        """Take `width` and the height then needed, which is returned; pixels."""
        label_width = width - _DOT_SPACE
        self._break(label_width)
        if self._bar.isVisibleTo(self):
            fits = min(self._label.fontMetrics().horizontalAdvance(self._label.text()), label_width)
            self._bar.setGeometry(_DOT_SPACE + fits + 14, 7, _BAR_WIDTH, 4)
        height = max(_LINE_HEIGHT, self._label.heightForWidth(label_width))
        self._label.setGeometry(_DOT_SPACE, 1, label_width, height)
        self.resize(width, height)
        return height

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(400, _LINE_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the dot."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.phase_color(self._answer.phase))
        painter.drawEllipse(QRectF(0, 5, _DOT, _DOT))

    def _break(self, width: int) -> None:
        metrics = self._label.fontMetrics()
        text = broken_figures(self._words, lambda line: metrics.horizontalAdvance(line) < width)
        if text != self._label.text():
            self._label.setText(text)

    def _refresh_late(self) -> None:
        if self._is_stale:
            self.refresh()

    def _refresh_bar(self) -> None:
        answer = self._answer
        total, done = answer.trace.n_prompt_tokens, answer.n_prefilled_tokens
        reading = answer.phase is AnswerPhase.PREFILL and bool(total) and done is not None
        self._bar.setVisible(reading)
        if reading and total and done is not None:
            self._bar.set_fraction(done / total)
            self.arrange(self.width())
