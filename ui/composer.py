"""Where the person types: a field that grows, Send or Stop, and how full the context is."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ui.attachment_bar import AttachmentBar
from ui.context_meter import ContextMeter
from ui.icons import IconName, icon
from ui.labels import PlainLabel
from ui.message_field import MessageField
from ui.theme import Theme

_RADIUS = 14


class Composer(QWidget):
    """The field and what belongs to it.

    Signals:
        send_requested(): Enter, or the button.
        stop_requested(): The button, while an answer runs.
        settings_requested(): The button of the chat settings.
        attach_requested(): The button that chooses files.
        content_changed(): What would be sent is another.
    """

    send_requested = Signal()
    stop_requested = Signal()
    settings_requested = Signal()
    attach_requested = Signal()
    content_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_answering = False
        self.field = MessageField(theme, self)
        self.attachments = AttachmentBar(theme, self)
        self.meter = ContextMeter(theme, self)
        self.forecast = PlainLabel(theme, font="secondary", color="warning", wrap=True, parent=self)
        self.forecast.hide()
        self.button = QPushButton(self)
        self.button.setProperty("look", "primary")
        self.button.setCursor(Qt.CursorShape.PointingHandCursor)
        self.button.setFont(theme.font("strong"))
        self.button.clicked.connect(self._on_clicked)
        self.field.send_requested.connect(self.send_requested)
        self.field.focus_changed.connect(self.update)
        self.field.textChanged.connect(self.content_changed)
        self.attachments.changed.connect(self.content_changed)
        self.attachments.laid_out.connect(self._order_tab_stops)
        self.attach_button = self._quiet(
            "paperclip",
            self.tr("Attach files"),
            self.tr(
                "Attach text files or PDFs, which can also be dropped or pasted (Ctrl+Shift+A)"
            ),
        )
        self.attach_button.clicked.connect(self.attach_requested)
        self.settings_button = self._quiet(
            "adjustments-horizontal",
            self.tr("Chat settings"),
            self.tr("System prompt, sampling and presets of this chat (Ctrl+Shift+,)"),
        )
        self.settings_button.clicked.connect(self.settings_requested)
        foot = QHBoxLayout()
        # The words stand under those that are typed.
        foot.setContentsMargins(-8, 0, 0, 0)
        foot.setSpacing(2)
        foot.addWidget(self.attach_button)
        foot.addWidget(self.settings_button)
        foot.addStretch(1)
        foot.addWidget(self.meter)
        foot.addSpacing(14)
        foot.addWidget(self.button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 14, 12, 10)
        layout.setSpacing(8)
        layout.addWidget(self.attachments)
        layout.addWidget(self.field)
        layout.addWidget(self.forecast)
        layout.addLayout(foot)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        theme.changed.connect(self.update)
        self.set_answering(False)

    def text(self) -> str:
        """What is typed."""
        return self.field.text()

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing to send."""
        return self.field.is_blank and not self.attachments.attachments

    def set_forecast(self, words: str) -> None:
        """Say what sending would do that is not expected; nothing where it does what it should."""
        if words != self.forecast.text():
            self.forecast.setText(words)
            self.forecast.setVisible(bool(words))
            self.button.setAccessibleDescription(words)

    def clear(self) -> None:
        """Type something new."""
        self.set_text("")
        self.attachments.set_attachments(())

    def set_text(self, text: str) -> None:
        """Replace what is typed."""
        self.field.set_text(text)

    def set_answering(self, answering: bool) -> None:
        """Offer Stop while an answer runs, else Send."""
        self._is_answering = answering
        self.button.setText(self.tr("Stop   Esc") if answering else self.tr("Send"))
        self.button.setAccessibleName(
            self.tr("Stop the answer") if answering else self.tr("Send the message")
        )
        self.button.setToolTip(
            self.tr("Stop the answer (Esc)") if answering else self.tr("Send the message (Enter)")
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self.field.hasFocus()
        painter.setPen(QPen(self._theme.color("faint" if focused else "line"), 1))
        painter.setBrush(self._theme.color("panel"))
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(frame, _RADIUS, _RADIUS)

    def _order_tab_stops(self) -> None:
        before: QWidget = self.field
        for stop in self.attachments.tab_stops():
            QWidget.setTabOrder(before, stop)
            before = stop

    def _quiet(self, name: IconName, text: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("look", "quiet")
        button.setAccessibleName(text)
        button.setAccessibleDescription(tip)
        button.setToolTip(tip)

        def recolor() -> None:
            button.setIcon(icon(self._theme, name))

        self._theme.changed.connect(recolor)
        recolor()
        return button

    def _on_clicked(self) -> None:
        if self._is_answering:
            self.stop_requested.emit()
        else:
            self.send_requested.emit()
        self.field.setFocus()
