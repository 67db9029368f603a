"""Panel: how fast tokens come."""

from app.roofline import roofline_of
from ui.format import format_percent, format_rate, rate
from ui.panels.canvas import Canvas
from ui.panels.explain.legend import LegendEntry
from ui.panels.layouts import BuiltIn
from ui.panels.panel import LivePanel, Reading


class DecodeRatePanel(LivePanel):
    """Decode rate of the last answer, and as it changed."""

    key = "decode_rate"
    layouts = frozenset({BuiltIn.ESSENTIAL, BuiltIn.HARDWARE, BuiltIn.EXPLAIN})
    smallest_top = 10.0

    def definition(self) -> str:
        """What the figure is."""
        return self.tr(
            "Output tokens after the first, divided by the time from the first to the last: "
            "(n − 1) / (t_last − t_first), which is 1 / TPOT. The curve is the same over the "
            "last second before each engine step. Stamped in the engine process."
        )

    def empty_text(self) -> str:
        """When it shows."""
        return self.tr("Shows from the second token of an answer")

    def plain(self) -> str:
        """In one sentence."""
        return self.tr(
            "How fast the answer is written: a token is a piece of a word, and most people read "
            "about five of them a second."
        )

    def legend(self) -> tuple[LegendEntry, ...]:
        """What the colours mean."""
        return (("phase_decode", self.tr("tokens per second")),)

    def read(self) -> Reading:
        """Rate of the whole answer so far."""
        turn = self.store.turn
        if turn is None:
            return Reading(value=rate(None))
        figures = turn.figures
        context = ""
        if figures.prefill_rate_tok_per_s is not None:
            prefill = format_rate(figures.prefill_rate_tok_per_s)
            context = self.tr("prefill {rate}").format(rate=prefill)
        roof = roofline_of(self.store)
        if roof is not None and roof.decode is not None:
            share = self.tr("{share} of what memory allows").format(
                share=format_percent(roof.decode.share)
            )
            context = f"{share}  ·  {context}" if context else share
        return Reading(value=rate(figures.decode_rate_tok_per_s), context=context)

    def value_at(self, t_s: float) -> str:
        """Rate at the hover line."""
        value = self.store.steps.nearest(t_s, "rate", within_s=1.0)
        return "" if value is None else format_rate(value)

    def draw(self, canvas: Canvas) -> None:
        """The rate over time."""
        times, values = self.store.steps.between(canvas.t0_s, canvas.t1_s, "rate")
        self.fit(canvas, values)
        self.label_top(canvas, rate(canvas.top))
        canvas.curve(times, values, self.theme.color("phase_decode"))
