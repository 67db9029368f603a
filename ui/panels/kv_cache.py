"""Panel: the KV cache filling."""

from PySide6.QtCore import QCoreApplication

from app.kv_cells import are_lost, tokens_held
from app.telemetry import TelemetryStore
from engine.events import Loaded
from ui.counts import token_count, tokens_of
from ui.format import format_bytes, size
from ui.panels.canvas import Canvas
from ui.panels.explain.legend import LegendEntry
from ui.panels.layouts import BuiltIn
from ui.panels.panel import LivePanel, Reading
from ui.panels.stack import held


def held_text(store: TelemetryStore, loaded: Loaded) -> str:
    """How many tokens the cache holds, of how many; or held, before a measurement."""
    tokens = tokens_of(tokens_held(store), loaded.kv.reserved_tokens)
    if are_lost(store):
        return QCoreApplication.translate("KvCachePanel", "held {tokens}").format(tokens=tokens)
    return tokens


class KvCachePanel(LivePanel):
    """Bytes and tokens in the KV cache, used against reserved."""

    key = "kv_cache"
    layouts = frozenset({BuiltIn.ESSENTIAL, BuiltIn.EXPLAIN})
    smallest_top = float(1 << 20)
    is_binary = True

    def definition(self) -> str:
        """What the figure is."""
        return self.tr(
            "Bytes that hold the p + n tokens of the conversation, from the model's own layout: "
            "keys and values of every layer, with grouped heads and sliding windows counted as "
            "they are. The last token counts, though the one that ends an answer is never stored: "
            "the next request finds one less. “Reserved” is what the engine allocated when it "
            "loaded the model. f16, q8_0 and q4_0 name the number format: 16 bits for each number, "
            "about 8, about 4. "
            "Computed here from the engine's token counts."
        )

    def empty_text(self) -> str:
        """When it shows."""
        return self.tr("Shows when a prompt enters the cache")

    def plain(self) -> str:
        """In one sentence."""
        return self.tr(
            "The notes the model keeps on this conversation, so that it need not read "
            "everything again for each word; they grow with every token."
        )

    def legend(self) -> tuple[LegendEntry, ...]:
        """What the colours mean."""
        return (("memory_kv", self.tr("in use")),)

    def read(self) -> Reading:
        """Used bytes and tokens."""
        loaded = self.store.loaded
        tokens = tokens_held(self.store)
        if loaded is None or tokens is None:
            return Reading(value=size(None))
        used = loaded.kv.used_bytes(tokens)
        context = f"{held_text(self.store, loaded)}  ·  {loaded.kv.type_name}"
        return Reading(value=size(used), context=context)

    def value_at(self, t_s: float) -> str:
        """Use at the hover line."""
        used, tokens = self.store.kv.at(t_s, "bytes"), self.store.kv.at(t_s, "tokens")
        if used is None or tokens is None:
            return ""
        return f"{format_bytes(used)}  ·  {token_count(int(tokens))}"

    def draw(self, canvas: Canvas) -> None:
        """Used bytes over time, held until they change."""
        times, values = self.store.kv.between(canvas.t0_s, canvas.t1_s, "bytes")
        if not (values > 0).any():
            return
        self.fit(canvas, values)
        self.label_top(canvas, size(canvas.top))
        loaded = self.store.loaded
        if loaded is not None:
            reserved = loaded.kv.reserved_bytes
            canvas.labels.limit = self.tr("reserved {bytes}").format(bytes=format_bytes(reserved))
            if reserved <= canvas.top:
                canvas.level(reserved, self.theme.color("faint"))
        times, values = held(times, values, min(canvas.t1_s, self.store.now_s))
        canvas.curve(times, values, self.theme.color("memory_kv"))
