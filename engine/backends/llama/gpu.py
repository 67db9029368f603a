"""How many layers go to a GPU, and what is said where fewer do than could."""

from dataclasses import dataclass
from typing import Any

from engine.backends.llama import memory_need, native
from engine.context_size import wanted_context
from engine.gguf import GgufHeader
from engine.machine import nvidia_gpu_names
from engine.values import LoadOptions, Notice, NoticeCode

# The library's own use of a GPU, and what others take between the look and the load.
_SPARE_BYTES = 512 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Offload:
    """Layers to put on GPUs, the name of what computes, and what to tell.

    The output layer counts as one more, and goes first.
    """

    n_layers: int
    device: str
    notices: tuple[Notice, ...] = ()


def choose(
    llama: Any,  # noqa: ANN401
    options: LoadOptions,
    header: GgufHeader,
    weights_bytes: int,
) -> Offload:
    """Offload what was asked for, else everything that fits with its part of the KV cache.

    `weights_bytes` are those of every file of the model; `header` is of the first.
    """
    n_layers = (header.integer("block_count") or 0) + 1
    devices = native.gpus(llama)
    if not devices:
        # A GPU that nothing here can use is the one thing a person would not expect.
        names = nvidia_gpu_names() if options.n_gpu_layers != 0 else ()
        wanted = names or ((options.n_gpu_layers or 0) > 0)
        notices = (
            (Notice(code=NoticeCode.GPU_NOT_IN_BUILD, details=(("gpu", ", ".join(names)),)),)
            if wanted
            else ()
        )
        return Offload(n_layers=0, device="CPU", notices=notices)
    asked = n_layers if options.n_gpu_layers is None else min(options.n_gpu_layers, n_layers)
    if asked == 0:
        return Offload(n_layers=0, device="CPU")
    device = ", ".join(gpu.description for gpu in devices)
    n_ctx = wanted_context(options, header.integer("context_length") or 0)
    scratch = memory_need.scratch_bytes(options, header, n_ctx, options.flash_attention)
    free = sum(gpu.free_bytes for gpu in devices) - (_SPARE_BYTES + scratch) * len(devices)
    cache_bytes = memory_need.most_cache_bytes(options, header, n_ctx)
    per_layer = max((weights_bytes + cache_bytes) // n_layers, 1)
    fitting = max(min(free // per_layer, asked), 0)
    if options.n_gpu_layers is not None or fitting == asked:
        return Offload(n_layers=asked, device=device)
    notice = Notice(
        code=NoticeCode.GPU_LAYERS_REDUCED,
        details=(("n_gpu_layers", fitting), ("n_layers", n_layers)),
    )
    return Offload(
        n_layers=fitting,
        device=device if fitting else "CPU",
        notices=(notice,),
    )
