"""Memory as a stack of parts, shared by the panels of the machine's and the GPU's memory."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QCoreApplication

from app.series import FloatArray
from engine.values import MemoryUse
from ui.format import size
from ui.panels.canvas import Canvas
from ui.theme import Theme

if TYPE_CHECKING:
    from ui.palette import ColorName

Part = tuple["ColorName", int]


def memory_parts(memory: MemoryUse | None, total_bytes: float | None) -> list[Part]:
    """Weights, KV, compute, other, in this order; what the engine does not say is left out.

    Other is what `total_bytes` has beyond the known parts; unknown when they exceed it, as they
    do when not all of a mapped file is in memory.
    """
    if memory is None:
        return []
    named: list[tuple[ColorName, int | None]] = [
        ("memory_weights", memory.weights_bytes),
        ("memory_kv", memory.kv_bytes),
        ("memory_compute", memory.compute_bytes),
    ]
    parts = [(color, n_bytes) for color, n_bytes in named if n_bytes is not None]
    other = None if total_bytes is None else total_bytes - sum(n for _, n in parts)
    if parts and other is not None and other >= 0:
        parts.append(("memory_other", int(other)))
    return parts


def parts_text(memory: MemoryUse | None, total_bytes: float | None) -> str:
    """The parts in words, in the unit of the total where it is the same."""
    names: dict[str, str] = {
        "memory_weights": QCoreApplication.translate("MemoryParts", "weights"),
        "memory_kv": QCoreApplication.translate("MemoryParts", "KV"),
        "memory_compute": QCoreApplication.translate("MemoryParts", "compute"),
        "memory_other": QCoreApplication.translate("MemoryParts", "other"),
    }
    total_unit = size(total_bytes).unit
    texts = []
    for color, n_bytes in memory_parts(memory, total_bytes):
        quantity = size(n_bytes)
        text = quantity.number if quantity.unit == total_unit else str(quantity)
        texts.append(f"{names[color]} {text}")
    return "   ".join(texts)


def draw_stack(
    canvas: Canvas,
    theme: Theme,
    t_s: FloatArray,
    total: FloatArray,
    memory: MemoryUse | None,
) -> None:
    """Draw `total` over time as its parts, or as one where they are not known.

    The parts are never drawn higher than the total.
    """
    level: FloatArray = np.where(np.isnan(total), np.nan, 0.0)
    parts = [(color, n) for color, n in memory_parts(memory, None) if n]
    for color, n_bytes in parts:
        upper = np.minimum(level + n_bytes, total)
        canvas.band(t_s, level, upper, theme.color(color))
        level = upper
    canvas.band(t_s, level, total, theme.color("memory_other"))


def held(t_s: FloatArray, values: FloatArray, until_s: float) -> tuple[FloatArray, FloatArray]:
    """A series whose last value holds on until now."""
    if not len(t_s) or until_s <= t_s[-1]:
        return t_s, values
    return np.append(t_s, until_s), np.append(values, values[-1])
