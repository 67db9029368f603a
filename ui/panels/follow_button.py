"""The way back from a zoom: a button that is there only as long as there is something to undo."""

import html

from PySide6.QtWidgets import QPushButton, QWidget

from ui.panels.time_axis import TimeAxis


class FollowButton(QPushButton):
    """Lets an axis follow again."""

    def __init__(
        self, axis: TimeAxis, text: str, explanation: str, parent: QWidget | None = None
    ) -> None:
        """Say `text`, and `explanation` under the pointer; both are words of ours."""
        super().__init__(text, parent)
        self._axis = axis
        self.setProperty("look", "back")
        self.setAccessibleName(text)
        self.setAccessibleDescription(explanation)
        self.setToolTip(f"<p>{html.escape(explanation)}</p>")
        self.setAutoDefault(False)
        self.clicked.connect(axis.follow)
        axis.view_changed.connect(self._show_where_needed)
        self._show_where_needed()

    def _show_where_needed(self) -> None:
        self.setVisible(not self._axis.is_following)
