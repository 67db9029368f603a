"""Finds what is missing between one sample and the next."""

from app.marks import Mark, MarkKind
from engine.samples import Sample

# A busy machine holds a sample up now and then.
_MISSING_INTERVALS = 3


class SampleWatch:
    """Looks at samples in their order. One thread only."""

    def __init__(self) -> None:
        """Begin before the first."""
        self._last: Sample | None = None

    def forget(self) -> None:
        """The next sample is not compared: what is missing before it was told already."""
        self._last = None

    def look(self, sample: Sample, *, interval_ns: int) -> Mark | None:
        """What is missing before this sample, of which one was due every `interval_ns` at least.

        Details of the mark: how many nanoseconds no sample was taken; else the word "gpu", where
        a GPU is gone, or "energy", where a counter went backwards or was lost.
        """
        last, self._last = self._last, sample
        if last is None:
            return None
        if sample.t_ns - last.t_ns > _MISSING_INTERVALS * interval_ns:
            return _missing(last.t_ns, sample.t_ns - last.t_ns)
        if len(sample.gpus) < len(last.gpus):
            return _missing(sample.t_ns, "gpu")
        if _counters(last) - _counters(sample) or _has_gone_back(last, sample):
            return _missing(sample.t_ns, "energy")
        return None


def _missing(t_ns: int, detail: str | int) -> Mark:
    return Mark(kind=MarkKind.SAMPLES_MISSING, t_ns=t_ns, detail=(detail,))


def _counters(sample: Sample) -> set[str | int]:
    """Which energy counters are known."""
    found: set[str | int] = {gpu.index for gpu in sample.gpus if gpu.energy_mj is not None}
    return found | {"cpu"} if sample.cpu_energy_mj is not None else found


def _has_gone_back(last: Sample, sample: Sample) -> bool:
    if (sample.cpu_energy_mj or 0) < (last.cpu_energy_mj or 0):
        return True
    before_mj = {gpu.index: gpu.energy_mj or 0 for gpu in last.gpus}
    return any((gpu.energy_mj or 0) < before_mj.get(gpu.index, 0) for gpu in sample.gpus)
