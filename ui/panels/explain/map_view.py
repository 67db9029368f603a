"""The memory of each device as bars, with a table of what was expected, reserved and taken."""

from PySide6.QtCore import QCoreApplication

from app.memory_map import ENGINE_PARTS, DeviceMap, Part, memory_maps, unmeasured_bytes
from app.telemetry import TelemetryStore
from engine.values import MemoryUse
from ui.format import UNKNOWN, format_bytes
from ui.palette import ColorName
from ui.panels.explain.facts import Fact, Facts
from ui.panels.explain.halves import Halves
from ui.panels.explain.size_table import Row, SizeTable
from ui.panels.explain.stack_bar import Segment, StackBar
from ui.panels.explain.text_row import TextRow
from ui.panels.explain.view import ExplainView
from ui.theme import Theme

_GAP = 5
_SECTION_GAP = 10
_DEVICE_BAR, _OUR_BAR = 16, 10
# Below this nothing is worth a sentence.
_LEAST_MISSING_BYTES = 1 << 20

_COLORS: dict[Part, ColorName] = {
    Part.WEIGHTS: "memory_weights",
    Part.KV: "memory_kv",
    Part.COMPUTE: "memory_compute",
    Part.OTHER: "memory_other",
    Part.OTHER_PROCESSES: "memory_other_processes",
    Part.FREE: "faint",
}
translate = QCoreApplication.translate


def part_name(part: Part) -> str:
    """A part in words."""
    match part:
        case Part.WEIGHTS:
            return translate("MemoryMap", "Weights")
        case Part.KV:
            return translate("MemoryMap", "KV cache")
        case Part.COMPUTE:
            return translate("MemoryMap", "Compute buffers")
        case Part.OTHER:
            return translate("MemoryMap", "Rest of Oscillama")
        case Part.OTHER_PROCESSES:
            return translate("MemoryMap", "Other processes")
        case Part.FREE:
            return translate("MemoryMap", "Free")


class MapView(ExplainView):
    """One block for each device."""

    def __init__(self, store: TelemetryStore, theme: Theme) -> None:
        """Show nothing yet; `refresh` does."""
        super().__init__()
        self._store = store
        self._theme = theme
        self.blocks: list[DeviceBlock] = []
        empty = TextRow(theme)
        empty.set_texts(self.tr("Shows when the machine was measured"))
        self._empty = Halves((empty,), (), gap=_GAP, wide=_GAP)
        self.add_block(self._empty)

    def refresh(self) -> None:
        """Show what is known now."""
        memory = self._store.memory
        maps = memory_maps(self._store.sample, memory, self._store.predicted)
        elsewhere = unmeasured_bytes(self._store.sample, memory)
        self._empty.setVisible(not maps)
        while len(self.blocks) < len(maps):
            self.blocks.append(DeviceBlock(self._theme))
            self.add_block(self.blocks[-1])
        for number, block in enumerate(self.blocks):
            block.setVisible(number < len(maps))
        for block, device in zip(self.blocks, maps, strict=False):
            block.show_map(device, memory, elsewhere)


