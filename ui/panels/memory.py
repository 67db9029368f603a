"""Panel: memory of the engine process and of the machine."""

from PySide6.QtCore import QCoreApplication

from ui.format import format_bytes, size
from ui.panels.canvas import Canvas
from ui.panels.explain.legend import LegendEntry
from ui.panels.layouts import BuiltIn
from ui.panels.panel import LivePanel, Reading
from ui.panels.stack import draw_stack, held, parts_text

translate = QCoreApplication.translate


def engine_legend() -> tuple[LegendEntry, ...]:
    """What the colours of the engine's memory mean, wherever it lies."""
    return (
        ("memory_weights", translate("MemoryPanel", "weights")),
        ("memory_kv", translate("MemoryPanel", "KV cache")),
        ("memory_compute", translate("MemoryPanel", "room to compute")),
        ("memory_other", translate("MemoryPanel", "other")),
    )


class MemoryPanel(LivePanel):
    """Resident memory of the engine process, with what the engine says it is made of."""

    key = "memory"
    layouts = frozenset({BuiltIn.ESSENTIAL, BuiltIn.HARDWARE, BuiltIn.EXPLAIN})
    is_slow = True
    smallest_top = float(64 << 20)
    is_binary = True

    def definition(self) -> str:
        """What the figure is."""
        return self.tr(
            "Resident memory (RSS) of the engine process. llama.cpp maps the weights from the "
            "model file, and they count as far as they were read. Weights, KV cache and compute "
            "buffers are what the engine reserved; a system gives memory only when it is first "
            "written, so their sum may be more than the RSS: the memory map shows the difference. "
            "“Other” is the rest of the RSS. At the upper right: memory of the whole machine that "
            "is in use. Measured four times a second while an answer runs."
        )

    def plain(self) -> str:
        """In one sentence."""
        return self.tr(
            "How much memory the model takes: the weights are what it has learned, the cache is "
            "what it remembers of this conversation."
        )

    def legend(self) -> tuple[LegendEntry, ...]:
        """What the colours mean."""
        return engine_legend()

    def read(self) -> Reading:
        """RSS of the engine and its parts."""
        sample = self.store.sample
        rss = None if sample is None else sample.engine_rss_bytes
        return Reading(value=size(rss), context=parts_text(self.engine_memory(on_gpu=False), rss))

    def value_at(self, t_s: float) -> str:
        """RSS at the hover line."""
        value = self.store.sample_at(t_s, "engine_rss")
        return "" if value is None else format_bytes(value)

    def draw(self, canvas: Canvas) -> None:
        """The RSS, as a stack of its parts where they are known."""
        times, rss = self.store.samples.between(canvas.t0_s, canvas.t1_s, "engine_rss")
        self.fit(canvas, rss)
        self.label_top(canvas, size(canvas.top))
        sample = self.store.sample
        if sample is not None and sample.machine_used_bytes is not None:
            canvas.labels.limit = self.tr("whole machine {used} of {all}").format(
                used=format_bytes(sample.machine_used_bytes),
                all=format_bytes(sample.machine_total_bytes),
            )
        times, rss = held(times, rss, min(canvas.t1_s, self.store.now_s))
        draw_stack(canvas, self.theme, times, rss, self.engine_memory(on_gpu=False))
