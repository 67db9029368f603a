"""Lanes of what the machine did meanwhile: decode steps, memory, utilisation, power."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from app.sample_row import SAMPLE_COLUMNS
from app.series import FloatArray
from app.telemetry import TelemetryStore
from app.timeline.moment import TokenTexts, step_at, turn_at
from ui.format import (
    duration_ns,
    format_bytes,
    format_percent,
    format_power_mw,
    percent,
    power_mw,
    size,
)
from ui.inspector.wording import shown_text
from ui.panels.canvas import Canvas
from ui.panels.explain.legend import Entry, shade
from ui.panels.scales import Scale
from ui.timeline.lane import CurveLane, Scene, kv_entry, translate
from ui.timeline.wording import DOT

if TYPE_CHECKING:
    from ui.palette import ColorName

PeakNs = Callable[[Scene], float]
"""The longest step in view, nanoseconds."""

# Idle samples come once a second, old ones every two: further apart there were none.
_GAP_S = 5.0
# Of the devices of which samples have it.
_POWER_COLUMNS = tuple(name for name in SAMPLE_COLUMNS if name.endswith("_power"))
_POWER_COLORS: "dict[str, ColorName]" = {
    "gpu_power": "device_gpu",
    "cpu_power": "device_cpu",
}
# More steps have no room for their text.
_MOST_TEXTS = 48
# More lines would hide the ticks.
_MOST_FIRSTS = 40


class StepLane(CurveLane):
    """One tick an engine step, as high as it took; with words where most have room."""

    weight = 2.2

    def __init__(self, token_texts: TokenTexts, peak_ns: PeakNs | None = None) -> None:
        """`token_texts` gives the words of a step, `peak_ns` the tallest that the scale is for."""
        self._token_texts = token_texts
        self._peak_ns = peak_ns

    def title(self) -> str:
        """Its name."""
        return translate("Timeline", "Decode steps")

    def sentence(self) -> str:
        """What it shows."""
        return translate(
            "Timeline",
            "One tick for each step of the engine, as high as the time since the step before "
            "(ITL). A tall tick is a token that came late.",
        )

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        """The ticks; of many in one pixel the tallest."""
        times, itl = scene.store.steps.extremes(scene.t0_s, scene.t1_s, "itl")
        inside = (times >= scene.t0_s) & (times <= scene.t1_s)
        times, itl = times[inside], itl[inside]
        if not np.isfinite(itl).any():
            return
        peak_ns = float(np.nanmax(itl)) if self._peak_ns is None else self._peak_ns(scene)
        canvas.top = Scale(smallest=1_000.0).fit(peak_ns)
        canvas.labels.top = str(duration_ns(canvas.top))
        canvas.bars(times, itl, scene.theme.color("phase_decode"))

    def paint(self, painter: QPainter, scene: Scene) -> None:
        """Draw the ticks, and where first tokens came."""
        super().paint(painter, scene)
        self._paint_texts(painter, scene)
        store = scene.store
        t0_ns, t1_ns = store.to_ns(scene.t0_s), store.to_ns(scene.t1_s)
        stamps = (turn.trace.t_first_ns for turn in store.turns if turn.t_submit_ns <= t1_ns)
        seen = [t_ns for t_ns in stamps if t_ns is not None and t0_ns <= t_ns <= t1_ns]
        if len(seen) <= _MOST_FIRSTS:
            _paint_firsts(painter, scene, [store.to_s(t_ns) for t_ns in seen])

    def _paint_texts(self, painter: QPainter, scene: Scene) -> None:
        """Write the text of each step into what it took."""
        painter.setFont(scene.theme.font("caption"))
        painter.setPen(scene.theme.color("muted"))
        for box, text in self.words(scene, painter.fontMetrics()):
            painter.drawText(box, Qt.AlignmentFlag.AlignRight, text)

    def words(self, scene: Scene, metrics: QFontMetrics) -> list[tuple[QRectF, str]]:
        """What is written of steps, and where: nothing where most that is known has no room."""
        store, area = scene.store, scene.area
        if store.steps.count(scene.t0_s, scene.t1_s) > _MOST_TEXTS:
            return []
        times, _ = store.steps.between(scene.t0_s, scene.t1_s, "itl")
        if not 0 < len(times) <= _MOST_TEXTS:
            return []
        texts_of, n_known = cache(self._token_texts), 0
        fitting: list[tuple[QRectF, str]] = []
        for t_s in times.tolist():
            _, turn = turn_at(store, store.to_ns(t_s))
            step = None if turn is None else step_at(store, turn, t_s)
            if turn is None or step is None or step.itl_ns is None:
                continue
            if (known := texts_of(turn.request_id)(step.index)) is None:
                continue
            n_known += 1
            text = shown_text(known)
            right = scene.x(t_s) - 3
            left = max(scene.x(t_s - step.itl_ns / 1e9), area.left())
            if metrics.horizontalAdvance(text) + 6 <= right - left <= area.width():
                fitting.append((QRectF(left, area.bottom() - 18, right - left, 16), text))
        return fitting if 2 * len(fitting) >= n_known else []

    def empty_text(self, _scene: Scene) -> str:
        """When it shows."""
        return translate("Timeline", "No decode step in view")

    def text_at(self, _store: TelemetryStore, _t_s: float) -> str:
        """Said with the moment."""
        return ""


def _paint_firsts(painter: QPainter, scene: Scene, firsts_s: list[float]) -> None:
    """A line where each answer had its first token, with words where there is room."""
    area, pen = scene.area, QPen(scene.theme.color("text"), 1, Qt.PenStyle.DotLine)
    painter.setFont(scene.theme.font("caption"))
    text = translate("Timeline", "first token")
    width = painter.fontMetrics().horizontalAdvance(text) + 8
    last_right = area.left()
    xs = [scene.x(first_s) for first_s in firsts_s]
    # No line strikes through the words of another.
    for x, next_x in zip(xs, [*xs, area.right()][1:], strict=True):
        painter.setPen(pen)
        painter.drawLine(int(x), int(area.top()), int(x), int(area.bottom()))
        left = x - width if x - width > last_right else x + 4
        if left >= last_right and left + width <= (next_x if left > x else area.right()):
            painter.setPen(scene.theme.color("muted"))
            painter.drawText(int(left), int(area.top()) + 10, text)
            last_right = left + width
        last_right = max(last_right, x)


class MemoryLane(CurveLane):
    """Memory of the engine, where it computes."""

    def title(self) -> str:
        """Its name."""
        return translate("Timeline", "Device memory")

    def sentence(self) -> str:
        """What it shows."""
        return translate(
            "Timeline",
            "What the engine holds where it computes, and in green the part of the KV cache "
            "that is in use.",
        )

    def legend(self, store: TelemetryStore) -> list[Entry]:
        """Both curves."""
        memory = Entry(color="device_memory", text=translate("Timeline", "engine memory"))
        has_memory = store.samples.has_any(_memory_column(store))
        return [memory, kv_entry()] if has_memory else []

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        """Both, as areas from zero."""
        column = _memory_column(scene.store)
        times, held = _curve(scene, column)
        kv_times, kv = scene.store.kv.extremes(scene.t0_s, scene.t1_s, "bytes")
        if not np.isfinite(held).any():
            return
        canvas.top = Scale(smallest=float(1 << 20), is_binary=True).fit(float(np.nanmax(held)))
        canvas.labels.top = str(size(canvas.top))
        canvas.curve(times, held, scene.theme.color("device_memory"))
        if len(kv_times):
            kv_times, kv = np.append(kv_times, scene.until_s), np.append(kv, kv[-1])
        canvas.curve(kv_times, kv, scene.theme.color("memory_kv"))

    def empty_text(self, _scene: Scene) -> str:
        """When it shows."""
        return translate("Timeline", "No sample in view")

    def text_at(self, store: TelemetryStore, t_s: float) -> str:
        """Memory of the engine."""
        value = store.sample_at(t_s, _memory_column(store))
        if value is None:
            return ""
        return translate("Timeline", "engine memory {size}").format(size=format_bytes(value))


class UseLane(CurveLane):
    """Shares of the processor and of the GPU that were busy."""

    # For four lines of its sentence.
    weight = 1.2

    def title(self) -> str:
        """Its name."""
        return translate("Timeline", "Utilisation")

    def sentence(self) -> str:
        """What it shows."""
        return translate(
            "Timeline",
            "How busy the processors were: 100 % is all of their cores, all the time. The pale "
            "line is everything that runs on this machine.",
        )

    def legend(self, store: TelemetryStore) -> list[Entry]:
        """Each curve."""
        found = []
        if store.machine.n_cores:
            everything = translate("Timeline", "CPU, everything")
            engine = translate("Timeline", "CPU, engine")
            found.append(Entry(color="device_cpu", text=engine))
            found.append(Entry(color="device_cpu", text=everything, is_pale=True))
        if store.samples.has_any("gpu_use"):
            found.append(_gpu_entry())
        return found

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        """A curve each, on one scale from 0 to 100 %."""
        canvas.labels.top = str(percent(1.0))
        n_cores = scene.store.machine.n_cores
        if n_cores:
            engine_s, engine = _curve(scene, "engine_cpu")
            canvas.curve(
                engine_s, np.minimum(engine / n_cores, 1.0), scene.theme.color("device_cpu")
            )
            all_s, everything = _curve(scene, "machine_cpu")
            shares = np.minimum(everything / n_cores, 1.0)
            pale = shade(scene.theme, "device_cpu", is_pale=True)
            canvas.curve(all_s, shares, pale, filled=False)
        canvas.curve(*_curve(scene, "gpu_use"), scene.theme.color("device_gpu"), filled=False)

    def empty_text(self, _scene: Scene) -> str:
        """When it shows."""
        return translate("Timeline", "No sample in view")

    def text_at(self, store: TelemetryStore, t_s: float) -> str:
        """Each share."""
        parts = []
        n_cores = store.machine.n_cores
        engine, use = store.sample_at(t_s, "engine_cpu"), store.sample_at(t_s, "gpu_use")
        if n_cores and engine is not None:
            text = translate("Timeline", "engine CPU {share}")
            parts.append(text.format(share=format_percent(engine / n_cores)))
        if use is not None:
            parts.append(translate("Timeline", "GPU {share}").format(share=format_percent(use)))
        return DOT.join(parts)


class PowerLane(CurveLane):
    """Power of each device that has a counter of it."""

    weight = 0.8

    def title(self) -> str:
        """Its name."""
        return translate("Timeline", "Power")

    def sentence(self) -> str:
        """What it shows."""
        return translate("Timeline", "What each device draws, as its own counter says.")

    def legend(self, store: TelemetryStore) -> list[Entry]:
        """A curve a device."""
        cpu = Entry(color="device_cpu", text=translate("Timeline", "CPU"))
        entries = {"gpu_power": _gpu_entry(), "cpu_power": cpu}
        return [entries[name] for name in _POWER_COLUMNS if store.samples.has_any(name)]

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        """The curves, on one scale."""
        curves = {column: _curve(scene, column) for column in _POWER_COLUMNS}
        known = [float(np.nanmax(mw)) for _, mw in curves.values() if np.isfinite(mw).any()]
        if not known:
            return
        canvas.top = Scale(smallest=10_000.0).fit(max(known))
        canvas.labels.top = str(power_mw(canvas.top))
        for column, (times, power) in curves.items():
            canvas.curve(times, power, scene.theme.color(_POWER_COLORS[column]))

    def empty_text(self, _scene: Scene) -> str:
        """Why there is none."""
        return translate("Timeline", "No counter of power can be read here, so it stays blank")

    def text_at(self, store: TelemetryStore, t_s: float) -> str:
        """Power then."""
        parts = []
        for column in _POWER_COLUMNS:
            value = store.sample_at(t_s, column)
            if value is not None:
                parts.append(f"{_power_name(column)} {format_power_mw(value)}")
        return DOT.join(parts)


def _gpu_entry() -> Entry:
    """How busy the GPU is, and what it draws."""
    return Entry(color="device_gpu", text=translate("Timeline", "GPU"))


def _power_name(column: str) -> str:
    if column == "gpu_power":
        return translate("Timeline", "GPU power")
    return translate("Timeline", "CPU power")


def _memory_column(store: TelemetryStore) -> str:
    memory = store.memory
    return "gpu_process_memory" if memory is not None and memory.on_gpu else "engine_rss"


def _curve(scene: Scene, column: str) -> tuple[FloatArray, FloatArray]:
    """A column of the samples in view, broken where there were none for a while."""
    times, values = scene.store.samples.extremes(scene.t0_s, scene.t1_s, column)
    gaps = np.flatnonzero(np.diff(times) > max(_GAP_S, (scene.t1_s - scene.t0_s) / 100)) + 1
    if len(gaps):
        times = np.insert(times, gaps, times[gaps - 1] + 1e-6)
        values = np.insert(values, gaps, np.nan)
    return times, values
