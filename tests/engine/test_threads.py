"""The choice of thread counts."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.machine import Cores, available_memory_bytes, cpu_name, usable_cores
from engine.threads import (
    FULL_MACHINE_MARGIN,
    ThreadCache,
    ThreadChoice,
    ThreadKey,
    choose_decode,
    decode_candidates,
    measure_decode,
    prefill_threads,
)

_KEY = ThreadKey(
    cpu="Some CPU",
    physical=4,
    logical=8,
    library="1.0",
    architecture="llama",
    model_bytes=1000,
    quantization="Q4_0",
    kv_type="f16",
    flash_attention=True,
    n_gpu_layers=0,
)
_CHOICE = ThreadChoice(decode=3, prefill=4)


@pytest.mark.parametrize(
    ("physical", "ladder"),
    [(1, (1,)), (2, (1, 2)), (4, (2, 3, 4)), (8, (4, 6, 7, 8)), (64, (16, 32, 48, 63, 64))],
)
def test_the_ladder_is_short(physical: int, ladder: tuple[int, ...]) -> None:
    assert decode_candidates(Cores(physical=physical, logical=2 * physical)) == ladder


def test_the_fastest_count_is_chosen() -> None:
    cores = Cores(physical=8, logical=16)
    assert choose_decode({4: 10.0, 6: 8.0, 7: 9.0, 8: 7.9}, cores) == 6
    assert choose_decode({1: 5.0}, Cores(physical=1, logical=1)) == 1


def test_all_cores_must_win_clearly() -> None:
    cores = Cores(physical=2, logical=2)
    assert choose_decode({1: 10.0, 2: 10.0 / FULL_MACHINE_MARGIN + 0.1}, cores) == 1
    assert choose_decode({1: 10.0, 2: 10.0 / FULL_MACHINE_MARGIN - 0.1}, cores) == 2


def test_more_threads_for_next_to_nothing_are_not_taken() -> None:
    assert choose_decode({4: 10.0, 6: 9.9, 7: 9.8, 8: 9.7}, Cores(physical=8, logical=8)) == 4


def test_prefill_takes_every_physical_core() -> None:
    assert prefill_threads(Cores(physical=6, logical=12)) == 6


def test_counts_take_turns_and_a_stop_is_heard() -> None:
    asked: list[int] = []

    def step(count: int) -> bool:
        asked.append(count)
        return len(asked) < 14

    assert measure_decode((1, 2), step) is None
    assert asked[0:2] == [1, 1]
    assert asked[5:7] == [2, 2]
    assert asked[10:12] == [1, 1]


def test_every_count_is_timed_in_steps_of_any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 10**15, 10**9))
    monkeypatch.setattr("engine.threads.time.perf_counter_ns", lambda: next(clock))
    assert measure_decode((1, 2, 4), lambda count: True) == {1: 1e9, 2: 1e9, 4: 1e9}


def test_a_choice_is_kept_for_its_key_only(tmp_path: Path) -> None:
    cache = ThreadCache(tmp_path / "threads")
    assert cache.get(_KEY) is None
    cache.put(_KEY, _CHOICE, {3: 1.0})
    assert cache.get(_KEY) == _CHOICE
    assert cache.get(replace(_KEY, library="1.1")) is None
    assert cache.get(replace(_KEY, flash_attention=False)) is None


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"schema": 1}', '"text"', "[" * 9_999])
def test_a_damaged_choice_counts_as_absent(tmp_path: Path, content: str) -> None:
    cache = ThreadCache(tmp_path)
    cache.put(_KEY, _CHOICE, {})
    (file,) = tmp_path.iterdir()
    file.write_text(content)
    assert cache.get(_KEY) is None
    cache.put(_KEY, _CHOICE, {})
    assert cache.get(_KEY) == _CHOICE


@pytest.mark.parametrize("count", [0, 9, -1, "3", 2.5, None, True])
def test_a_count_that_does_not_fit_the_machine_is_not_used(tmp_path: Path, count: object) -> None:
    cache = ThreadCache(tmp_path)
    cache.put(_KEY, _CHOICE, {})
    (file,) = tmp_path.iterdir()
    file.write_text(json.dumps(json.loads(file.read_text()) | {"decode": count}))
    assert cache.get(_KEY) is None


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        ThreadCache(tmp_path / "file" / "sub").put(_KEY, _CHOICE, {})


def test_this_machine_has_cores_and_memory() -> None:
    cores = usable_cores()
    assert 1 <= cores.physical <= cores.logical
    assert available_memory_bytes() > 0
    assert cpu_name()
