"""What devices are called where there is little room."""

import re

_MAKER = re.compile(r"^(NVIDIA|AMD|Intel(\(R\))?) (GeForce )?")
_SIZE = re.compile(r"([- ]\d+ ?GB.*| Laptop GPU| Graphics)$")


def short_device(device: str) -> str:
    """A device without its maker and its size, where there is little room: "RTX 4090", "CPU"."""
    return _MAKER.sub("", _SIZE.sub("", device))
