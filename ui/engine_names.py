"""What engines and devices are called: names that no language changes."""

import re

from app.model_choice import LLAMA, TORCH

_TITLES = {LLAMA: "llama.cpp", TORCH: "PyTorch"}


def engine_title(backend: str) -> str:
    """The name of an engine."""
    return _TITLES.get(backend, backend)


def short_device(device: str) -> str:
    """A device without its maker, where there is little room: "RTX 4090", "H200", "CPU"."""
    return re.sub(r"^(NVIDIA|AMD|Intel(\(R\))?) (GeForce )?", "", device)
