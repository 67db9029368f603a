"""What somebody made by hand, with sums that are right, is refused before anything shows it."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from app.runs.file import RunFileError, read_run
from app.runs.record import RunFault
from tests.app.runs.editing import fault_of, rewrite, rewrite_field
from tests.app.runs.making import MS


@pytest.mark.parametrize(
    "marks",
    [
        {},
        [7],
        [{"kind": "no such thing", "t_ns": 1, "detail": []}],
        [{"kind": "stop", "t_ns": 1.5, "detail": []}],
        [{"kind": "stop", "t_ns": 1, "detail": [[]]}],
        [{"kind": "stop", "t_ns": 1}],
        [{"kind": "stop", "t_ns": 1 << 61, "detail": []}],
        [{"kind": "garbage_collection", "t_ns": 1, "detail": [float("inf"), 2]}],
        [{"kind": "suspended", "t_ns": 1, "detail": [float("nan")]}],
        [{"kind": "clock_jumped", "t_ns": 1, "detail": [-1e308]}],
        [{"kind": "samples_missing", "t_ns": 1, "detail": [1 << 62]}],
        [{"kind": "samples_missing", "t_ns": 1, "detail": ["soon"]}],
        [{"kind": "suspended", "t_ns": 1, "detail": ["long"]}],
        [{"kind": "context_dropped", "t_ns": 1, "detail": [1 << 31]}],
        [{"kind": "context_dropped", "t_ns": 1, "detail": ["some"]}],
    ],
)
def test_marks_that_are_none_are_refused(path: Path, marks: object) -> None:
    rewrite_field(path, "marks", value=marks)
    assert fault_of(path) is RunFault.DAMAGED


@pytest.mark.parametrize(
    "cells",
    [
        {},
        [7],
        [["user", 1]],
        [["no such kind", 1, 5]],
        [["user", -1, 5]],
        [["user", 1, 5], ["answer", 1, 5]],
        [["user", 1, 101]],
        [["user", 1, 1.5]],
        [["user", 1, n] for n in range(1, 66)],
    ],
)
def test_cells_that_are_none_are_refused(path: Path, cells: object) -> None:
    rewrite_field(path, "prompt_cells", value=cells)
    assert fault_of(path) is RunFault.DAMAGED


def test_what_holds_the_wrong_things_is_refused(path: Path) -> None:
    rewrite(
        path,
        name="run.json",
        change=lambda text: text.replace(b'"created_ms": ', b'"created_ms": null, "x": '),
        with_sums=True,
    )
    assert fault_of(path) is RunFault.DAMAGED


def test_what_unpacks_to_more_than_a_run_is_refused(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            if name != "samples.npy":
                archive.writestr(name, content)
        with archive.open("samples.npy", "w", force_zip64=True) as bomb:
            for _ in range(257):
                bomb.write(bytes(1 << 20))
    assert fault_of(path) is RunFault.NOT_A_RUN


@pytest.mark.parametrize(
    ("names", "value"),
    [
        (("created_ms",), 10**30),
        (("created_ms",), -1),
        (("created_ms",), 10**18),
        (("label",), "\ud800"),
        (("n_prompt_tokens",), 10**30),
        (("model", "quantization"), 5),
        (("model", "n_layers"), "thirty"),
        (("engine", "device"), ["CPU"]),
        (("engine", "n_ctx"), True),
        (("engine", "n_gpu_layers"), None),
        (("kv", "reserved_bytes"), 1 << 70),
        (("memory", "weights_bytes"), "many"),
        (("memory", "on_gpu"), 1),
        (("options", "n_ctx"), 1.5),
        (("stamps", "t_start_ns"), "now"),
        (("stamps", "t_start_ns"), -(1 << 62)),
        (("felt_ttft_ns",), 1 << 62),
        (("load_span_ns",), [0, 1 << 62]),
        (("suspended_t_ns",), [1 << 62]),
        (("n_prompt_tokens",), 1 << 31),
        (("n_dropped_messages",), 1 << 31),
        (("engine", "n_ctx"), 1 << 31),
        (("kv", "reserved_tokens"), 1 << 31),
        (("machine",), {"cpu": "\ud800"}),
        (("machine",), {"cpu": 5}),
        (("machine",), {"memory_bytes": float("inf")}),
        (("request", "inspect"), "yes"),
        (("request", "sampling", "temperature"), "warm"),
        (("sample_constants", "n_cores"), 10**30),
    ],
)
def test_a_value_of_a_wrong_kind_is_refused(
    path: Path, names: tuple[str, ...], value: object
) -> None:
    rewrite_field(path, *names, value=value)
    assert fault_of(path) is RunFault.DAMAGED


@pytest.mark.parametrize(
    ("stamp", "t_ms"),
    [
        ("t_start_ns", -1),
        ("t_start_ns", 16),
        ("t_prompt_ready_ns", 9),
        ("t_prompt_ready_ns", 66),
        ("t_prefill_end_ns", 114),
        ("t_prefill_end_ns", 118),
        ("t_end_ns", 316),
    ],
)
def test_what_ends_before_it_begins_is_refused(path: Path, stamp: str, t_ms: int) -> None:
    rewrite_field(path, "stamps", stamp, value=t_ms * MS)
    assert fault_of(path) is RunFault.DAMAGED


@pytest.mark.parametrize(("name", "value"), [("n_cached_tokens", 101), ("n_prompt_tokens", 99)])
def test_more_of_the_prompt_than_there_is_is_refused(path: Path, name: str, value: int) -> None:
    rewrite_field(path, name, value=value)
    assert fault_of(path) is RunFault.DAMAGED


def test_a_number_that_only_overflows_when_it_is_read_is_refused(path: Path) -> None:
    rewrite(
        path,
        name="run.json",
        change=lambda text: text.replace(b'"temperature": 0.25', b'"temperature": 1e999'),
        with_sums=True,
    )
    assert fault_of(path) is RunFault.DAMAGED


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("steps.npy", (0, 3), 1 << 62),
        ("steps.npy", (1, 3), 1 << 62),
        ("steps.npy", (1, 3), -1),
        ("steps.npy", (1, slice(None)), 1_000_000_000),
        ("prefill.npy", (0, 1), -(1 << 63)),
        ("prefill.npy", (1, 1), 1 << 31),
        ("samples.npy", (0, 1), np.inf),
        ("samples.npy", (0, 1), np.nan),
        ("samples.npy", (1, 1), -np.inf),
        ("samples.npy", (2, 0), 1e300),
    ],
)
def test_a_figure_that_nothing_can_be_is_refused(
    path: Path, name: str, place: tuple[int, int | slice], value: float
) -> None:
    def change(content: bytes) -> bytes:
        rows = np.load(io.BytesIO(content))
        rows[place] = value
        buffer = io.BytesIO()
        np.save(buffer, rows)
        return buffer.getvalue()

    rewrite(path, name=name, change=change, with_sums=True)
    assert fault_of(path) is RunFault.DAMAGED


def test_a_broken_member_of_another_compression_is_refused(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        info = archive.getinfo("steps.npy")
    whole = bytearray(path.read_bytes())
    # After the header of the member, and that of LZMA: version, length and properties.
    begin = info.header_offset + 30 + len(info.filename)
    whole[begin + 4 : begin + info.compress_size] = b"\xff" * (info.compress_size - 4)
    path.write_bytes(whole)
    with pytest.raises(RunFileError, match="LZMAError") as raised:
        read_run(path)
    assert raised.value.fault is RunFault.DAMAGED
