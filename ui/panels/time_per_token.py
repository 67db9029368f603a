"""Panel: how long each engine step took."""

from ui.format import axis_duration_ns, duration_ns, format_duration_ns
from ui.panels.canvas import Canvas
from ui.panels.explain.legend import LegendEntry
from ui.panels.layouts import BuiltIn
from ui.panels.panel import LivePanel, Reading


class TimePerTokenPanel(LivePanel):
    """TPOT of the last answer, and a bar for the ITL of each step."""

    key = "time_per_token"
    layouts = frozenset({BuiltIn.ESSENTIAL, BuiltIn.EXPLAIN})
    smallest_top = 1e6

    def definition(self) -> str:
        """What the figure is."""
        return self.tr(
            "TPOT: (t_last − t_first) / (n − 1), of the whole answer. Each bar is one engine "
            "step's ITL (inter-token latency), the time since the step before; half of these are "
            "within p50, 95 of 100 within p95. Where bars are closer than a pixel the longest is "
            "shown. Stamped in the engine process."
        )

    def empty_text(self) -> str:
        """When it shows."""
        return self.tr("Shows from the second token of an answer")

    def plain(self) -> str:
        """In one sentence."""
        return self.tr(
            "How long the model takes to write one token, a piece of a word; a tall bar is a "
            "moment in which the text stood still."
        )

    def legend(self) -> tuple[LegendEntry, ...]:
        """What the colours mean."""
        return (("phase_decode", self.tr("one bar for each step")),)

    def read(self) -> Reading:
        """TPOT, p50, p95."""
        turn = self.store.turn
        if turn is None:
            return Reading(value=duration_ns(None))
        figures = turn.figures
        context = ""
        if figures.itl_p50_ns is not None:
            text = self.tr("p50 {p50}   p95 {p95}")
            if self.look.is_explained:
                text = self.tr("half within {p50}  ·  95 of 100 within {p95}")
            context = text.format(
                p50=format_duration_ns(figures.itl_p50_ns),
                p95=format_duration_ns(figures.itl_p95_ns),
            )
        return Reading(value=duration_ns(figures.tpot_ns), context=context)

    def value_at(self, t_s: float) -> str:
        """ITL of the step nearest to the hover line."""
        value = self.store.steps.nearest(t_s, "itl", within_s=1.0)
        return "" if value is None else format_duration_ns(value)

    def draw(self, canvas: Canvas) -> None:
        """A bar a step."""
        times, values = self.store.steps.between(canvas.t0_s, canvas.t1_s, "itl")
        self.fit(canvas, values)
        self.label_top(canvas, axis_duration_ns(canvas.top))
        canvas.bars(times, values, self.theme.color("phase_decode"))
