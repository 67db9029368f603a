"""Energy counters of the CPU wrap around, go back, are refused and vanish: never a wrong figure."""

import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from engine.rapl import CpuEnergy, RaplSensors
from engine.samples import CpuEnergyAbsence

_RANGE_UJ = 262_143_328_850
_S = 1_000_000_000


@dataclass
class Machine:
    """A folder of counters as Linux shows them, and the time."""

    root: Path
    now_ns: int = 0
    sensors: RaplSensors = field(init=False)

    def __post_init__(self) -> None:
        self.sensors = RaplSensors(self.root, lambda: self.now_ns)

    def put(self, folder: str, name: str, energy_uj: int | str) -> None:
        path = self.root / folder
        path.mkdir(exist_ok=True)
        (path / "name").write_text(f"{name}\n")
        (path / "max_energy_range_uj").write_text(f"{_RANGE_UJ}\n")
        (path / "energy_uj").write_text(f"{energy_uj}\n")

    def read_at(self, t_s: float, energy_uj: int | None = None) -> CpuEnergy:
        self.now_ns = round(t_s * _S)
        if energy_uj is not None:
            self.put("intel-rapl:0", "package-0", energy_uj)
        return self.sensors.read()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_energy_and_power_since_the_first_reading(machine: Machine) -> None:
    assert machine.read_at(0, 7_000_000) == CpuEnergy(energy_mj=0)
    assert machine.read_at(0.5, 27_000_000) == CpuEnergy(energy_mj=20_000, power_mw=40_000)
    assert machine.read_at(1.5, 37_000_000) == CpuEnergy(energy_mj=30_000, power_mw=10_000)
    assert machine.sensors.absence is None


def test_a_counter_that_wraps_around_goes_on(machine: Machine) -> None:
    machine.read_at(0, _RANGE_UJ - 4_000_000)
    assert machine.read_at(1, 5_999_999) == CpuEnergy(energy_mj=10_000, power_mw=10_000)


@pytest.mark.parametrize("later_uj", [0, 99_000_000])
def test_a_counter_that_goes_back_is_unknown_once(machine: Machine, later_uj: int) -> None:
    machine.read_at(0, 90_000_000)
    assert machine.read_at(1, 100_000_000).energy_mj == 10_000
    assert machine.read_at(2, later_uj) == CpuEnergy()
    assert machine.read_at(3, later_uj + 5_000_000) == CpuEnergy(energy_mj=15_000, power_mw=5_000)


def test_a_pause_in_which_it_may_have_wrapped_unseen_is_unknown(machine: Machine) -> None:
    machine.read_at(0, 0)
    assert machine.read_at(1, 1_000_000).energy_mj == 1_000
    # Four hours at 100 W are 1.44 MJ, which come round five times and leave 129 kJ more.
    later_uj = (1_000_000 + 4 * 3600 * 100_000_000) % (_RANGE_UJ + 1)
    assert machine.read_at(1 + 4 * 3600, later_uj) == CpuEnergy()
    assert machine.read_at(2 + 4 * 3600, later_uj + 1_000_000).power_mw == 1_000


def test_a_pause_that_is_too_short_for_that_counts(machine: Machine) -> None:
    machine.read_at(0, _RANGE_UJ - 1_000_000)
    found = machine.read_at(60, 5_000_000)
    assert found.energy_mj == 6_000
    assert found.power_mw == 100


def test_what_was_taken_over_a_sleep_is_left_out(machine: Machine) -> None:
    machine.read_at(0, 0)
    assert machine.read_at(1, 10_000_000).energy_mj == 10_000
    # Eight hours at 1 W, of which the clock saw a quarter of a second.
    machine.sensors.skip()
    assert machine.read_at(1.25, 10_000_000 + 8 * 3600 * 1_000_000) == CpuEnergy(energy_mj=10_000)
    later_uj = 15_000_000 + 8 * 3600 * 1_000_000
    assert machine.read_at(1.5, later_uj) == CpuEnergy(energy_mj=15_000, power_mw=20_000)


def test_packages_are_added_and_their_parts_and_doubles_left_out(machine: Machine) -> None:
    def put_all(uj: int) -> None:
        machine.put("intel-rapl:0", "package-0", uj)
        machine.put("intel-rapl:0:0", "core", 9 * uj)
        machine.put("intel-rapl:1", "package-1", 2 * uj)
        machine.put("intel-rapl:2", "psys", 5 * uj)
        machine.put("intel-rapl-mmio:0", "package-0", uj)

    put_all(0)
    machine.read_at(0)
    put_all(1_000_000)
    assert machine.read_at(1) == CpuEnergy(energy_mj=3_000, power_mw=3_000)


def test_without_a_counter_the_reason_is_given(machine: Machine) -> None:
    assert machine.read_at(0) == CpuEnergy()
    assert machine.sensors.absence is CpuEnergyAbsence.NO_COUNTER
    absent = RaplSensors(machine.root / "nowhere")
    assert absent.read() == CpuEnergy()
    assert absent.absence is CpuEnergyAbsence.NO_COUNTER


def test_a_counter_that_vanishes_is_looked_for_again(machine: Machine) -> None:
    machine.read_at(0, 0)
    machine.read_at(1, 5_000_000)
    (machine.root / "intel-rapl:0" / "energy_uj").unlink()
    assert machine.read_at(2) == CpuEnergy()
    assert machine.sensors.absence is CpuEnergyAbsence.FAILED
    assert machine.read_at(3, 900_000_000) == CpuEnergy()
    # What was taken meanwhile is not known, and not added.
    assert machine.read_at(11, 900_000_000) == CpuEnergy(energy_mj=5_000)
    assert machine.read_at(12, 901_000_000) == CpuEnergy(energy_mj=6_000, power_mw=1_000)
    assert machine.sensors.absence is None


@pytest.mark.parametrize("text", ["", "nonsense"])
def test_a_counter_that_says_nonsense_is_unknown(machine: Machine, text: str) -> None:
    machine.put("intel-rapl:0", "package-0", text)
    assert machine.sensors.read() == CpuEnergy()
    assert machine.sensors.absence is CpuEnergyAbsence.FAILED


def test_a_counter_for_root_only_is_refused_until_it_is_allowed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.put("intel-rapl:0", "package-0", 0)
    counter = machine.root / "intel-rapl:0" / "energy_uj"
    if os.geteuid() == 0:
        # Nothing is forbidden to root.
        read_text = Path.read_text

        def refuse(path: Path) -> str:
            if path == counter and not counter.stat().st_mode & 0o004:
                raise PermissionError(13, "Permission denied", str(path))
            return read_text(path)

        monkeypatch.setattr(Path, "read_text", refuse)
    counter.chmod(0)
    assert machine.read_at(0) == CpuEnergy()
    assert machine.sensors.absence is CpuEnergyAbsence.NOT_ALLOWED
    counter.chmod(0o444)
    assert machine.read_at(9) == CpuEnergy()
    assert machine.sensors.absence is CpuEnergyAbsence.NOT_ALLOWED
    assert machine.read_at(10) == CpuEnergy(energy_mj=0)
    assert machine.sensors.absence is None