class DeviceBlock(Halves):
    """Bars, table and sentences of one device."""

    def __init__(self, theme: Theme) -> None:
        """Show nothing yet."""
        self.title = TextRow(theme, font="control", color="text")
        self.bar = StackBar(theme, _DEVICE_BAR)
        self.ours_title = TextRow(theme)
        self.ours = StackBar(theme, _OUR_BAR)
        self.predicted_title = TextRow(theme)
        self.predicted = StackBar(theme, _OUR_BAR)
        self.table = SizeTable(theme)
        self.notes = Facts(theme)
        ours = (self.ours_title, self.ours, self.predicted_title, self.predicted)
        super().__init__(
            (self.title, self.bar, *ours, self.table), (self.notes,), gap=_GAP, wide=_SECTION_GAP
        )
        self.table.setAccessibleName(self.tr("Parts of the memory"))
        self.notes.setAccessibleName(self.tr("What the figures mean"))

    def show_map(
        self, device: DeviceMap, memory: MemoryUse | None, elsewhere_bytes: int | None
    ) -> None:
        """Show the memory of a device.

        `memory` is what the engine reports, of which `elsewhere_bytes` are where nothing measures.
        """
        name = self.tr("Machine memory (RAM)") if device.name is None else device.name
        self.setAccessibleName(name)
        self.title.set_texts(
            name,
            self.tr("{free} free of {total}").format(
                free=format_bytes(device.of(Part.FREE).held_bytes),
                total=format_bytes(device.total_bytes),
            ),
        )
        self.bar.setAccessibleName(self.tr("Memory now: {device}").format(device=name))
        self.bar.set_segments(
            [
                _segment(size.part, size.held_bytes)
                for size in device.parts
                if size.part is not Part.FREE
            ],
            device.total_bytes,
            _text(Part.FREE, device.of(Part.FREE).held_bytes),
        )
        self._show_ours(device)
        self._show_table(device)
        self.notes.set_facts(_notes(device, memory, elsewhere_bytes))

    def _show_ours(self, device: DeviceMap) -> None:
        """What is ours, larger, above what was expected of it, on one scale."""
        engine = [device.of(part) for part in ENGINE_PARTS]
        expected = [_segment(size.part, size.predicted_bytes) for size in engine]
        n_expected = sum(segment.size for segment in expected)
        n_ours = device.ours_bytes
        has_engine = any(size.reserved_bytes for size in engine)
        for widget in (self.ours_title, self.ours):
            widget.setVisible(has_engine)
        for widget in (self.predicted_title, self.predicted):
            widget.setVisible(n_expected > 0)
        scale = max(n_ours, n_expected, 1)
        self.ours_title.set_texts(self.tr("Oscillama, enlarged"), format_bytes(n_ours))
        self.ours.setAccessibleName(self.tr("Memory of Oscillama"))
        held = [*engine, device.of(Part.OTHER)]
        self.ours.set_segments([_segment(size.part, size.held_bytes) for size in held], scale)
        is_all_known = None not in [size.predicted_bytes for size in engine]
        self.predicted_title.set_texts(
            self.tr("Predicted before loading"), format_bytes(n_expected if is_all_known else None)
        )
        self.predicted.setAccessibleName(self.tr("Memory predicted before loading"))
        self.predicted.set_segments(expected, scale)

    def _show_table(self, device: DeviceMap) -> None:
        heads = (self.tr("predicted"), self.tr("reserved"), self.tr("in memory"))
        rows = []
        for size in device.parts:
            is_engine = size.part in ENGINE_PARTS
            if is_engine and size.reserved_bytes is None and size.predicted_bytes is None:
                continue
            before, asked = size.predicted_bytes, size.reserved_bytes
            rows.append(
                Row(
                    name=part_name(size.part),
                    color=_COLORS[size.part],
                    is_hollow=size.part is Part.FREE,
                    values=(
                        format_bytes(before) if is_engine else "",
                        format_bytes(asked) if is_engine else "",
                        format_bytes(size.held_bytes),
                    ),
                )
            )
            if size.part is Part.OTHER and device.ours_bytes:
                rows.append(self._sum(device))
        values = ("", "", format_bytes(device.total_bytes))
        rows.append(Row(name=self.tr("All of it"), is_sum=True, values=values))
        self.table.set_rows(heads, rows)

    def _sum(self, device: DeviceMap) -> Row:
        # Of what else is ours nothing is predicted or reserved, so those columns have no such sum.
        values = ("", "", format_bytes(device.ours_bytes))
        return Row(name=self.tr("Oscillama in all"), is_sum=True, values=values)


def _segment(part: Part, n_bytes: int | None) -> Segment:
    return Segment(color=_COLORS[part], size=n_bytes or 0, text=_text(part, n_bytes))


def _text(part: Part, n_bytes: int | None) -> str:
    return f"{part_name(part)} {format_bytes(n_bytes)}"


