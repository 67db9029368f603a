"""Colours and fonts of the window, following the system or the person's choice."""

from enum import StrEnum
from typing import Literal

from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase
from PySide6.QtWidgets import QApplication

from app.transcript import AnswerPhase
from ui.palette import DARK, LIGHT, ColorName, qt_palette
from ui.style import style_sheet

FontName = Literal[
    "body", "control", "strong", "secondary", "caption", "title", "brand", "value", "code"
]

_MODE_KEY = "window/theme"
_ZOOM_KEY = "window/text_zoom_percent"
_ZOOMS_PERCENT = (80, 90, 100, 110, 125, 150, 175, 200)
_SIZES_PX: dict[FontName, int] = {
    "body": 15,
    "control": 13,
    "strong": 13,
    "secondary": 12,
    "caption": 11,
    "title": 20,
    "brand": 16,
    "value": 22,
    "code": 13,
}
_ZOOMED: tuple[FontName, ...] = ("body", "code")
_SEMI_BOLD: tuple[FontName, ...] = ("strong", "title", "brand", "value")
_PHASE_COLORS: dict[AnswerPhase, ColorName] = {
    AnswerPhase.WAITING: "phase_waiting",
    AnswerPhase.PREPARING: "phase_waiting",
    AnswerPhase.PREFILL: "phase_prefill",
    AnswerPhase.DECODE: "phase_decode",
    AnswerPhase.DONE: "faint",
    AnswerPhase.STOPPED: "phase_stopped",
    AnswerPhase.FAILED: "phase_stopped",
}


class ThemeMode(StrEnum):
    """Who decides between light and dark."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Theme(QObject):
    """What everything that paints asks for its colours and fonts. Lives in the main thread.

    Signals:
        changed(): Colours are different now; Qt's palette and style sheet are set already.
        zoomed(): Text of the conversation has another size now.
    """

    changed = Signal()
    zoomed = Signal()

    def __init__(self, app: QApplication, settings: QSettings) -> None:
        """Dress `app`; the person's choice is kept in `settings`."""
        super().__init__(app)
        self._app = app
        self._settings = settings
        stored = str(settings.value(_MODE_KEY, ThemeMode.SYSTEM.value))
        known = [mode.value for mode in ThemeMode]
        self._mode = ThemeMode(stored) if stored in known else ThemeMode.SYSTEM
        self._fonts = _fonts(app.font())
        self._zoom_percent = _nearest_zoom(settings.value(_ZOOM_KEY, 100))
        app.setStyle("Fusion")
        app.setFont(self._fonts["control"])
        self._follow_mode()
        self._is_dark = self._wants_dark()
        self._dress()
        app.styleHints().colorSchemeChanged.connect(self._refresh)

    @property
    def mode(self) -> ThemeMode:
        """Who decides between light and dark."""
        return self._mode

    def set_mode(self, mode: ThemeMode) -> None:
        """Follow the system, or stay light or dark."""
        self._mode = mode
        self._settings.setValue(_MODE_KEY, mode.value)
        self._follow_mode()
        self._refresh()

    @property
    def zoom_ratio(self) -> float:
        """How much larger than usual the text of the conversation is."""
        return self._zoom_percent / 100

    def zoom(self, steps: int) -> None:
        """Make the text of the conversation larger (or smaller), by steps; 0 is as usual."""
        place = _ZOOMS_PERCENT.index(self._zoom_percent if steps else 100) + steps
        percent = _ZOOMS_PERCENT[min(max(place, 0), len(_ZOOMS_PERCENT) - 1)]
        if percent != self._zoom_percent:
            self._zoom_percent = percent
            self._settings.setValue(_ZOOM_KEY, percent)
            self.zoomed.emit()

    def color(self, name: ColorName) -> QColor:
        """The colour called `name`."""
        return QColor(self._colors[name])

    def phase_color(self, phase: AnswerPhase) -> QColor:
        """The colour of a phase of an answer."""
        return self.color(_PHASE_COLORS[phase])

    def font(self, name: FontName) -> QFont:
        """The font for a role, with tabular figures where the family has them."""
        made = QFont(self._fonts[name])
        if name in _ZOOMED:
            made.setPixelSize(round(made.pixelSize() * self.zoom_ratio))
        return made

    @property
    def _colors(self) -> dict[ColorName, str]:
        return DARK if self._is_dark else LIGHT

    def _wants_dark(self) -> bool:
        if self._mode is ThemeMode.SYSTEM:
            return self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return self._mode is ThemeMode.DARK

    def _follow_mode(self) -> None:
        # Title bars and file dialogs of the system follow this, not our palette.
        self._app.styleHints().setColorScheme(
            {
                ThemeMode.SYSTEM: Qt.ColorScheme.Unknown,
                ThemeMode.LIGHT: Qt.ColorScheme.Light,
                ThemeMode.DARK: Qt.ColorScheme.Dark,
            }[self._mode]
        )

    def _refresh(self) -> None:
        if self._wants_dark() != self._is_dark:
            self._is_dark = not self._is_dark
            self._dress()
            self.changed.emit()

    def _dress(self) -> None:
        self._app.setPalette(qt_palette(self._colors))
        self._app.setStyleSheet(style_sheet(self._colors))


def _nearest_zoom(stored: object) -> int:
    percent = int(str(stored)) if str(stored).isdecimal() else 100
    return min(_ZOOMS_PERCENT, key=lambda known: abs(known - percent))


def _fonts(system: QFont) -> dict[FontName, QFont]:
    interface = QFont("Inter") if "Inter" in QFontDatabase.families() else QFont(system)
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    fonts: dict[FontName, QFont] = {}
    for name, size_px in _SIZES_PX.items():
        font = QFont(fixed if name == "code" else interface)
        font.setPixelSize(size_px)
        if name != "code":
            font.setFeature(QFont.Tag("tnum"), 1)
        if name in _SEMI_BOLD:
            font.setWeight(QFont.Weight.DemiBold)
        fonts[name] = font
    return fonts
