"""Whether a model and its context fit into memory, before anything is allocated."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.backends.llama.flash import scores_bytes
from engine.backends.llama.kv_layout import LayerBytes, padded, reserved_bytes
from engine.context_size import fitting_context, not_enough, wanted_context
from engine.gguf import GgufHeader
from engine.gguf_types import row_bytes
from engine.machine import available_memory_bytes
from engine.values import FlashAttention, LoadOptions, MemoryUse

# The process itself, the tokenizer and the library.
_PROCESS_BYTES = 150 << 20
_BLOCK = re.compile(r"blk\.(\d+)\.")
_INPUT_TENSORS = ("token_embd", "token_types", "position_embd", "per_layer_token_embd")


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextChoice:
    """The context to make, what was wanted where that is more, and its flash attention.

    `kv_bytes` and `scratch_bytes` are what it is expected to take; None where that is not known.
    """

    n_ctx: int
    wanted: int
    flash: FlashAttention
    kv_bytes: int | None
    scratch_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Where a loaded model is.

    Attributes:
        host_weights_bytes: Weights that are still to be read into host memory: those of a mapped
            file, which count as free until they are.
        gpu_ratio: Share of the blocks that is on GPUs, 0 to 1.
        gpu_free_bytes: What is left on the GPUs.
    """

    host_weights_bytes: int
    gpu_ratio: float = 0.0
    gpu_free_bytes: int = 0


@dataclass(frozen=True, slots=True)
class WeightsPlace:
    """Bytes of all weights as they will lie, and those of them in the machine's own memory."""

    all_bytes: int
    host_bytes: int


def check_weights(weights_bytes: int) -> None:
    """Raise NOT_ENOUGH_MEMORY if the tensors in host memory alone are larger than what is free."""
    have = available_memory_bytes()
    if weights_bytes + _PROCESS_BYTES > have:
        raise not_enough(weights_bytes + _PROCESS_BYTES, have)


def choose_context(
    options: LoadOptions,
    header: GgufHeader,
    layers: LayerBytes | None,
    placement: Placement,
    *,
    n_ctx_train: int,
    sliding_window: int,
    resolve_flash: Callable[[int], FlashAttention],
) -> ContextChoice:
    """The context size: what was asked for, else the default made smaller until it fits.

    `resolve_flash` gives the flash attention for a context size.

    Raises:
        EngineError: NOT_ENOUGH_MEMORY with need_bytes and have_bytes, of the host or of the GPUs.
    """
    wanted = wanted_context(options, n_ctx_train)
    have_host = available_memory_bytes()
    gpu_ratio = placement.gpu_ratio

    def kv_bytes(n_ctx: int) -> int | None:
        if layers is None:
            return None
        n_ubatch = min(options.n_ubatch, options.n_batch, n_ctx)
        grows = reserved_bytes(
            layers, n_ctx=n_ctx, n_ubatch=n_ubatch, sliding_window=sliding_window
        )
        return grows + state_bytes(header)

    def scratch(n_ctx: int) -> int:
        return scratch_bytes(options, header, n_ctx, resolve_flash(n_ctx))

    def missing(n_ctx: int) -> tuple[int, int] | None:
        kv, compute = kv_bytes(n_ctx) or 0, scratch(n_ctx)
        on_gpu = round(kv * gpu_ratio)
        host = placement.host_weights_bytes + kv - on_gpu + (compute if gpu_ratio < 1 else 0)
        if host > have_host:
            return host, have_host
        if gpu_ratio and on_gpu + compute > placement.gpu_free_bytes:
            return on_gpu + compute, placement.gpu_free_bytes
        return None

    n_ctx = fitting_context(options, wanted, missing)
    return ContextChoice(
        n_ctx=n_ctx,
        wanted=wanted,
        flash=resolve_flash(n_ctx),
        kv_bytes=kv_bytes(n_ctx),
        scratch_bytes=scratch(n_ctx),
    )


def kv_heads(header: GgufHeader) -> tuple[int, ...] | None:
    """Key/value heads of each layer: as many as query heads, where the file says no other."""
    n_layers = header.integer("block_count") or 0
    return header.per_layer("attention.head_count_kv", n_layers) or header.per_layer(
        "attention.head_count", n_layers
    )


def state_bytes(header: GgufHeader) -> int:
    """State of recurrent (Mamba) layers, which no context makes larger; 0 without them.

    Source: llama_hparams::n_embd_r and n_embd_s; every number takes four bytes.
    """
    width, state = header.integer("ssm.inner_size"), header.integer("ssm.state_size")
    if width is None or state is None:
        return 0
    n_layers = header.integer("block_count") or 0
    heads = header.per_layer("attention.head_count_kv", n_layers) or (0,) * n_layers
    n_groups = header.integer("ssm.group_count") or 0
    convolution = max((header.integer("ssm.conv_kernel") or 0) - 1, 0)
    return 4 * heads.count(0) * (convolution * (width + 2 * n_groups * state) + state * width)


