"""Which file is being imported, how far that is, and Cancel."""

from pathlib import Path

from PySide6.QtWidgets import QWidget

from ui.progress_strip import ProgressStrip
from ui.theme import Theme


class ImportStrip(ProgressStrip):
    """Visible while an import takes a noticeable time."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "accent", parent)
        self._bar.setAccessibleName(self.tr("Import progress"))
        self.cancel_button.setAccessibleName(self.tr("Cancel the import"))
        self.setAccessibleName(self.tr("Import"))

    def show_progress(self, path: str, fraction: float | None) -> None:
        """Show how far an import is, 0 to 1, or nothing when it is over."""
        if fraction is None:
            self.end()
        else:
            words = self.tr("Importing {name}").replace("{name}", Path(path).name)
            self.show_words(words, fraction, "accent")
