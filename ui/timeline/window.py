"""The window of the timeline, of what happens now or of a recorded run."""

from collections.abc import Callable

from PySide6.QtCore import QByteArray, QSettings, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.sample_history import KEPT_H
from app.telemetry import TelemetryStore
from app.timeline.moment import TokenTexts, no_texts
from ui.format import format_bytes, format_count
from ui.labels import PlainLabel
from ui.panels.explain.legend import Legend
from ui.shortcuts import RUNS, with_keys
from ui.theme import Theme
from ui.timeline.chart import Follow, TimelineChart
from ui.timeline.cursors import CursorName
from ui.timeline.lane import Lane
from ui.timeline.readout import Readout

_SIZE = QSize(1180, 720)
_GEOMETRY_KEY = "timeline/geometry"


class TimelineWindow(QDialog):
    """A chart, what steers it, and what it says. Not modal: the chat goes on.

    Signals:
        runs_requested(): Show the runs, which have the answers of earlier sessions.
    """

    runs_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        store: TelemetryStore,
        settings: QSettings,
        parent: QWidget,
        *,
        lanes: tuple[Lane, ...],
        token_texts: TokenTexts = no_texts,
        words: str = "",
    ) -> None:
        """Show `store`; `words` say which run it is where it is not what happens now."""
        super().__init__(parent)
        self._settings = settings
        title = self.tr("Timeline")
        self.setWindowTitle(f"{title} – {words}" if words else title)
        self.setAccessibleName(self.windowTitle())
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.chart = TimelineChart(store, theme, lanes)
        self.readout = Readout(theme, self.chart, token_texts)
        self.legend = Legend(theme)
        self._legend_is_of: tuple[object, ...] | None = None
        self.legend.setAccessibleName(self.tr("Legend"))
        self.answer_button = self._button(
            self.tr("Last answer"), "End", lambda: self.chart.follow(Follow.ANSWER)
        )
        self.all_button = self._button(
            self.tr("Everything"), "Home", lambda: self.chart.follow(Follow.ALL)
        )
        self.previous_button = self._button(
            self.tr("Answer before"), "PgUp", lambda: self.chart.show_answer(-1)
        )
        self.next_button = self._button(
            self.tr("Answer after"), "PgDown", lambda: self.chart.show_answer(1)
        )
        self.closer_button = self._button(self.tr("Zoom in"), "+", lambda: self.chart.zoom(3))
        self.wider_button = self._button(self.tr("Zoom out"), "-", lambda: self.chart.zoom(-3))
        self.a_button = self._button(
            self.tr("Set A"), "A", lambda: self.chart.set_cursor(CursorName.A)
        )
        self.b_button = self._button(
            self.tr("Set B"), "B", lambda: self.chart.set_cursor(CursorName.B)
        )
        self.clear_button = self._button(self.tr("Clear cursors"), "Del", self.chart.cursors.clear)
        self.earlier_button = self._button(
            self.tr("Earlier answers…"), RUNS, self.runs_requested.emit
        )
        # A recorded run was chosen there.
        self.earlier_button.setVisible(not words)
        self.kept = PlainLabel(
            theme, self._kept_words(store, words), font="caption", color="muted", wrap=True
        )
        for button in (self.answer_button, self.all_button):
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._lay_out()
        self.chart.moved.connect(self._mark_followed)
        self.chart.cursors.changed.connect(self._enable)
        store.changed.connect(self._enable)
        self.chart.moved.connect(self._fill_legend)
        self._enable()
        self._fill_legend()
        self.resize(_SIZE)
        geometry = settings.value(_GEOMETRY_KEY)
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        self.chart.setFocus()

    def done(self, result: int) -> None:
        """Close, and keep the place."""
        self._settings.setValue(_GEOMETRY_KEY, self.saveGeometry())
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        """As Escape does."""
        self.done(0)
        event.accept()

    def _button(self, text: str, keys: str, pressed: Callable[[], None]) -> QPushButton:
        button = QPushButton(text, self)
        button.setProperty("look", "quiet")
        button.setAccessibleName(text)
        button.setToolTip(with_keys(text, keys))
        button.setAutoDefault(False)
        button.clicked.connect(pressed)
        return button

    def _kept_words(self, store: TelemetryStore, words: str) -> str:
        if self.chart.has_several_runs:
            return self.tr("Recorded runs, each from when it was sent, without any text of them.")
        if words:
            return self.tr("A recorded run. It holds no text of a prompt or an answer.")
        return self.tr(
            "Kept since the window was opened: all of the last {steps} steps and samples, and "
            "samples of {hours} hours, in {size} of memory at most. Answers of earlier sessions "
            "are in “Earlier answers”, as recorded runs."
        ).format(
            steps=format_count(store.steps.fine_rows),
            hours=format_count(KEPT_H),
            size=format_bytes(store.most_bytes),
        )

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setSpacing(2)
        groups = (
            (self.answer_button, self.all_button),
            (self.previous_button, self.next_button),
            (self.closer_button, self.wider_button),
            (self.a_button, self.b_button, self.clear_button),
        )
        for index, group in enumerate(groups):
            if index:
                bar.addSpacing(14)
            for button in group:
                bar.addWidget(button)
        bar.addStretch(1)
        bar.addWidget(self.earlier_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.setSpacing(6)
        layout.addLayout(bar)
        scroll = QScrollArea(self)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(self.chart)
        layout.addWidget(scroll, 1)
        legend = QHBoxLayout()
        legend.setContentsMargins(8, 0, 8, 0)
        legend.addWidget(self.legend)
        layout.addLayout(legend)
        layout.addWidget(self.readout)
        kept = QHBoxLayout()
        kept.setContentsMargins(8, 0, 8, 0)
        kept.addWidget(self.kept)
        layout.addLayout(kept)

    def _fill_legend(self) -> None:
        """Name the colours of what there is; looks again when there may be more."""
        lanes, store = self.chart.lanes, self.chart.store
        last = store.turn.trace if store.turn is not None else None
        known = (
            len(store.turns),
            last and (last.t_prompt_ready_ns, last.t_first_ns, last.ended),
            [span.phase for span in store.phases.loads],
            store.machine,
        )
        if known == self._legend_is_of:
            return
        self._legend_is_of = known
        entries = dict.fromkeys(entry for lane in lanes for entry in lane.legend(store))
        self.legend.set_entries(list(entries))

    def _mark_followed(self) -> None:
        """Say what a zoom has left, and which button leads back to it."""
        is_following, follows = self.chart.axis.is_following, self.chart.follows
        self.answer_button.setChecked(is_following and follows is Follow.ANSWER)
        self.all_button.setChecked(is_following and follows is Follow.ALL)

    def _enable(self) -> None:
        for button in (self.answer_button, self.previous_button, self.next_button):
            button.setVisible(not self.chart.has_several_runs)
        has_several = len(self.chart.store.turns) > 1
        self.previous_button.setEnabled(has_several)
        self.next_button.setEnabled(has_several)
        self.clear_button.setEnabled(self.chart.cursors.is_any_set)
