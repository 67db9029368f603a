"""The count of a CPU that was too hot is read once a package, and is unknown elsewhere."""

from pathlib import Path

from engine.cpu_throttle import CpuThrottle


def make_core(folder: Path, core: int, *, package: int, count: str) -> None:
    of_core = folder / f"cpu{core}"
    (of_core / "thermal_throttle").mkdir(parents=True)
    (of_core / "topology").mkdir()
    (of_core / "topology" / "physical_package_id").write_text(f"{package}\n")
    (of_core / "thermal_throttle" / "package_throttle_count").write_text(f"{count}\n")


def test_cores_of_one_package_share_its_count(tmp_path: Path) -> None:
    for core in range(4):
        make_core(tmp_path, core, package=core // 2, count=str(10 * (1 + core // 2)))
    (tmp_path / "cpufreq").mkdir()
    assert CpuThrottle(tmp_path).count() == 30


def test_where_nobody_counts_it_is_unknown(tmp_path: Path) -> None:
    assert CpuThrottle(tmp_path).count() is None
    assert CpuThrottle(tmp_path / "nowhere").count() is None


def test_what_is_no_number_and_what_vanishes_is_unknown(tmp_path: Path) -> None:
    make_core(tmp_path, 0, package=0, count="many")
    throttle = CpuThrottle(tmp_path)
    assert throttle.count() is None
    (tmp_path / "cpu0" / "thermal_throttle" / "package_throttle_count").unlink()
    assert throttle.count() is None
