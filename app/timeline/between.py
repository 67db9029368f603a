"""What lies between two moments: steps, tokens, their rate, and the energy."""

from dataclasses import dataclass

import numpy as np

from app.energy import EnergySource, energy_mj
from app.marks import MarkKind
from app.telemetry import TelemetryStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """What happened from one moment to a later one; None is unknown.

    Attributes:
        duration_ns: Between the two.
        n_steps: Engine steps that ended after the first and not after the second.
        n_tokens: Output tokens of these steps.
        rate_tok_per_s: Output tokens a second of the whole time; None where there were none, or the
            machine slept.
        energy_mj: What the GPU took, millijoules; None where no counter tells, samples are missing
            in between, or the machine slept.
        cpu_energy_mj: The same of the CPU.
    """

    duration_ns: int
    n_steps: int | None
    n_tokens: int | None
    rate_tok_per_s: float | None
    energy_mj: float | None
    cpu_energy_mj: float | None


def between(store: TelemetryStore, a_s: float, b_s: float) -> Between:
    """What lies between two moments on the store's clock, in either order.

    Steps so old that they are not kept one by one are not counted.
    """
    t0_s, t1_s = sorted((a_s, b_s))
    t0_ns, t1_ns = store.to_ns(t0_s), store.to_ns(t1_s)
    duration_ns = t1_ns - t0_ns
    since_s = store.steps.full_since_s
    n_steps: int | None = None
    n_tokens: int | None = None
    if since_s is None or t0_s >= since_s:
        times, tokens = store.steps.between(t0_s, t1_s, "tokens")
        inside = (times > t0_s) & (times <= t1_s)
        n_steps, n_tokens = int(inside.sum()), int(np.nansum(tokens[inside]))
    has_rate = n_tokens and duration_ns and not _slept(store, t0_ns, t1_ns)
    return Between(
        duration_ns=duration_ns,
        n_steps=n_steps,
        n_tokens=n_tokens,
        rate_tok_per_s=n_tokens * 1e9 / duration_ns if n_tokens and has_rate else None,
        energy_mj=_energy(store, t0_s, t1_s, EnergySource.GPU),
        cpu_energy_mj=_energy(store, t0_s, t1_s, EnergySource.CPU),
    )


def _slept(store: TelemetryStore, t0_ns: int, t1_ns: int) -> bool:
    """Whether the machine slept in between, as the sampler or the engine noticed."""
    slept_ns = (t_ns for turn in store.turns for t_ns in turn.trace.suspended_t_ns)
    return any(
        mark.kind is MarkKind.SUSPENDED for mark in store.marks.between(t0_ns, t1_ns)
    ) or any(t0_ns < t_ns <= t1_ns for t_ns in slept_ns)


def _energy(store: TelemetryStore, t0_s: float, t1_s: float, source: EnergySource) -> float | None:
    if t1_s <= t0_s or store.marks.is_broken(store.to_ns(t0_s), store.to_ns(t1_s)):
        return None
    return energy_mj(store.samples, t0_s, t1_s, source)
