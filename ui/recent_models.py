"""Which models were opened lately."""

from PySide6.QtCore import QSettings

_KEY = "models/recent"
_MOST = 8


class RecentModels:
    """Paths of models that were loaded, the latest first, kept in the settings."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    def paths(self) -> list[str]:
        """The latest first. A file may be gone: to ask may block for long on a network share."""
        value = self._settings.value(_KEY, [])
        # An INI file gives a list of one back as a string.
        values = [value] if isinstance(value, str) else value
        return [str(path) for path in values] if isinstance(values, list) else []

    def add(self, path: str) -> None:
        """Put a path first."""
        others = [known for known in self.paths() if known != path]
        self._settings.setValue(_KEY, [path, *others][:_MOST])
