"""Energy that a GPU took over a stretch of time, from samples of it."""

from app.series import History

# Samples further apart say nothing about what was between them.
_GAP_S = 2.5


def energy_mj(samples: History, t0_s: float, t1_s: float) -> float | None:
    """Millijoules from `t0_s` to `t1_s`; None where samples do not reach.

    From the column "gpu_energy", a counter, where there is one that does not go backwards; else
    the integral of "gpu_power" (mW).
    """
    before = samples.interpolate(t0_s, "gpu_energy")
    after = samples.interpolate(t1_s, "gpu_energy")
    if before is not None and after is not None:
        return after - before if after >= before else None
    return samples.integrate(t0_s, t1_s, "gpu_power", gap_s=_GAP_S)
