"""Loads the words of the person's language."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator


class Translation:
    """Owns the translators of one application."""

    def __init__(self, application: QCoreApplication, folder: Path, locale: QLocale) -> None:
        """Install what exists for `locale`: our own words from `folder`, and Qt's.

        The words are English where there are none; only English plurals have a file.

        Args:
            application: Gets the translators. Its widgets are made afterwards.
            folder: Holds `oscillama_<language>.qm`.
            locale: The language asked for.
        """
        QLocale.setDefault(locale)
        self._application = application
        self._translators: list[QTranslator] = []
        qt_folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        self._install(QLocale("en"), "oscillama", str(folder))
        self._install(locale, "qtbase", qt_folder)
        self._install(locale, "oscillama", str(folder))

    def close(self) -> None:
        """Take the translators out again."""
        for translator in self._translators:
            self._application.removeTranslator(translator)
        self._translators.clear()

    def _install(self, locale: QLocale, name: str, folder: str) -> None:
        # The translator installed last is asked first.
        translator = QTranslator()
        if translator.load(locale, name, "_", folder):
            self._application.installTranslator(translator)
            self._translators.append(translator)
