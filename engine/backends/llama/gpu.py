"""How many layers go to a GPU, and what is said where fewer do than could."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.backends.llama import native
from engine.gguf import GgufHeader
from engine.values import LoadOptions, Notice, NoticeCode

_DRIVER = Path("/proc/driver/nvidia/gpus")
# The library's own use of a GPU, and what others take between the look and the load.
_SPARE_BYTES = 512 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Offload:
    """Layers to put on GPUs, the name of what computes, and what the person should know."""

    n_layers: int
    device: str
    notices: tuple[Notice, ...] = ()


def choose(llama: Any, options: LoadOptions, header: GgufHeader) -> Offload:  # noqa: ANN401
    """Offload what was asked for, else everything that fits."""
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
    n_layers = (header.integer("block_count") or 0) + 1
    asked = n_layers if options.n_gpu_layers is None else min(options.n_gpu_layers, n_layers)
    if asked == 0:
        return Offload(n_layers=0, device="CPU")
    device = ", ".join(gpu.description for gpu in devices)
    free = sum(gpu.free_bytes for gpu in devices) - _SPARE_BYTES * len(devices)
    per_layer = max(header.tensor_bytes // n_layers, 1)
    fitting = max(min(free // per_layer, asked), 0)
    if options.n_gpu_layers is not None or fitting == asked:
        return Offload(n_layers=asked, device=device)
    notice = Notice(
        code=NoticeCode.GPU_LAYERS_REDUCED,
        details=(("n_gpu_layers", fitting), ("n_layers", n_layers)),
    )
    return Offload(n_layers=fitting, device=device if fitting else "CPU", notices=(notice,))


def nvidia_gpu_names(driver: Path = _DRIVER) -> tuple[str, ...]:
    """Names of the GPUs that the kernel driver lists; none where it lists nothing.

    NVML would say more, and can crash, which a model must not die of.
    """
    names = []
    try:
        for folder in sorted(driver.iterdir()):
            text = (folder / "information").read_text(encoding="utf-8", errors="replace")
            if match := re.search(r"^Model:\s*(.+)$", text, re.MULTILINE):
                names.append(match[1].strip())
    except OSError:
        return tuple(names)
    return tuple(names)