def place_weights(headers: Sequence[GgufHeader], n_gpu_layers: int) -> WeightsPlace:
    """Where tensors go with so many layers on GPUs: the output first, then the last blocks.

    What looks tokens up stays in the machine's memory; where it is the output matrix as well, a
    GPU gets a copy.
    """
    tensors = [tensor for header in headers for tensor in header.tensors]
    all_bytes = sum(header.tensor_bytes for header in headers)
    if not n_gpu_layers:
        return WeightsPlace(all_bytes, all_bytes)
    first_block = (headers[0].integer("block_count") or 0) + 1 - n_gpu_layers
    host_bytes = copied_bytes = 0
    is_tied = not any(tensor.name == "output.weight" for tensor in tensors)
    for tensor in tensors:
        block = _BLOCK.match(tensor.name)
        is_input = tensor.name.startswith(_INPUT_TENSORS)
        if is_input or (block is not None and int(block[1]) < first_block):
            host_bytes += tensor.n_bytes or 0
        if is_tied and tensor.name == "token_embd.weight":
            copied_bytes += tensor.n_bytes or 0
    return WeightsPlace(all_bytes + copied_bytes, host_bytes)


def predict(
    options: LoadOptions,
    header: GgufHeader,
    weights: WeightsPlace,
    *,
    n_gpu_layers: int,
    resolve_flash: Callable[[int], FlashAttention],
) -> MemoryUse:
    """About what a load takes, by the header alone: as if no layer had a sliding window.

    `resolve_flash` gives the flash attention for a context size.
    """
    n_ctx = wanted_context(options, header.integer("context_length") or 0)
    n_blocks = header.integer("block_count") or 0
    return placed(
        weights,
        most_cache_bytes(options, header, n_ctx) + state_bytes(header),
        scratch_bytes(options, header, n_ctx, resolve_flash(n_ctx)),
        # The output layer has no cache.
        gpu_ratio=min(max(n_gpu_layers - 1, 0) / n_blocks, 1.0) if n_blocks else 0.0,
    )


def placed(
    weights: WeightsPlace, kv_bytes: int | None, scratch_bytes: int, *, gpu_ratio: float
) -> MemoryUse:
    """What a load takes, with a share of the blocks on GPUs; each side computes on its own."""
    is_split = 0 < gpu_ratio < 1
    return MemoryUse(
        weights_bytes=weights.all_bytes,
        kv_bytes=kv_bytes,
        compute_bytes=scratch_bytes * (2 if is_split else 1),
        on_gpu=gpu_ratio > 0,
        host_weights_bytes=weights.host_bytes,
        host_kv_bytes=(kv_bytes or 0) - round((kv_bytes or 0) * gpu_ratio),
        host_compute_bytes=scratch_bytes if gpu_ratio < 1 else 0,
    )


def most_heads(header: GgufHeader) -> int:
    """Query heads, of the layer that has most; 0 for a model without attention."""
    n_layers = header.integer("block_count") or 1
    return max(header.per_layer("attention.head_count", n_layers) or (0,))


def scratch_bytes(
    options: LoadOptions, header: GgufHeader, n_ctx: int, flash: FlashAttention
) -> int:
    """About what the compute buffers of one device take."""
    n_ubatch = min(options.n_ubatch, options.n_batch, n_ctx)
    scores = 0
    if flash is FlashAttention.OFF:
        scores = scores_bytes(n_heads=most_heads(header), n_ctx=n_ctx, n_ubatch=n_ubatch)
    return scores + _compute_bytes(header, n_ctx, n_ubatch)


def most_cache_bytes(options: LoadOptions, header: GgufHeader, n_ctx: int) -> int:
    """Bytes of a KV cache by the header alone, as if no layer had a sliding window."""
    n_layers = header.integer("block_count") or 0
    n_heads = most_heads(header)
    width = (header.integer("embedding_length") or 0) // n_heads if n_heads else 0
    kv_heads = header.per_layer("attention.head_count_kv", n_layers) or (n_heads,) * n_layers
    k_width = header.integer("attention.key_length") or width
    v_width = header.integer("attention.value_length") or width
    kind = options.kv_type.value
    per_token = sum(row_bytes(kind, n * k_width) + row_bytes(kind, n * v_width) for n in kv_heads)
    return per_token * padded(n_ctx)


def _compute_bytes(header: GgufHeader, n_ctx: int, n_ubatch: int) -> int:
    # A few of the widest activations live at once, and the mask covers the context in f16 and f32.
    # Twice what the starter model takes (22 MiB at 8192 x 512): other models are less frugal.
    width = max(header.integer("feed_forward_length") or 0, header.integer("embedding_length") or 0)
    return n_ubatch * (8 * 4 * width + 6 * n_ctx)
