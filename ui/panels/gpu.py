"""Panels of the GPU that the engine uses, where NVML has one."""

from typing import TYPE_CHECKING

from app.energy import EnergySource
from engine.samples import GpuAbsence
from ui.format import (
    format_bytes,
    format_percent,
    format_power_mw,
    format_temperature,
    percent,
    power_mw,
    size,
    temperature,
)
from ui.panels.canvas import Canvas
from ui.panels.explain.legend import LegendEntry
from ui.panels.layouts import BuiltIn
from ui.panels.memory import engine_legend
from ui.panels.panel import LivePanel, Reading
from ui.panels.power import energy_text
from ui.panels.stack import draw_stack, held, parts_text

if TYPE_CHECKING:
    from ui.palette import ColorName


class GpuPanel(LivePanel):
    """What the panels of a GPU share."""

    is_slow = True
    column = ""
    """Its column of the samples."""

    def absence(self) -> str:
        """Why there is no GPU to show."""
        match self.store.machine.gpu_absence:
            case GpuAbsence.NO_DRIVER:
                return self.tr("no NVIDIA driver was found")
            case GpuAbsence.NO_DEVICE:
                return self.tr("the driver has no GPU")
            case GpuAbsence.DRIVER_FAILED:
                return self.tr("the driver does not answer")
            case GpuAbsence.SAMPLER_CRASHED:
                return self.tr("reading it crashed, and is off until the next start")
        return "" if self.store.machine.has_gpu else self.tr("not looked for yet")

    def curve(self, canvas: Canvas, color: "ColorName") -> None:
        """The column over time."""
        times, values = self.store.samples.between(canvas.t0_s, canvas.t1_s, self.column)
        until_s = min(canvas.t1_s, self.store.now_s)
        canvas.curve(*held(times, values, until_s), self.theme.color(color))

    def known_at(self, t_s: float) -> float | None:
        """The column at the hover line."""
        return self.store.sample_at(t_s, self.column)


class GpuUsePanel(GpuPanel):
    """Share of time in which the GPU ran something."""

    key = "gpu_use"
    layouts = frozenset({BuiltIn.ESSENTIAL, BuiltIn.HARDWARE})
    column = "gpu_use"

    def definition(self) -> str:
        """What the figure is."""
        return self.tr(
            "Share of time in which at least one kernel (a program on the GPU) ran, as its driver "
            "(NVML) reports it. It does not say how much of the GPU a kernel used. Where there are "
            "several, this is the one that holds most of the engine's memory."
        )

    def plain(self) -> str:
        """In one sentence."""
        return self.tr("How much of the time the graphics card is working on something.")

    def legend(self) -> tuple[LegendEntry, ...]:
        """What the colours mean."""
        return (("phase_prefill", self.tr("the graphics card")),)

    def read(self) -> Reading:
        """Use, power and temperature."""
        gpu = self.store.gpu
        if gpu is None:
            return Reading(value=percent(None))
        parts = [format_power_mw(gpu.power_mw), format_temperature(gpu.temperature_c)]
        return Reading(value=percent(gpu.utilization_ratio), context="  ·  ".join(parts))

    def value_at(self, t_s: float) -> str:
        """Use at the hover line."""
        value = self.known_at(t_s)
        return "" if value is None else format_percent(value)

    def draw(self, canvas: Canvas) -> None:
        """Use over time."""
        self.label_top(canvas, percent(1.0))
        canvas.labels.limit = "" if self.store.gpu is None else self.store.gpu.name
        self.curve(canvas, "phase_prefill")


class GpuPowerPanel(GpuPanel):
    """Power that the GPU draws, and the energy of a token."""

    key = "gpu_power"
    layouts = frozenset({BuiltIn.HARDWARE})
    column = "gpu_power"
    smallest_top = 10_000.0

    def definition(self) -> str:
        """What the figure is."""
        return self.tr(
            "Power of the whole board, as its driver (NVML) reports it. Energy of an output "
            "token is the difference of the board's energy counter over the answer, prefill "
            "included, divided by its output tokens; without such a counter it is the integral "
            "of the power. Where the engine is on several GPUs all this is added up. It is "
            "blank where the engine did not compute on the GPU, and where samples are missing."
        )

    def plain(self) -> str:
        """In one sentence."""
        return self.tr(
            "How much electricity the graphics card draws now; a lamp in a room draws about 10 W."
        )

    def legend(self) -> tuple[LegendEntry, ...]:
        """What the colours mean."""
        return (("phase_load", self.tr("power")),)

    def read(self) -> Reading:
        """Power, energy of a token and of the answer."""
        gpu = self.store.gpu
        if gpu is None:
            return Reading(value=power_mw(None))
        return Reading(
            value=power_mw(gpu.power_mw), context=energy_text(self.store, EnergySource.GPU)
        )

    def value_at(self, t_s: float) -> str:
        """Power at the hover line."""
        value = self.known_at(t_s)
        return "" if value is None else format_power_mw(value)

    def draw(self, canvas: Canvas) -> None:
        """Power over time."""
        _, values = self.store.samples.between(canvas.t0_s, canvas.t1_s, self.column)
        self.fit(canvas, values)
        self.label_top(canvas, power_mw(canvas.top))
        gpu = self.store.gpu
        if gpu is not None and gpu.power_limit_mw is not None:
            canvas.labels.limit = self.tr("limit {power}").format(
                power=format_power_mw(gpu.power_limit_mw)
            )
        self.curve(canvas, "phase_load")


