"""What engines and devices are called: names that no language changes."""

import re

from app.model_choice import LLAMA, TORCH

_MAKER = re.compile(r"^(NVIDIA|AMD|Intel(\(R\))?) (GeForce )?")
_SIZE = re.compile(r"([- ]\d+ ?GB.*| Laptop GPU| Graphics)$")
_TITLES = {LLAMA: "llama.cpp", TORCH: "PyTorch"}


def engine_title(backend: str) -> str:
    """The name of an engine."""
    return _TITLES.get(backend, backend)


def short_device(device: str) -> str:
    """A device without its maker and its size, where there is little room: "RTX 4090", "CPU"."""
    return _MAKER.sub("", _SIZE.sub("", device))
