"""A button with the name of a file, shortened in its middle, that opens its text."""

import html

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.attachments import Attachment
from ui.format import format_bytes, format_count
from ui.theme import Theme

translate = QCoreApplication.translate

_LEAST_WIDTH = 60
_SIDES = 22
# What rounding may take.
_SLACK = 4
_GAP = "   "


class FileButton(QPushButton):
    """The name of a file and some words; its ending can be read however narrow it is.

    Args:
        theme: Colours and fonts.
        name: Of the file.
        words: Behind the name; never shortened.
        look: Which of the style sheet.
        parent: Its owner.
    """

    def __init__(
        self, theme: Theme, name: str, words: str, look: str, parent: QWidget | None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._name = name
        self._words = words
        self.setProperty("look", look)
        self.setFont(theme.font("secondary"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(_LEAST_WIDTH)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(name)
        self.setToolTip(f"<p>{html.escape(name)}</p>")
        self._fit()

    def set_attachment(self, attachment: Attachment) -> None:
        """Say what is known of the file, and open its text on a click; to be called once."""
        self._name = attachment.name
        self._fit()
        self.setAccessibleName(attachment.name)
        self.clicked.connect(lambda: self._open(attachment))
        facts = facts_of(attachment)
        self.setAccessibleDescription(", ".join(facts))
        lines = [html.escape(line) for line in (attachment.name, *facts)]
        self.setToolTip(f"<p>{'<br>'.join(lines)}</p>")

    def sizeHint(self) -> QSize:
        """As wide as the whole name."""
        hint = super().sizeHint()
        advance = self.fontMetrics().horizontalAdvance
        hint.setWidth(advance(self._name) + advance(self._tail) + _SIDES + _SLACK)
        return hint

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much of the name as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def _open(self, attachment: Attachment) -> None:
        from ui.attachment_dialog import AttachmentDialog

        dialog = AttachmentDialog(self._theme, attachment, self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    @property
    def _tail(self) -> str:
        return _GAP + self._words if self._words else ""

    def _fit(self) -> None:
        metrics = self.fontMetrics()
        room = self.width() - _SIDES - metrics.horizontalAdvance(self._tail)
        shown = metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, max(0, room))
        # An ampersand would mark the key of the button.
        self.setText((shown + self._tail).replace("&", "&&"))


def facts_of(attachment: Attachment) -> list[str]:
    """What is known of a file, each in a few words."""
    facts = [format_bytes(attachment.size_bytes)]
    if attachment.n_pages is not None:
        facts.append(pages_text(attachment.n_pages))
    if attachment.n_pages_without_text:
        text = translate("Attachments", "pages without text: {n}")
        facts.append(text.format(n=format_count(attachment.n_pages_without_text)))
    if attachment.encoding == "windows-1252":
        facts.append(translate("Attachments", "read as Windows-1252, since it is not UTF-8"))
    return facts


def pages_text(n_pages: int) -> str:
    """For example "12 pages"."""
    if n_pages == 1:
        return translate("Attachments", "1 page")
    return translate("Attachments", "{n} pages").format(n=format_count(n_pages))
