"""What the driver says of a process, and what it does not say."""

from __future__ import annotations

import pytest

from tests.engine.fake_nvml import UNKNOWN, FakeNvml
from tests.gpu.driver import process_bytes

MIB = 1 << 20


def test_memory_of_a_process_is_summed_over_all_gpus() -> None:
    nvml = FakeNvml(n_devices=2)
    assert process_bytes(42, lambda: nvml) == 1400 * MIB
    assert nvml.n_open == 0


def test_a_process_that_is_not_listed_may_hold_memory_all_the_same() -> None:
    assert process_bytes(43, lambda: FakeNvml()) is None


@pytest.mark.parametrize("call", ["nvmlInit", "nvmlDeviceGetComputeRunningProcesses"])
def test_what_the_driver_refuses_is_unknown(call: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert process_bytes(42, lambda: FakeNvml({call: UNKNOWN})) is None
    assert "NVML error 999" in capsys.readouterr().out


def test_without_nvml_nothing_is_known() -> None:
    def load() -> object:
        raise ImportError("no pynvml")

    assert process_bytes(42, load) is None


def test_the_driver_is_let_go_of_after_a_fault() -> None:
    nvml = FakeNvml({"nvmlDeviceGetCount": UNKNOWN})
    assert process_bytes(42, lambda: nvml) is None
    assert nvml.n_open == 0
