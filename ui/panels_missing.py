"""What stands where the live panels would, when they cannot be made; the window works without."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt

from app import messages
from app.session import ChatSession
from ui.labels import PlainLabel
from ui.theme import Theme

_MARGIN = 15

_log = logging.getLogger(__name__)


class MissingPanels(PlainLabel):
    """Says so in their place."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, messages.panels_missing().text, color="muted", wrap=True)
        self.setMargin(_MARGIN)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)


@contextmanager
def said_in(session: ChatSession) -> Iterator[None]:
    """What goes wrong while panels are made is logged, and said in the window."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - whatever it is, people chat without panels
        _log.exception("the live panels could not be made")
        technical = f"{type(error).__name__}: {error}"
        session.message_raised.emit(messages.panels_missing(technical))
