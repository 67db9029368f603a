"""Decode rate and ITL of a recorded run over time, for plots."""

from dataclasses import dataclass

import numpy as np

from app.rates import RateWindow
from app.runs.record import RunRecord
from app.series import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCurves:
    """One entry an engine step, by seconds since the request was sent. NaN is unknown.

    Attributes:
        t_s: When each step ended.
        rate_tok_per_s: Decode rate over the last second, as the live panels show it.
        itl_ms: Since the step before ended; NaN also where the machine slept in between.
    """

    t_s: FloatArray
    rate_tok_per_s: FloatArray
    itl_ms: FloatArray


def curves_of(record: RunRecord) -> RunCurves:
    """The curves of a run."""
    trace = record.trace
    t_s = (np.array(trace.step_t_ns, np.int64) - trace.t_submit_ns) / 1e9
    rate = RateWindow().extend(trace.step_t_ns, trace.step_n_tokens, trace.suspended_t_ns)
    itl_ns = [None, *trace.itl().interval_ns] if len(t_s) else []
    return RunCurves(
        t_s=t_s,
        rate_tok_per_s=np.array(rate, np.float64),
        itl_ms=np.array(itl_ns, np.float64) / 1e6,
    )


NO_CURVES = RunCurves(t_s=np.empty(0), rate_tok_per_s=np.empty(0), itl_ms=np.empty(0))
"""Of a run that cannot be read."""