class GpuTemperaturePanel(GpuPanel):
    """Temperature of the GPU."""

    key = "gpu_temperature"
    layouts = frozenset({BuiltIn.HARDWARE})
    column = "gpu_temperature"
    smallest_top = 100.0

    def definition(self) -> str:
        """What the figure is."""
        return self.tr("Temperature of the GPU's chip, as its driver (NVML) reports it.")

    def plain(self) -> str:
        """In one sentence."""
        return self.tr(
            "How warm the chip of the graphics card is; when it gets too hot it slows down."
        )

    def legend(self) -> tuple[LegendEntry, ...]:
        """What the colours mean."""
        return (("phase_stopped", self.tr("temperature")),)

    def read(self) -> Reading:
        """Temperature now."""
        gpu = self.store.gpu
        return Reading(value=temperature(None if gpu is None else gpu.temperature_c))

    def value_at(self, t_s: float) -> str:
        """Temperature at the hover line."""
        value = self.known_at(t_s)
        return "" if value is None else format_temperature(value)

    def draw(self, canvas: Canvas) -> None:
        """Temperature over time."""
        canvas.top = self.smallest_top
        self.label_top(canvas, temperature(canvas.top))
        self.curve(canvas, "phase_stopped")


class GpuMemoryPanel(GpuPanel):
    """VRAM of the engine process and of the device."""

    key = "gpu_memory"
    layouts = frozenset({BuiltIn.ESSENTIAL, BuiltIn.HARDWARE, BuiltIn.EXPLAIN})
    column = "gpu_process_memory"
    smallest_top = float(256 << 20)
    is_binary = True

    def definition(self) -> str:
        """What the figure is."""
        return self.tr(
            "Memory of the GPU (VRAM) that the engine process holds, as the driver (NVML) "
            "reports it; weights, KV cache and compute buffers are reported by the engine, with "
            "what PyTorch's allocator keeps unused counted as compute. The dark part above is "
            "everything else on the device."
        )

    def plain(self) -> str:
        """In one sentence."""
        return self.tr(
            "How much of the graphics card’s own memory the model takes; what does not fit "
            "there is computed elsewhere, and more slowly."
        )

    def legend(self) -> tuple[LegendEntry, ...]:
        """What the colours mean."""
        return (
            *engine_legend(),
            ("memory_other_processes", self.tr("all else on the card")),
        )

    def read(self) -> Reading:
        """VRAM of the process and its parts."""
        gpu = self.store.gpu
        if gpu is None:
            return Reading(value=size(None))
        held_bytes = gpu.process_memory_bytes
        context = parts_text(self.engine_memory(on_gpu=True), held_bytes)
        if held_bytes is None:
            device = format_bytes(gpu.memory_used_bytes)
            context = self.tr("device {bytes}").format(bytes=device)
        return Reading(value=size(held_bytes), context=context)

    def value_at(self, t_s: float) -> str:
        """VRAM of the process at the hover line."""
        value = self.known_at(t_s)
        return "" if value is None else format_bytes(value)

    def draw(self, canvas: Canvas) -> None:
        """VRAM of the process in parts, and of the device above it."""
        times, ours, device = self.store.samples.between(
            canvas.t0_s, canvas.t1_s, "gpu_process_memory", "gpu_memory"
        )
        self.fit(canvas, device)
        self.label_top(canvas, size(canvas.top))
        gpu = self.store.gpu
        if gpu is not None:
            canvas.labels.limit = self.tr("device {used} of {all}").format(
                used=format_bytes(gpu.memory_used_bytes), all=format_bytes(gpu.memory_total_bytes)
            )
        until_s = min(canvas.t1_s, self.store.now_s)
        draw_stack(canvas, self.theme, *held(times, ours, until_s), self.engine_memory(on_gpu=True))
        held_s, held_ours = held(times, ours, until_s)
        _, held_device = held(times, device, until_s)
        canvas.band(held_s, held_ours, held_device, self.theme.color("memory_other_processes"))
