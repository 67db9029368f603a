"""Which weights lie in a mapped file: memory holds these only once they were read."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

_SUFFIX = ".safetensors"


def mapped_bytes(tensors: Iterable[Any], maps: Path = Path("/proc/self/maps")) -> int:
    """Bytes of the tensors that are in mapped safetensors files; 0 where a system does not tell.

    A format that is computed in as it is stored stays in its file on a CPU.
    """
    try:
        lines = maps.read_text(errors="replace").splitlines()
    except OSError:
        return 0
    areas = []
    for line in lines:
        if line.endswith(_SUFFIX):
            begin, _, end = line.partition(" ")[0].partition("-")
            areas.append((int(begin, 16), int(end, 16)))
    areas.sort()
    found = 0
    for tensor in tensors:
        place = bisect_right(areas, (tensor.data_ptr(), 1 << 64)) - 1
        if place >= 0 and tensor.data_ptr() < areas[place][1]:
            found += int(tensor.nbytes)
    return found
