"""Panel: what the KV cache holds and what it costs, explained."""

from app.kv_cells import tokens_held
from ui.format import format_bytes, size
from ui.panels.explain.panel import ExplainPanel
from ui.panels.explain.view import ExplainView
from ui.panels.kv_cache import held_text
from ui.panels.panel import Reading


class KvSeenPanel(ExplainPanel):
    """The cells of the KV cache, and the figures of one token, of a thousand, of conversations."""

    key = "kv_seen"

    def definition(self) -> str:
        """What the figure is."""
        return self.tr(
            "Which cells of the KV cache hold what, told by the engine after each answer, and the "
            "bytes of a token from the model's own layout: layers x KV heads x head size x 2 (key "
            "and value) x bytes of the number format. Layers with a sliding window keep the last "
            "tokens only, recurrent layers one state. How much is reserved, and the layout, are "
            "taken from what the engine allocated. The last token counts, though the one that "
            "ends an answer is never stored: the next request finds one less."
        )

    def plain(self) -> str:
        """For somebody who never heard of a KV cache."""
        return self.tr("What the model keeps of everything it has read, and what that costs.")

    def axis_text(self) -> str:
        """Its squares have no axis."""
        return ""

    def make_view(self) -> ExplainView:
        """Squares and figures."""
        from ui.panels.explain.kv_view import KvView

        return KvView(self.store, self.theme)

    def read(self) -> Reading:
        """Used bytes and tokens."""
        loaded = self.store.loaded
        tokens = tokens_held(self.store)
        if loaded is None:
            return Reading(value=size(None), context=self.tr("Shows when a model is loaded"))
        if tokens is None:
            return Reading(value=size(None))
        reserved = self.tr("of {reserved}").format(reserved=format_bytes(loaded.kv.reserved_bytes))
        context = f"{reserved}  ·  {held_text(self.store, loaded)}"
        return Reading(value=size(loaded.kv.used_bytes(tokens)), context=context)
