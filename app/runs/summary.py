"""The figures of a recorded run, computed as those of a live answer are."""

import numpy as np

from app.energy import Energy, EnergySource, answer_energies
from app.runs.record import RunRecord, RunSummary, SampleTrack
from app.sample_history import sample_history
from app.sample_row import SAMPLE_COLUMNS
from app.series import History


def history_of(samples: SampleTrack) -> History:
    """The samples of a run, by second of its clock."""
    n_rows = len(samples.t_ns)
    history = sample_history(max(1, n_rows))
    values = np.array(samples.values).reshape(n_rows, len(SAMPLE_COLUMNS))
    history.append(
        np.array(samples.t_ns) / 1e9,
        **{name: values[:, index] for index, name in enumerate(SAMPLE_COLUMNS)},
    )
    return history


def energies_of(record: RunRecord) -> tuple[Energy, ...]:
    """Energy from start to last token, by device; the one that computed first."""
    trace, loaded = record.trace, record.loaded
    if loaded is None or trace.t_start_ns is None or trace.t_last_ns is None:
        return ()
    if not len(record.samples.t_ns):
        return ()
    return answer_energies(
        history_of(record.samples),
        trace.t_start_ns / 1e9,
        trace.t_last_ns / 1e9,
        trace.n_output_tokens,
        used_gpu=loaded.engine.n_gpu_layers > 0,
    )


def computing_energy(record: RunRecord) -> Energy | None:
    """Energy of the device that computed; None where it has no counter that reaches over it.

    Where layers of the model were on a GPU that is the GPU: the CPU alone would mislead.
    """
    loaded = record.loaded
    wanted = EnergySource.GPU if loaded and loaded.engine.n_gpu_layers > 0 else EnergySource.CPU
    return next((found for found in energies_of(record) if found.source is wanted), None)


def summary_of(record: RunRecord, name: str, n_bytes: int) -> RunSummary:
    """What a list shows of `record`, which is in a file of `n_bytes` called `name`."""
    trace, loaded = record.trace, record.loaded
    figures = trace.figures()
    reason = trace.finish_reason
    energy = computing_energy(record)
    return RunSummary(
        name=name,
        n_bytes=n_bytes,
        created_ms=record.created_ms,
        label=record.label,
        model=record.model_name,
        quantization="" if loaded is None else loaded.model.quantization or "",
        engine="" if loaded is None else loaded.engine.backend,
        device="" if loaded is None else loaded.engine.device,
        is_inspected=record.request.get("inspect") is True,
        outcome=reason.value if reason is not None else "failed",
        n_prompt_tokens=figures.n_prompt_tokens,
        n_cached_tokens=figures.n_cached_tokens,
        n_output_tokens=figures.n_output_tokens,
        ttft_ns=figures.ttft_ns,
        prefill_rate_tok_per_s=figures.prefill_rate_tok_per_s,
        decode_rate_tok_per_s=figures.decode_rate_tok_per_s,
        itl_p50_ns=figures.itl_p50_ns,
        itl_p95_ns=figures.itl_p95_ns,
        energy_per_token_mj=None if energy is None else energy.per_token_mj,
        energy_mj=None if energy is None else energy.total_mj,
        energy_source="" if energy is None else energy.source.value,
    )
