"""What the memory of each device holds: parts of ours, other processes, and what is free."""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from engine.samples import GpuSample, Sample
from engine.values import MemoryUse


class Part(StrEnum):
    """Parts of a device's memory, in the order they are drawn."""

    WEIGHTS = "weights"
    KV = "kv"
    COMPUTE = "compute"
    OTHER = "other"
    OTHER_PROCESSES = "other_processes"
    FREE = "free"


ENGINE_PARTS = (Part.WEIGHTS, Part.KV, Part.COMPUTE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartSize:
    """One part, bytes; None where it is not known.

    Attributes:
        predicted_bytes: What was expected before the model was loaded.
        reserved_bytes: What the engine asked the system for.
        held_bytes: What is in memory now.
    """

    part: Part
    predicted_bytes: int | None = None
    reserved_bytes: int | None = None
    held_bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceMap:
    """The memory of one device.

    Attributes:
        name: Of a GPU; None for the memory of the machine.
        gpu_index: As in `GpuSample`; None for the memory of the machine.
        total_bytes: All of it.
        parts: In the order they are drawn.
        window_bytes: What the window and the sampler hold of `Part.OTHER`; None where it is not
            known.
        is_one_of_several: Whether the engine is on several GPUs, of which this is one: how it
            spread its parts over them is not told, so they are in `Part.OTHER`.
    """

    name: str | None
    gpu_index: int | None
    total_bytes: int
    parts: tuple[PartSize, ...]
    window_bytes: int | None = None
    is_one_of_several: bool = False

    def of(self, part: Part) -> PartSize:
        """One part; without sizes where there is none."""
        return next((size for size in self.parts if size.part is part), PartSize(part=part))

    @property
    def ours_bytes(self) -> int:
        """What the engine and the window hold."""
        ours = (*ENGINE_PARTS, Part.OTHER)
        return sum(size.held_bytes or 0 for size in self.parts if size.part in ours)


@dataclass(frozen=True, slots=True)
class _Shares:
    """Weights, KV cache and compute buffers on one device; `mapped` are bytes of the weights."""

    weights: int | None = None
    kv: int | None = None
    compute: int | None = None
    mapped: int = 0


_NOTHING = _Shares()


# A panel and its view ask for the same, one after the other.
@lru_cache(maxsize=1)
def memory_maps(
    sample: Sample | None, memory: MemoryUse | None, predicted: MemoryUse | None
) -> tuple[DeviceMap, ...]:
    """The machine first, then each GPU; those whose size is not known are left out."""
    if sample is None:
        return ()
    maps = [_machine_map(sample, _on_host(memory), _on_host(predicted))]
    engine_gpus = _engine_gpus(sample, memory or predicted)
    for gpu in sample.gpus:
        name = gpu.name if len(sample.gpus) == 1 else f"{gpu.name} #{gpu.index}"
        has_all = engine_gpus == [gpu.index]
        maps.append(
            _gpu_map(
                replace(gpu, name=name),
                _on_gpu(memory) if has_all else _NOTHING,
                _on_gpu(predicted) if has_all else _NOTHING,
                is_one_of_several=len(engine_gpus) > 1 and gpu.index in engine_gpus,
            )
        )
    return tuple(found for found in maps if found is not None)


def unmeasured_bytes(sample: Sample | None, memory: MemoryUse | None) -> int | None:
    """What the engine has on GPUs that nothing measures; None where there is none."""
    if sample is None or memory is None or not memory.on_gpu or sample.gpus:
        return None
    there = _on_gpu(memory)
    return (there.weights or 0) + (there.kv or 0) + (there.compute or 0)


def _machine_map(sample: Sample, ours: _Shares, expected: _Shares) -> DeviceMap | None:
    total, used = sample.machine_total_bytes, sample.machine_used_bytes
    if total is None or used is None:
        return None
    rss = sample.engine_rss_bytes or 0
    window = (sample.window_rss_bytes or 0) + (sample.sampler_rss_bytes or 0)
    # Pages of mapped files are resident, and available to others all the same.
    files = sample.engine_file_bytes or 0
    window_files = (sample.window_file_bytes or 0) + (sample.sampler_file_bytes or 0)
    own = rss - files
    held_kv = min(ours.kv or 0, own)
    unmapped = min((ours.weights or 0) - ours.mapped, own - held_kv)
    weights = (min(ours.mapped, files) if files else min(ours.mapped, own - held_kv)) + unmapped
    left = own - held_kv - (unmapped if files else weights)
    compute = min(ours.compute or 0, max(left, 0))
    other = max(rss - weights - held_kv - compute, 0) + window
    others = max(used - own - (window - window_files), 0)
    free = max(total - others - rss - window, 0)
    known = sample.engine_rss_bytes is not None
    return DeviceMap(
        name=None,
        gpu_index=None,
        total_bytes=total,
        parts=_parts(
            ours,
            expected,
            (
                _held(ours.weights, weights, known=known),
                _held(ours.kv, held_kv, known=known),
                _held(ours.compute, compute, known=known),
            ),
            rest=(other or None, others, free),
        ),
        window_bytes=None if sample.window_rss_bytes is None else window,
    )


def _gpu_map(
    gpu: GpuSample, ours: _Shares, expected: _Shares, *, is_one_of_several: bool
) -> DeviceMap | None:
    total, used = gpu.memory_total_bytes, gpu.memory_used_bytes
    if total is None or used is None:
        return None
    engine = gpu.process_memory_bytes
    parts = sum(part or 0 for part in (ours.weights, ours.kv, ours.compute))
    other = None if engine is None else max(engine - parts, 0)
    others = max(used - (max(engine or 0, parts)), 0)
    return DeviceMap(
        name=gpu.name,
        gpu_index=gpu.index,
        total_bytes=total,
        parts=_parts(
            ours,
            expected,
            (ours.weights, ours.kv, ours.compute),
            rest=(other, others, max(total - used, 0)),
        ),
        is_one_of_several=is_one_of_several,
    )


def _parts(
    ours: _Shares,
    expected: _Shares,
    held: tuple[int | None, int | None, int | None],
    *,
    rest: tuple[int | None, int | None, int | None],
) -> tuple[PartSize, ...]:
    reserved = (ours.weights, ours.kv, ours.compute)
    predicted = (expected.weights, expected.kv, expected.compute)
    engine = [
        PartSize(part=part, predicted_bytes=before, reserved_bytes=asked, held_bytes=now)
        for part, before, asked, now in zip(ENGINE_PARTS, predicted, reserved, held, strict=True)
    ]
    others = (Part.OTHER, Part.OTHER_PROCESSES, Part.FREE)
    return (
        *engine,
        *(PartSize(part=part, held_bytes=n) for part, n in zip(others, rest, strict=True)),
    )


def _held(reserved: int | None, held: int, *, known: bool) -> int | None:
    return held if known and reserved is not None else None


def _on_host(memory: MemoryUse | None) -> _Shares:
    if memory is None:
        return _NOTHING
    if not memory.on_gpu:
        return _Shares(
            memory.weights_bytes, memory.kv_bytes, memory.compute_bytes, memory.mapped_bytes
        )
    return _Shares(
        memory.host_weights_bytes or None,
        memory.host_kv_bytes or None,
        memory.host_compute_bytes or None,
        min(memory.mapped_bytes, memory.host_weights_bytes),
    )


def _on_gpu(memory: MemoryUse | None) -> _Shares:
    if memory is None or not memory.on_gpu:
        return _NOTHING

    def rest(all_bytes: int | None, host_bytes: int) -> int | None:
        return None if all_bytes is None else max(all_bytes - host_bytes, 0)

    return _Shares(
        rest(memory.weights_bytes, memory.host_weights_bytes),
        rest(memory.kv_bytes, memory.host_kv_bytes),
        rest(memory.compute_bytes, memory.host_compute_bytes),
    )


def _engine_gpus(sample: Sample, memory: MemoryUse | None) -> list[int]:
    """Indexes of the GPUs that the engine has memory on, or will have."""
    if memory is None or not memory.on_gpu:
        return []
    if len(sample.gpus) == 1:
        return [sample.gpus[0].index]
    return [gpu.index for gpu in sample.gpus if gpu.process_memory_bytes]
