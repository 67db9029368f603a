"""Energy of the CPU packages, from the counters (RAPL) that Linux shows under powercap.

The counters are of the whole package: cores, caches and memory controller, and whatever runs on
them. Most systems let only root read them.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engine.samples import CpuEnergyAbsence

POWERCAP = Path("/sys/class/powercap")

_UJ_PER_MJ = 1000
# No package draws more; what counts faster was set back, and did not wrap around. A counter that
# nobody looked at for as long as its range lasts at this power may have wrapped around unseen.
_MOST_W = 2000
_RETRY_NS = 10_000_000_000


@dataclass(slots=True)
class _Package:
    """One counter, in microjoules; it starts again at 0 after `range_uj`."""

    file: Path
    range_uj: int
    last_uj: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuEnergy:
    """What all packages took; None where it is not known.

    Attributes:
        energy_mj: Since the first reading, millijoules.
        power_mw: Mean since the reading before, milliwatts.
    """

    energy_mj: int | None = None
    power_mw: int | None = None


class RaplSensors:
    """Reads the counter of every package. All calls come from one thread.

    Raises OSError nowhere: a counter that cannot be read is absent, and looked for again later.
    """

    def __init__(
        self, root: Path = POWERCAP, clock_ns: Callable[[], int] = time.perf_counter_ns
    ) -> None:
        """Read nothing yet; `root` has a folder for each counter."""
        self._root = root
        self._clock_ns = clock_ns
        self._packages: list[_Package] = []
        self._absence: CpuEnergyAbsence | None = CpuEnergyAbsence.NO_COUNTER
        self._retry_ns: int | None = None
        self._total_uj = 0
        self._last_ns: int | None = None

    @property
    def absence(self) -> CpuEnergyAbsence | None:
        """Why there is no energy; None where there is."""
        return self._absence

    def read(self) -> CpuEnergy:
        """The counters now.

        Unknown once after one went backwards, other than by wrapping around, and after so long
        without a reading that it may have wrapped around more often than is seen.
        What was taken meanwhile is lost, so the sum is not comparable over the unknown reading.
        """
        now_ns = self._clock_ns()
        if not self._packages:
            if self._retry_ns is not None and now_ns < self._retry_ns:
                return CpuEnergy()
            self._retry_ns = now_ns + _RETRY_NS
            self._find()
        try:
            values_uj = [int(package.file.read_text()) for package in self._packages]
        except PermissionError:
            return self._lose(CpuEnergyAbsence.NOT_ALLOWED)
        except (OSError, ValueError):
            return self._lose(CpuEnergyAbsence.FAILED)
        if not values_uj:
            return CpuEnergy()
        self._absence = None
        return self._advance(values_uj, now_ns)

    def skip(self) -> None:
        """Leave out what was taken since the last reading: over a sleep no clock tells its power.

        A package may count on while the machine sleeps, and most clocks of a program do not.
        """
        self._last_ns = None

    def _find(self) -> None:
        """The packages that are there. The same package may be listed by two drivers."""
        self._absence = CpuEnergyAbsence.NO_COUNTER
        found: dict[str, _Package] = {}
        try:
            # "intel-rapl:0" is a package, also of AMD; "intel-rapl:0:0" is a part of it.
            for folder in sorted(self._root.glob("intel-rapl:*")):
                if folder.name.count(":") != 1:
                    continue
                name = (folder / "name").read_text().strip()
                if name.startswith("package"):
                    range_uj = int((folder / "max_energy_range_uj").read_text())
                    found.setdefault(name, _Package(folder / "energy_uj", range_uj))
        except (OSError, ValueError):
            self._absence = CpuEnergyAbsence.FAILED
            return
        self._packages = list(found.values())

    def _advance(self, values_uj: list[int], now_ns: int) -> CpuEnergy:
        elapsed_s = None if self._last_ns is None else (now_ns - self._last_ns) / 1e9
        self._last_ns = now_ns
        passed_uj = 0
        is_broken = False
        for package, value_uj in zip(self._packages, values_uj, strict=True):
            last_uj, package.last_uj = package.last_uj, value_uj
            if last_uj is None or elapsed_s is None:
                continue
            step_uj = value_uj - last_uj
            if step_uj < 0:
                step_uj += package.range_uj + 1
            most_uj = _MOST_W * 1e6 * elapsed_s
            is_broken = is_broken or not 0 <= step_uj <= most_uj <= package.range_uj
            passed_uj += step_uj
        if is_broken:
            return CpuEnergy()
        self._total_uj += passed_uj
        power_mw = round(passed_uj / elapsed_s / _UJ_PER_MJ) if elapsed_s else None
        return CpuEnergy(energy_mj=self._total_uj // _UJ_PER_MJ, power_mw=power_mw)

    def _lose(self, absence: CpuEnergyAbsence) -> CpuEnergy:
        self._absence = absence
        self._packages = []
        self._last_ns = None
        return CpuEnergy()
