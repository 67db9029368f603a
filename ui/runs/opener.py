"""Opens the window of runs, once."""

from PySide6.QtCore import QObject, QSettings, Qt
from PySide6.QtWidgets import QWidget

from app.runs.library import RunLibrary
from ui.theme import Theme


class RunsOpener(QObject):
    """Makes the window of runs when it is asked for: it imports what plots need."""

    def __init__(
        self, theme: Theme, library: RunLibrary, settings: QSettings, window: QWidget
    ) -> None:
        super().__init__(window)
        self._theme = theme
        self._library = library
        self._settings = settings
        self._window = window

    def open(self) -> None:
        """Show the window of runs, or bring it to the front."""
        from ui.runs.window import RunsWindow

        shown = self._window.findChild(RunsWindow)
        if shown is None:
            shown = RunsWindow(self._theme, self._library, self._settings, self._window)
            shown.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        # Not modal: a chat may go on, and its runs appear.
        shown.show()
        shown.raise_()
        shown.activateWindow()
