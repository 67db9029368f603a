"""How often the CPU slowed itself down because of heat, where Linux counts it (Intel)."""

from pathlib import Path

_FOLDER = Path("/sys/devices/system/cpu")


class CpuThrottle:
    """Reads one counter a package. One thread at a time."""

    def __init__(self, folder: Path = _FOLDER) -> None:
        """Look for counters once; `folder` has one folder a logical core."""
        by_package: dict[str, Path] = {}
        for path in sorted(folder.glob("cpu[0-9]*/thermal_throttle/package_throttle_count")):
            package = _text(path.parents[1] / "topology" / "physical_package_id")
            by_package.setdefault(package or "", path)
        self._paths = tuple(by_package.values())

    def count(self) -> int | None:
        """Times since the machine started, of all packages; None where nobody counts."""
        counts = [text for path in self._paths if (text := _text(path)) is not None]
        if not counts or not all(text.isdecimal() for text in counts):
            return None
        return sum(map(int, counts))


def _text(path: Path) -> str | None:
    try:
        return path.read_text("ascii", "replace").strip()
    except OSError:
        return None
