"""Runs side by side: medians and spread of each figure, by what was the same in them."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.runs.record import RunSummary
from engine.record import Spread, spread

FIGURES = (
    "ttft_ns",
    "prefill_rate_tok_per_s",
    "decode_rate_tok_per_s",
    "itl_p50_ns",
    "itl_p95_ns",
    "energy_per_token_mj",
)
"""The fields of `RunSummary` that are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunGroup:
    """Runs of one model on one engine and device, all with tokens inspected or all without.

    Attributes:
        model: Name of the model.
        quantization: As in `RunSummary`.
        engine: As in `RunSummary`.
        device: As in `RunSummary`.
        is_inspected: As in `RunSummary`.
        n_runs: How many there are.
        figures: Median, least and most of each of `FIGURES`, over the runs where it is known.
    """

    model: str
    quantization: str
    engine: str
    device: str
    is_inspected: bool
    n_runs: int
    figures: dict[str, Spread]


def grouped(runs: Iterable[RunSummary]) -> list[RunGroup]:
    """Groups in the order in which they first occur; files that cannot be read are left out."""
    groups: dict[tuple[str, str, str, str, bool], list[RunSummary]] = {}
    for run in runs:
        if run.fault is None:
            key = (run.model, run.quantization, run.engine, run.device, run.is_inspected)
            groups.setdefault(key, []).append(run)
    return [
        RunGroup(
            model=model,
            quantization=quantization,
            engine=engine,
            device=device,
            is_inspected=is_inspected,
            n_runs=len(members),
            figures={name: spread(getattr(member, name) for member in members) for name in FIGURES},
        )
        for (model, quantization, engine, device, is_inspected), members in groups.items()
    ]
