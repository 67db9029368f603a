"""Below the timeline: what is known of where the line stands, and of what the cursors enclose."""

from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.timeline.between import between
from app.timeline.moment import TokenTexts, moment_at
from ui.format import format_duration_ns
from ui.inspector.wording import shown_text
from ui.labels import PlainLabel
from ui.theme import Theme
from ui.timeline.chart import TimelineChart
from ui.timeline.marks_lane import text_of
from ui.timeline.wording import DOT, apart_text, between_text, moment_text


class Readout(QWidget):
    """Three lines of words that follow the line and the cursors."""

    def __init__(self, theme: Theme, chart: TimelineChart, token_texts: TokenTexts) -> None:
        super().__init__()
        self._chart = chart
        self._token_texts = token_texts
        self.moment = PlainLabel(theme, parent=self)
        self.machine = PlainLabel(theme, font="secondary", color="muted", parent=self)
        self.cursors = PlainLabel(theme, font="secondary", color="muted", parent=self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 0)
        layout.setSpacing(2)
        for label in (self.moment, self.machine, self.cursors):
            # A long line is cut, and never makes the window wider.
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            layout.addWidget(label)
        chart.moved.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Say what is known now."""
        chart = self._chart
        hover_s = chart.axis.hover_s
        if hover_s is None:
            self.moment.setText(
                self.tr(
                    "Point at a moment for its values. The wheel zooms (with Ctrl where it "
                    "scrolls), dragging moves, a click sets cursor A, with Shift cursor B."
                )
            )
            self.machine.setText("")
        else:
            self.moment.setText(self._moment_words(hover_s) or self.tr("Nothing was going on"))
            self.machine.setText(self._machine_words(hover_s))
        self.cursors.setText(self._cursor_words())
        spoken = DOT.join(
            text for text in (self.moment.text(), self.machine.text(), self.cursors.text()) if text
        )
        if spoken != chart.accessibleDescription():
            chart.setAccessibleDescription(spoken)

    def _moment_words(self, t_s: float) -> str:
        store = self._chart.store
        if self._chart.has_several_runs:
            since = format_duration_ns(store.to_ns(t_s))
            return self.tr("{time} after each was sent").format(time=since)
        moment = moment_at(store, t_s)
        token = None
        if moment.turn is not None and moment.step is not None:
            token = self._token_texts(moment.turn.request_id)(moment.step.index)
        until_ns = store.to_ns(self._chart.until_s)
        return moment_text(moment, until_ns, None if token is None else shown_text(token))

    def _machine_words(self, t_s: float) -> str:
        chart = self._chart
        marks = [] if chart.marks is None else chart.marks.near(chart.scene(chart.marks), t_s)
        parts = [text_of(marks)] if marks else []
        parts += [text for lane in chart.lanes if (text := lane.text_at(chart.store, t_s))]
        return DOT.join(parts)

    def _cursor_words(self) -> str:
        span_s = self._chart.cursors.span_s
        if span_s is None:
            if self._chart.cursors.is_any_set:
                return self.tr("Set the other cursor, too, to see what lies between (A, B)")
            return ""
        lanes = [lane for lane in self._chart.lanes if lane.store is not None]
        stores = [lane.store for lane in lanes if lane.store is not None]
        found = [between(store, *span_s) for store in stores or [self._chart.store]]
        parts = [apart_text(found[0])]
        if lanes:
            parts += [
                f"{lane.title()}: {between_text(each)}"
                for lane, each in zip(lanes, found, strict=True)
            ]
        else:
            parts.append(between_text(found[0]))
        return self.tr("From A to B: {what}").format(what=DOT.join(parts))
