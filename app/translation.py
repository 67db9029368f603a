"""Loads the words of the person's language."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator


class Translation:
    """Owns the translators of one application; English needs none."""

    def __init__(self, application: QCoreApplication, folder: Path, locale: QLocale) -> None:
        """Install what exists for `locale`: our own words from `folder`, and Qt's.

        Args:
            application: Gets the translators. Its widgets are made afterwards.
            folder: Holds `oscillama_<language>.qm`.
            locale: The language asked for.
        """
        QLocale.setDefault(locale)
        self._application = application
        self._translators: list[QTranslator] = []
        qt_folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        for name, place in (("qtbase", qt_folder), ("oscillama", str(folder))):
            translator = QTranslator()
            if translator.load(locale, name, "_", place):
                application.installTranslator(translator)
                self._translators.append(translator)

    def close(self) -> None:
        """Take the translators out again."""
        for translator in self._translators:
            self._application.removeTranslator(translator)
        self._translators.clear()
