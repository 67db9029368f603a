"""Energy that an answer took, from samples of the counters of the devices."""

from dataclasses import dataclass
from enum import StrEnum

from app.series import History

# Samples further apart say nothing about the power between them.
_GAP_S = 2.5
_MJ_PER_WH = 3_600_000


class EnergySource(StrEnum):
    """Which device the energy is of."""

    GPU = "gpu"
    CPU = "cpu"


@dataclass(frozen=True, slots=True, kw_only=True)
class Energy:
    """What one device took from start to end of an answer, whatever else ran on it.

    Attributes:
        source: The device.
        total_mj: Of the whole answer, millijoules.
        per_token_mj: Of each output token, prefill included.
    """

    source: EnergySource
    total_mj: float
    per_token_mj: float

    @property
    def total_wh(self) -> float:
        """Of the whole answer, watt-hours."""
        return self.total_mj / _MJ_PER_WH


def answer_energies(
    samples: History, t0_s: float, t1_s: float, n_tokens: int, *, used_gpu: bool
) -> tuple[Energy, ...]:
    """Energy of the devices whose counters reach over an answer; the one that computed first.

    The GPU counts where layers of the model were on it: from its counter, else as the integral of
    its power. The CPU counts always: it feeds a GPU, too.
    """
    if not n_tokens:
        return ()
    sources = (EnergySource.GPU, EnergySource.CPU) if used_gpu else (EnergySource.CPU,)
    totals = ((source, energy_mj(samples, t0_s, t1_s, source)) for source in sources)
    return tuple(
        Energy(source=source, total_mj=total_mj, per_token_mj=total_mj / n_tokens)
        for source, total_mj in totals
        if total_mj is not None
    )


def energy_mj(samples: History, t0_s: float, t1_s: float, source: EnergySource) -> float | None:
    """Millijoules that a device took from `t0_s` to `t1_s`; None where samples do not tell."""
    if source is EnergySource.CPU:
        return _counted(samples, t0_s, t1_s, "cpu_energy")
    if samples.is_unknown(t0_s, t1_s, "gpu_energy"):
        return samples.integrate(t0_s, t1_s, "gpu_power", gap_s=_GAP_S)
    return _counted(samples, t0_s, t1_s, "gpu_energy")


def _counted(samples: History, t0_s: float, t1_s: float, column: str) -> float | None:
    """How far a counter went; None where it went back, or was not known in between."""
    if not samples.rises(t0_s, t1_s, column):
        return None
    before, after = samples.interpolate(t0_s, column), samples.interpolate(t1_s, column)
    return None if before is None or after is None else after - before