def _notes(device: DeviceMap, memory: MemoryUse | None, elsewhere_bytes: int | None) -> list[Fact]:
    """Why less is in memory than was reserved, what mapped weights are, and what is not known."""
    notes = [*_part_notes(device), *_unknown_notes(device)]
    if device.name is not None or memory is None:
        return notes
    other, window = device.of(Part.OTHER).held_bytes, device.window_bytes
    if other is not None and window is not None:
        notes.append(
            Fact(
                name=part_name(Part.OTHER),
                value=format_bytes(other),
                sentence=translate(
                    "MemoryMap",
                    "Programs, libraries and what they work with: {engine} in the engine, {window} "
                    "in this window and in what measures.",
                ).format(engine=format_bytes(other - window), window=format_bytes(window)),
            )
        )
    if elsewhere_bytes is not None:
        notes.append(
            Fact(
                name=translate("MemoryMap", "On a GPU that is not measured"),
                value=format_bytes(elsewhere_bytes),
                sentence=translate(
                    "MemoryMap",
                    "As the engine reports it. Only NVIDIA's driver is asked what a GPU holds, so "
                    "the rest of it is not known here.",
                ),
            )
        )
    missing = {part: _missing_bytes(device, part) for part in ENGINE_PARTS}
    total = sum(n or 0 for n in missing.values())
    if total >= _LEAST_MISSING_BYTES:
        notes.append(
            Fact(
                name=translate("MemoryMap", "Reserved, not yet in memory"),
                value=format_bytes(total),
                sentence=translate(
                    "MemoryMap",
                    "A system hands memory out when it is first written. What the engine "
                    "reserved and never wrote counts for nothing, so that “Device memory” is less "
                    "than the sum of what is reserved.",
                ),
            )
        )
    if memory.mapped_bytes:
        held = device.of(Part.WEIGHTS).held_bytes
        notes.append(
            Fact(
                name=translate("MemoryMap", "Weights mapped from their file"),
                value=UNKNOWN if held is None else format_bytes(min(held, memory.mapped_bytes)),
                sentence=translate(
                    "MemoryMap",
                    "They count as far as they were read. The system may drop them when others "
                    "need room, and read them again, so it calls them available; here they are "
                    "counted as weights.",
                ),
            )
        )
    return notes


def _part_notes(device: DeviceMap) -> list[Fact]:
    """What the parts of an engine are."""
    if not any(device.of(part).reserved_bytes for part in ENGINE_PARTS):
        return []
    return [
        Fact(
            name=translate("MemoryMap", "What the parts are"),
            value="",
            sentence=translate(
                "MemoryMap",
                "Weights are what the model has learned, the KV cache is its notes on this "
                "conversation, and compute buffers are scratch paper for its sums.",
            ),
        )
    ]


def _unknown_notes(device: DeviceMap) -> list[Fact]:
    """What nobody predicted, and what several GPUs hold."""
    notes = []
    engine = [device.of(part) for part in ENGINE_PARTS]
    missing = [part_name(size.part) for size in engine if size.predicted_bytes is None]
    if 0 < len(missing) < len(engine):
        notes.append(
            Fact(
                name=translate("MemoryMap", "Not predicted"),
                value=", ".join(missing),
                sentence=translate(
                    "MemoryMap",
                    "This engine takes memory for it as answers need it, so the model's file does "
                    "not tell how much that will be.",
                ),
            )
        )
    if device.is_one_of_several:
        notes.append(
            Fact(
                name=translate("MemoryMap", "Spread over several GPUs"),
                value=format_bytes(device.of(Part.OTHER).held_bytes),
                sentence=translate(
                    "MemoryMap",
                    "The engine does not tell which of its weights, KV cache and compute buffers "
                    "are on which GPU, so here all of it counts as the rest of Oscillama.",
                ),
            )
        )
    return notes


def _missing_bytes(device: DeviceMap, part: Part) -> int | None:
    size = device.of(part)
    if size.reserved_bytes is None or size.held_bytes is None:
        return None
    return max(size.reserved_bytes - size.held_bytes, 0)
