"""What a person can read on a window."""

from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit, QTextEdit, QWidget


def texts(widget: QWidget) -> list[str]:
    """Every text that is visible in `widget`; no-break spaces look like others."""
    found = []
    for child in [widget, *widget.findChildren(QWidget)]:
        if not child.isVisible():
            continue
        if isinstance(child, QLabel | QAbstractButton):
            found.append(child.text())
        elif isinstance(child, QTextEdit | QPlainTextEdit):
            found.append(child.toPlainText())
    return [text.replace("\N{NO-BREAK SPACE}", " ") for text in found if text]


def shows(widget: QWidget, words: str) -> bool:
    """Whether `words` can be read somewhere in `widget`."""
    return any(words in text for text in texts(widget))
