"""Which model files were opened lately."""

from pathlib import Path

from PySide6.QtCore import QSettings

_KEY = "models/recent"
_MOST = 8


class RecentModels:
    """Paths of models that were loaded, the latest first, kept in the settings."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    def paths(self) -> list[str]:
        """Those that still exist."""
        return [path for path in self._stored() if Path(path).exists()]

    def add(self, path: str) -> None:
        """Put a path first."""
        others = [known for known in self._stored() if known != path]
        self._settings.setValue(_KEY, [path, *others][:_MOST])

    def _stored(self) -> list[str]:
        value = self._settings.value(_KEY, [])
        # An INI file gives a list of one back as a string.
        values = [value] if isinstance(value, str) else value
        return [str(path) for path in values] if isinstance(values, list) else []
