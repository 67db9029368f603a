"""A recorded run in panels like the live ones, under a bar that says so and steers it."""

from collections.abc import Callable

from PySide6.QtCore import QLocale, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from app.runs.record import RunRecord
from app.runs.replay import SPEEDS, RunReplay
from ui.format import format_duration_ns
from ui.labels import PlainLabel
from ui.panels.column import TelemetryColumn
from ui.theme import Theme

_EDGE_PX = 3
_BAR_STEPS = 1000


class ReplayPane(QWidget):
    """Stands where the live panels are.

    Signals:
        closed(): The person wants the live panels back.
    """

    closed = Signal()

    def __init__(self, theme: Theme, record: RunRecord, words: str) -> None:
        """Begin to play `record`; `words` say which run it is."""
        super().__init__()
        self._theme = theme
        self.replay = RunReplay(record, parent=self)
        self.column = TelemetryColumn(self.replay.store, theme)
        self.column.set_title(self.tr("Replay"))
        # There is one above, which stops the clock and not the picture only.
        self.column.header.pause_button.hide()
        # The runs have one of the whole run.
        self.column.header.timeline_button.hide()
        self.play_button = self._button("", self._on_play)
        self.step_button = self._button(self.tr("Step"), self.replay.step)
        self.step_button.setToolTip(self.tr("Stop, and go on to what the engine did next"))
        self.restart_button = self._button(self.tr("From the start"), self._on_restart)
        self.close_button = self._button(self.tr("End replay"), self.closed.emit)
        self.speed = QComboBox(self)
        self.speed.setAccessibleName(self.tr("Speed of the replay"))
        for ratio in SPEEDS:
            self.speed.addItem(f"{QLocale().toString(ratio, 'g', 3)}×", ratio)
        self.speed.currentIndexChanged.connect(self._on_speed)
        self.said = PlainLabel(
            theme,
            self.tr("Replay of a recorded run. Nothing is being computed."),
            font="strong",
            wrap=True,
        )
        self._words = PlainLabel(theme, words, font="secondary", color="muted", wrap=True)
        self.time = PlainLabel(theme, font="secondary", color="muted")
        self.bar = QSlider(Qt.Orientation.Horizontal, self)
        self.bar.setRange(0, _BAR_STEPS)
        self.bar.setPageStep(_BAR_STEPS // 20)
        # Backwards it begins anew, which is not for every pixel of a drag.
        self.bar.setTracking(False)
        self.bar.setAccessibleName(self.tr("Position in the replay"))
        self.bar.setToolTip(self.tr("Drag it, or use the arrow keys, to go to a moment"))
        self.bar.valueChanged.connect(self._on_moved)
        self.setAccessibleName(self.said.text())
        self._lay_out()
        self.replay.changed.connect(self._show)
        theme.changed.connect(self.update)
        self.replay.play()

    def paintEvent(self, event: QPaintEvent) -> None:
        """What is behind the bar, and an edge that no live panel has."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._theme.color("side"))
        painter.fillRect(0, 0, self.width(), _EDGE_PX, self._theme.color("accent"))
        painter.end()

    def fill_menu(self, menu: QMenu) -> None:
        """Add layouts and panels to a menu that is about to show."""
        self.column.fill_menu(menu)

    def present(self) -> None:
        """Show a panel on the full screen."""
        self.column.present()

    def _button(self, text: str, pressed: Callable[[], None]) -> QPushButton:
        button = QPushButton(text, self)
        button.setProperty("look", "quiet")
        button.setAccessibleName(text)
        button.clicked.connect(pressed)
        return button

    def _lay_out(self) -> None:
        steer = QHBoxLayout()
        steer.setSpacing(2)
        for part in (self.play_button, self.step_button, self.restart_button, self.speed):
            steer.addWidget(part)
        steer.addStretch(1)
        head = QHBoxLayout()
        head.addWidget(self.said, 1)
        head.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        top = QVBoxLayout()
        top.setContentsMargins(15, 12, 15, 4)
        top.setSpacing(6)
        top.addLayout(head)
        top.addWidget(self._words)
        top.addLayout(steer)
        top.addWidget(self.time)
        top.addWidget(self.bar)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addWidget(self.column, 1)

    def _show(self) -> None:
        replay = self.replay
        text = self.tr("Pause") if replay.is_playing else self.tr("Play")
        if text != self.play_button.text():
            self.play_button.setText(text)
            self.play_button.setAccessibleName(text)
        position_ns = max(0, replay.position_ns)
        at = format_duration_ns(position_ns) if position_ns else "0"
        self.time.setText(
            self.tr("{at} of {length}").format(at=at, length=format_duration_ns(replay.length_ns))
        )
        if not self.bar.isSliderDown():
            with QSignalBlocker(self.bar):
                self.bar.setValue(round(position_ns / max(1, replay.length_ns) * _BAR_STEPS))

    def _on_play(self) -> None:
        if self.replay.is_playing:
            self.replay.pause()
        else:
            self.replay.play()

    def _on_moved(self, value: int) -> None:
        self.replay.go_to(round(value / _BAR_STEPS * self.replay.length_ns))

    def _on_restart(self) -> None:
        self.replay.restart()
        self.replay.play()

    def _on_speed(self) -> None:
        self.replay.set_speed(float(self.speed.currentData()))
