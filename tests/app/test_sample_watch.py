"""What is missing between samples is marked, once, and nothing where all is well."""

from dataclasses import replace

from app.marks import MarkKind
from app.sample_watch import SampleWatch
from engine.samples import CpuEnergyAbsence, GpuAbsence, GpuSample, Sample

_S = 1_000_000_000
_GPU = GpuSample(index=0, name="G", energy_mj=5_000)
_ALL = Sample(t_ns=0, cpu_energy_mj=100, gpus=(_GPU, replace(_GPU, index=1)))


def details(*samples: Sample) -> list[tuple[int, object]]:
    watch = SampleWatch()
    marks = [watch.look(sample, interval_ns=_S) for sample in samples]
    assert all(mark is None or mark.kind is MarkKind.SAMPLES_MISSING for mark in marks)
    return [(index, mark.detail[0]) for index, mark in enumerate(marks) if mark is not None]


def later(sample: Sample, t_s: float, gpu_mj: int = 5_000, cpu_mj: int | None = 100) -> Sample:
    gpus = tuple(replace(gpu, energy_mj=gpu_mj) for gpu in sample.gpus)
    return replace(sample, t_ns=round(t_s * _S), gpus=gpus, cpu_energy_mj=cpu_mj)


def test_counters_that_go_on_or_stand_still_are_nothing() -> None:
    assert details(_ALL, later(_ALL, 1), later(_ALL, 2.5, 6_000, 101)) == []


def test_no_sample_for_more_than_three_seconds() -> None:
    assert details(_ALL, later(_ALL, 3), later(_ALL, 6.5)) == [(2, 3.5 * _S)]


def test_a_gpu_that_is_gone() -> None:
    one = replace(later(_ALL, 1), gpus=_ALL.gpus[:1])
    none = replace(later(_ALL, 2), gpus=(), gpu_absence=GpuAbsence.DRIVER_FAILED)
    assert details(_ALL, one, none, none, later(_ALL, 3)) == [(1, "gpu"), (2, "gpu")]


def test_a_counter_that_goes_back_or_is_lost() -> None:
    assert details(_ALL, later(_ALL, 1, 4_000)) == [(1, "energy")]
    assert details(_ALL, later(_ALL, 1, 5_000, 99)) == [(1, "energy")]
    assert details(_ALL, later(_ALL, 1, 5_000, None), later(_ALL, 2)) == [(1, "energy")]
    refused = replace(later(_ALL, 1, 5_000, None), cpu_energy_absence=CpuEnergyAbsence.FAILED)
    assert details(_ALL, refused, refused) == [(1, "energy")]


def test_what_was_told_already_is_not_told_again() -> None:
    watch = SampleWatch()
    watch.look(_ALL, interval_ns=_S)
    watch.forget()
    assert watch.look(later(_ALL, 600, 0, 0), interval_ns=_S) is None
