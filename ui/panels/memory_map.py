"""Panel: where the memory of each device goes."""

from app.memory_map import memory_maps
from ui.format import format_bytes, size
from ui.panels.explain.panel import ExplainPanel
from ui.panels.explain.view import ExplainView
from ui.panels.layouts import BuiltIn
from ui.panels.panel import Reading


class MemoryMapPanel(ExplainPanel):
    """Parts of ours, other processes and what is free, for the machine and for each GPU."""

    key = "memory_map"
    layouts = frozenset({BuiltIn.HARDWARE, BuiltIn.EXPLAIN})

    def definition(self) -> str:
        """What the figure is."""
        return self.tr(
            "For each device: weights, KV cache and compute buffers as the engine reports them, "
            "what else the engine, the window and what measures hold, other processes with the "
            "system, and what is free. "
            "Predicted is computed from the model's file before the memory is taken, reserved is "
            "what the engine asked for, in memory is what the system (RSS) or the driver (NVML) "
            "counts now. Memory is given only when it is first written, and weights that are "
            "mapped from their file are in memory as far as they were read: so less can be in "
            "memory than is reserved."
        )

    def plain(self) -> str:
        """For somebody who never heard of any of this."""
        return self.tr("Who holds the memory of this machine and of its GPUs, and what is left.")

    def axis_text(self) -> str:
        """Its bars have no axis."""
        return ""

    def make_view(self) -> ExplainView:
        """A bar and a table for each device."""
        from ui.panels.explain.map_view import MapView

        return MapView(self.store, self.theme)

    def read(self) -> Reading:
        """What is ours on the device that the model is on."""
        maps = memory_maps(self.store.sample, self.store.memory, self.store.predicted)
        if not maps:
            return Reading(value=size(None))
        found = max(maps, key=lambda device: (device.ours_bytes, device.name is None))
        context = self.tr("Oscillama, of {total} in {device}").format(
            total=format_bytes(found.total_bytes),
            device=self.tr("this machine") if found.name is None else found.name,
        )
        return Reading(value=size(found.ours_bytes), context=context)
