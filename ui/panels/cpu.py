"""Panel: what the engine and this window take of the CPU."""

from ui.format import format_percent, percent
from ui.panels.canvas import Canvas
from ui.panels.explain.legend import LegendEntry
from ui.panels.layouts import BuiltIn
from ui.panels.panel import LivePanel, Reading
from ui.panels.stack import held


class CpuPanel(LivePanel):
    """CPU use of the engine process, and of the window beside it."""

    key = "cpu"
    layouts = frozenset({BuiltIn.ESSENTIAL, BuiltIn.HARDWARE})
    is_slow = True
    smallest_top = 1.0

    def definition(self) -> str:
        """What the figure is."""
        return self.tr(
            "CPU time of the engine process divided by time, where 100 % is one core fully "
            "busy; the grey curve is this window. Measured by a process of its own, four times "
            "a second while an answer runs."
        )

    def plain(self) -> str:
        """In one sentence."""
        return self.tr(
            "How hard the processor works: at 100 % one of its cores is busy all the time."
        )

    def legend(self) -> tuple[LegendEntry, ...]:
        """What the colours mean."""
        return (
            ("phase_prefill", self.tr("the model")),
            ("muted", self.tr("this window")),
        )

    def read(self) -> Reading:
        """Use of the engine, its threads, use of the window."""
        sample, loaded = self.store.sample, self.store.loaded
        if sample is None:
            return Reading(value=percent(None))
        parts = []
        if loaded is not None and loaded.engine.n_threads is not None:
            parts.append(self.tr("engine threads {n}").format(n=loaded.engine.n_threads))
        if sample.window_cpu_cores is not None:
            window = format_percent(sample.window_cpu_cores)
            parts.append(self.tr("window {share}").format(share=window))
        return Reading(value=percent(sample.engine_cpu_cores), context="  ·  ".join(parts))

    def value_at(self, t_s: float) -> str:
        """Use at the hover line."""
        value = self.store.sample_at(t_s, "engine_cpu")
        return "" if value is None else format_percent(value)

    def draw(self, canvas: Canvas) -> None:
        """Both curves; the axis ends at the cores of the machine."""
        times, engine, window = self.store.samples.between(
            canvas.t0_s, canvas.t1_s, "engine_cpu", "window_cpu"
        )
        n_cores = self.store.machine.n_cores
        if n_cores is not None and n_cores <= 8:
            canvas.top = float(n_cores)
        else:
            self.fit(canvas, engine, window)
        self.label_top(canvas, percent(canvas.top))
        canvas.labels.limit = self.tr("100 % = one core")
        until_s = min(canvas.t1_s, self.store.now_s)
        canvas.curve(*held(times, engine, until_s), self.theme.color("phase_prefill"))
        canvas.curve(*held(times, window, until_s), self.theme.color("muted"), filled=False)
