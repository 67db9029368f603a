"""Panel: what the live panels and the samples cost, measured against runs without them."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout

from app.paired import LEVEL_PERCENT, PairedCost
from app.telemetry import TelemetryStore
from app.watching import WatchingMeter, WatchingProblem
from ui.format import Quantity, format_date, format_percent, format_rate, percent, rate
from ui.panels.canvas import Canvas
from ui.panels.explain.legend import LegendEntry
from ui.panels.look import PanelLook
from ui.panels.measure_row import MeasureRow
from ui.panels.panel import LivePanel, Reading
from ui.panels.time_axis import TimeAxis
from ui.theme import Theme

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF

_GRAPH_HEIGHT = 84
# Above and below the outermost rates, of the distance between them, and of the rate.
_ROOM, _LEAST_ROOM = 0.3, 0.01
_NEAR_PX = 8.0


class WatchingPanel(LivePanel):
    """The share of the decode rate that watching takes, and the pairs of runs that tell it."""

    key = "watching"
    is_slow = True

    def __init__(
        self, store: TelemetryStore, theme: Theme, axis: TimeAxis, meter: WatchingMeter
    ) -> None:
        """Show what was measured earlier, and offer to measure."""
        self._meter = meter
        super().__init__(store, theme, axis)
        self._dots: list[tuple[QPointF, str]] = []
        self.graph.point_text = self._text_at
        self.graph.setMinimumHeight(_GRAPH_HEIGHT)
        self._row = MeasureRow(theme)
        self.button = self._row.button
        self.button.clicked.connect(self._on_clicked)
        body = self.widget().layout()
        assert isinstance(body, QVBoxLayout)
        body.addWidget(self._row)
        meter.changed.connect(self._on_changed)
        store.running_changed.connect(self._show_button)
        self._show_texts()

    @property
    def sentence_text(self) -> str:
        """What stands below the graph."""
        return self._row.sentence.text()

    def definition(self) -> str:
        """What the figure is."""
        return self.tr(
            "Share of the decode rate that these panels and the samples take: the median of pairs "
            "of short runs, one with the panels live and samples four times a second, the other "
            "without both, in turn. It lies between the two values given with a certainty of "
            "{level} % (bootstrap over the pairs). The rates are stamped in the engine. It depends "
            "on the model and on the panels shown. Drawing the text of an answer is not part of it."
        ).format(level=LEVEL_PERCENT)

    def empty_text(self) -> str:
        """When it shows."""
        if self.store.loaded is None:
            return self.tr("Shows when a model is loaded")
        return self.tr("Shows when it was measured")

    def read(self) -> Reading:
        """The cost, between what and what it lies; only its upper end where it may be nothing."""
        cost = self._meter.cost()
        if cost is None:
            return Reading(value=percent(None))
        if cost.high <= 0:
            return Reading(value=percent(None), context=self.tr("not measurable"))
        if cost.low <= 0:
            most = percent(cost.high)
            return Reading(
                value=Quantity(f"< {most.number}", most.unit), context=self.tr("if anything")
            )
        between = self.tr("between {low} and {high}").format(
            low=format_percent(cost.low), high=format_percent(cost.high)
        )
        return Reading(value=percent(cost.middle), context=between)

    def plain(self) -> str:
        """In one sentence."""
        return self.tr("How much slower the model writes because these panels are watched.")

    def legend(self) -> tuple[LegendEntry, ...]:
        """What the colours mean."""
        return (
            ("phase_decode", self.tr("with the panels")),
            ("muted", self.tr("without them")),
        )

    def axis_text(self) -> str:
        """What stands side by side."""
        return self.tr("pairs of runs →")

    def value_at(self, _t_s: float) -> str:
        """Nothing: its axis is not time."""
        return ""

    def show_body(self, look: PanelLook) -> None:
        """With its words and the button at the size of the others."""
        super().show_body(look)
        self._row.set_look(look)

    def refresh_text(self) -> None:
        """Show what is known now; nothing of it changes while an answer runs."""
        if not self.store.is_running:
            self._show_texts()

    def draw(self, canvas: Canvas) -> None:
        """Both rates of each pair, one above the other."""
        self._dots = []
        cost = self._meter.known()
        if cost is None:
            return
        rates = (*cost.watched_tok_per_s, *cost.unwatched_tok_per_s)
        low, high = min(rates), max(rates)
        room = max(_ROOM * (high - low), _LEAST_ROOM * high)
        bottom = max(0.0, low - room)
        canvas.t0_s, canvas.t1_s = -0.5, len(cost.watched_tok_per_s) - 0.5
        canvas.top = high + room - bottom
        canvas.labels.top = rate(bottom + canvas.top).number
        canvas.labels.bottom = rate(bottom).number
        canvas.labels.limit = self.tr("{unit}, blue: watched, grey: not").format(
            unit=rate(None).unit
        )
        watched_color, other_color = self.theme.color("phase_decode"), self.theme.color("muted")
        pairs = zip(cost.watched_tok_per_s, cost.unwatched_tok_per_s, strict=True)
        for index, (watched, unwatched) in enumerate(pairs):
            canvas.gap(index, watched - bottom, unwatched - bottom, self.theme.color("faint"))
            text = self.tr("pair {n}: {watched} watched, {unwatched} not").format(
                n=index + 1, watched=format_rate(watched), unwatched=format_rate(unwatched)
            )
            canvas.dot(index, unwatched - bottom, other_color, "", self.theme)
            place = canvas.dot(index, watched - bottom, watched_color, "", self.theme)
            self._dots.append((place, text))

    def _text_at(self, x: float) -> str:
        """The pair near the pointer."""
        near = [text for place, text in self._dots if abs(place.x() - x) <= _NEAR_PX]
        return near[-1] if near else ""

    def _find_sentence(self) -> str:
        if self._meter.is_measuring:
            return self.tr("Measuring, pair {n} of {all}…").format(
                n=min(self._meter.n_done_pairs + 1, self._meter.n_pairs), all=self._meter.n_pairs
            )
        match self._meter.problem:
            case WatchingProblem.INTERRUPTED:
                return self.tr("Not measured: it was interrupted.")
            case WatchingProblem.NOT_SEEN:
                return self.tr("Not measured: the panels were paused or hidden.")
            case WatchingProblem.FAILED:
                return self.tr("Not measured: the model gave too few tokens.")
        known, cost = self._meter.known(), self._meter.cost()
        return "" if known is None or cost is None else self._result(cost, known.measured_ms)

    def _result(self, cost: PairedCost, measured_ms: int) -> str:
        when = format_date(measured_ms)
        if cost.high <= 0:
            return self.tr(
                "The model was no slower with the panels than without them. Measured {date}."
            ).format(date=when)
        if cost.low <= 0:
            return self.tr(
                "Less than {most} of the decode rate, or nothing: it varies by as much anyway. "
                "Measured {date}."
            ).format(most=format_percent(cost.high), date=when)
        return self.tr(
            "Watching costs {share} of the decode rate on this machine, measured {date}."
        ).format(share=format_percent(cost.middle), date=when)

    def _show_button(self) -> None:
        meter = self._meter
        if meter.is_measuring:
            self._row.name_button(self.tr("Stop measuring"))
        elif meter.known() is None:
            self._row.name_button(self.tr("Measure"))
        else:
            self._row.name_button(self.tr("Measure again"))
        self.button.setEnabled(meter.is_measuring or meter.can_measure)
        if meter.is_measuring or meter.can_measure:
            tip = self.tr(
                "Takes at least half a minute, longer with slow models. The model answers to "
                "nobody meanwhile, and reads the whole prompt of a chat once more afterwards."
            )
        else:
            tip = self.tr("Needs a model that is loaded and does not answer.")
        self.button.setToolTip(tip)

    def _on_clicked(self) -> None:
        if self._meter.is_measuring:
            self._meter.stop()
        else:
            self._meter.measure()

    def _show_texts(self) -> None:
        super().refresh_text()
        self._row.sentence.setText(self._find_sentence())
        self._show_button()

    def _on_changed(self) -> None:
        # Not while it measures: what is painted then is part of what is measured.
        self._show_texts()
        if not self._meter.is_measuring:
            self.refresh_graph()
