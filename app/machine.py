"""What this machine has, as the sampler last found it."""

from dataclasses import dataclass, replace
from typing import Self

from engine.samples import CpuEnergyAbsence, GpuAbsence, Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """It stands also while samples are overdue, or the sampler starts again.

    Attributes:
        is_sampled: Whether there was any sample.
        n_cores: Logical cores; None is unknown.
        cpu_energy_absence: Why the energy of the CPU is not known; None where it is.
        has_gpu: Whether there is a GPU.
        gpu_absence: Why there is none; None where there is one, or before it was looked for.
    """

    is_sampled: bool = False
    n_cores: int | None = None
    cpu_energy_absence: CpuEnergyAbsence | None = None
    has_gpu: bool = False
    gpu_absence: GpuAbsence | None = None

    def after(self, sample: Sample) -> Self:
        """What is known with a sample; the first of a sampler may come before it finds GPUs."""
        has_looked = bool(sample.gpus) or sample.gpu_absence is not None
        return replace(
            self,
            is_sampled=True,
            n_cores=sample.n_cores,
            cpu_energy_absence=sample.cpu_energy_absence,
            has_gpu=bool(sample.gpus) if has_looked else self.has_gpu,
            gpu_absence=sample.gpu_absence if has_looked else self.gpu_absence,
        )
