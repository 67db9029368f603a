"""Where prefill and decode of an answer fall under the ceilings of the device that ran it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.ceilings.values import Ceilings, compute_format
from engine.events import Loaded
from engine.figures import Figures

if TYPE_CHECKING:
    from app.telemetry import TelemetryStore

_FLOP_PER_WEIGHT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One phase of an answer.

    Attributes:
        flop_per_byte: Operations for each byte of weights and KV cache that is read.
        flop_per_s: Operations each second, as measured.
        limit_flop_per_s: What memory allows decode, and the nearer of the two ceilings prefill, at
            that intensity.
        share: `flop_per_s / limit_flop_per_s`.
        is_memory_limited: Whether that limit is the one of memory.
        rate_tok_per_s: The same as `flop_per_s`, in tokens.
    """

    flop_per_byte: float
    flop_per_s: float
    limit_flop_per_s: float
    share: float
    is_memory_limited: bool
    rate_tok_per_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Roofline:
    """The roof of a device, and both phases under it; a phase is None while it is not known.

    `number_format` and `matrix_flop_per_s` are None where no matrix rate was measured.
    """

    ceilings: Ceilings
    number_format: str | None
    matrix_flop_per_s: float | None
    prefill: Point | None
    decode: Point | None


def roofline_of(store: "TelemetryStore") -> Roofline | None:
    """The last turn under the ceilings of its device; None where those were not measured.

    Without a turn, the ceilings alone, of the device that the model is loaded on.
    """
    turn = store.turn
    loaded = store.loaded if turn is None or turn.loaded is None else turn.loaded
    if loaded is None or store.ceilings is None:
        return None
    known = store.ceilings.of_device(loaded.engine.device)
    figures = None if turn is None else turn.figures
    return None if known is None else roofline(loaded, known, figures)


def roofline(loaded: Loaded, ceilings: Ceilings, figures: Figures | None) -> Roofline:
    """Place an answer under the ceilings.

    Decode reads, for each token, the weights of a step and the KV cache as full as it was in the
    middle of the answer. Prefill reads the weights once for each micro-batch. Both count two
    operations for each weight; those of attention are left out, so that both lie a little low.
    Under ceilings that other work made too low neither has a place, and none where the machine
    and a GPU share the layers: the ceilings are of one of them.
    """
    engine = loaded.engine
    if ceilings.is_disturbed or (engine.n_gpu_layers and loaded.memory.host_kv_bytes):
        figures = None
    wanted = compute_format(engine.backend, loaded.model.quantization, engine.dtype)
    matrix = ceilings.matrix_rate(wanted)
    peak = None if matrix is None else matrix[1]
    return Roofline(
        ceilings=ceilings,
        number_format=None if matrix is None else matrix[0],
        matrix_flop_per_s=peak,
        prefill=_prefill(loaded, ceilings, peak, figures),
        decode=_decode(loaded, ceilings, figures),
    )


def decode_read_bytes(loaded: Loaded, figures: Figures) -> float | None:
    """Bytes that a decode step reads, in the middle of the answer; None where not known."""
    cost, n_prompt, n_output = (
        loaded.model.step_cost,
        figures.n_prompt_tokens,
        figures.n_output_tokens,
    )
    if cost is None or n_prompt is None:
        return None
    return cost.read_bytes + loaded.kv.used_bytes(n_prompt + (n_output or 0) // 2)


def _decode(loaded: Loaded, ceilings: Ceilings, figures: Figures | None) -> Point | None:
    cost = loaded.model.step_cost
    if figures is None or cost is None or figures.decode_rate_tok_per_s is None:
        return None
    read_bytes = decode_read_bytes(loaded, figures)
    # The output matrix works at every step, and is in what is read.
    flop_per_token = _FLOP_PER_WEIGHT * cost.n_step_multiplied
    if not read_bytes or not flop_per_token:
        return None
    # The limit of decode is what memory allows, by its definition.
    return _point(
        flop_per_token, flop_per_token / read_bytes, figures.decode_rate_tok_per_s, ceilings, None
    )


def _prefill(
    loaded: Loaded, ceilings: Ceilings, peak: float | None, figures: Figures | None
) -> Point | None:
    cost = loaded.model.step_cost
    if figures is None or cost is None or figures.prefill_rate_tok_per_s is None:
        return None
    n_fresh = (figures.n_prompt_tokens or 0) - (figures.n_cached_tokens or 0)
    at_once = min(n_fresh, loaded.engine.n_ubatch)
    flop_per_token = _FLOP_PER_WEIGHT * cost.n_multiplied
    if at_once < 1 or not cost.read_bytes or not flop_per_token:
        return None
    intensity = flop_per_token * at_once / cost.read_bytes
    return _point(flop_per_token, intensity, figures.prefill_rate_tok_per_s, ceilings, peak)


def _point(
    flop_per_token: float,
    flop_per_byte: float,
    rate_tok_per_s: float,
    ceilings: Ceilings,
    peak: float | None,
) -> Point:
    memory_limit = flop_per_byte * ceilings.read_bytes_per_s
    limit = memory_limit if peak is None else min(memory_limit, peak)
    flop_per_s = rate_tok_per_s * flop_per_token
    return Point(
        flop_per_byte=flop_per_byte,
        flop_per_s=flop_per_s,
        limit_flop_per_s=limit,
        share=flop_per_s / limit,
        is_memory_limited=limit == memory_limit,
        rate_tok_per_s=rate_tok_per_s,
    )
