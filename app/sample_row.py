"""A sample of the machine as one row of figures, the same for the panels and for recorded runs."""

from collections.abc import Iterable
from dataclasses import replace

from engine.samples import GpuSample, Sample

SAMPLE_COLUMNS = {
    "engine_rss": "engine_rss_bytes",
    "machine_used": "machine_used_bytes",
    "engine_cpu": "engine_cpu_cores",
    "window_cpu": "window_cpu_cores",
    "machine_cpu": "machine_cpu_cores",
    "cpu_energy": "cpu_energy_mj",
    "cpu_power": "cpu_power_mw",
    "gpu_use": "gpu_utilization_ratio",
    "gpu_power": "gpu_power_mw",
    "gpu_temperature": "gpu_temperature_c",
    "gpu_memory": "gpu_memory_used_bytes",
    "gpu_process_memory": "gpu_process_memory_bytes",
    "gpu_energy": "gpu_energy_mj",
}
"""Columns by name, with the field of `Sample` each is; those of `GpuSample` begin with "gpu_"."""

SampleRow = dict[str, float | None]

_GPU = "gpu_"


def engine_gpu(gpus: tuple[GpuSample, ...]) -> GpuSample | None:
    """The GPU with most of the engine's memory, else the first.

    Power and energy are those of all that hold memory of the engine.
    """
    gpu = max(gpus, key=lambda gpu: gpu.process_memory_bytes or 0, default=None)
    counted = _counted(gpus)
    if gpu is None or len(counted) < 2:
        return gpu
    return replace(
        gpu,
        power_mw=_sum(gpu.power_mw for gpu in counted),
        power_limit_mw=_sum(gpu.power_limit_mw for gpu in counted),
        energy_mj=_sum(gpu.energy_mj for gpu in counted),
    )


def counted_gpus(gpus: tuple[GpuSample, ...]) -> tuple[int, ...]:
    """Indexes of those whose energy is counted: all with memory of the engine, else the first.

    What is known of others before and after does not compare.
    """
    return tuple(gpu.index for gpu in _counted(gpus))


def sample_rows(sample: Sample, counted_before: tuple[int, ...]) -> list[SampleRow]:
    """The row of a sample, and before it one in which GPUs are unknown, where others count now.

    Counters of other GPUs stand elsewhere: no energy and no line leads over to them. Both rows
    are of the moment of the sample: what was told before it may have the same stamp.
    """
    row = sample_row(sample)
    if not counted_before or counted_gpus(sample.gpus) in ((), counted_before):
        return [row]
    return [{name: None if name.startswith(_GPU) else row[name] for name in row}, row]


def sample_row(sample: Sample) -> SampleRow:
    """The figures of a sample by column; those of the GPU are of `engine_gpu`."""
    gpu = engine_gpu(sample.gpus)
    return {name: _value(sample, gpu, field) for name, field in SAMPLE_COLUMNS.items()}


def _counted(gpus: tuple[GpuSample, ...]) -> tuple[GpuSample, ...]:
    return tuple(gpu for gpu in gpus if gpu.process_memory_bytes) or gpus[:1]


def _sum(figures: Iterable[int | None]) -> int | None:
    """None where one is unknown."""
    known = list(figures)
    return None if None in known else sum(figure for figure in known if figure is not None)


def _value(sample: Sample, gpu: GpuSample | None, field: str) -> float | None:
    if not field.startswith(_GPU):
        value: float | None = getattr(sample, field)
        return value
    return None if gpu is None else getattr(gpu, field.removeprefix(_GPU))
