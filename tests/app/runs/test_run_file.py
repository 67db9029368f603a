"""A run is read as it was written, and refused with the reason where it is not."""

import errno
import itertools
import json
import os
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.marks import Mark, MarkKind
from app.runs.export import json_text
from app.runs.file import RunFileError, read_run, relabel, write_run
from app.runs.library import file_name
from app.runs.record import MOST_DATE_MS, RunFault, RunRecord
from app.runs.recorder import RunRecorder
from app.runs.retelling import Items
from app.runs.summary import summary_of
from engine.events import CellKind, CellSpan, Step, Suspended
from engine.samples import Sample
from engine.values import Notice, NoticeCode
from tests.app.runs.editing import fault_of, rewrite
from tests.app.runs.making import MS, SECRET, T0, answer, recorded, request, sample
from tests.ui.fakes import loaded_model


def on_gpu(energies: tuple[int, ...]) -> tuple[tuple[Sample, ...], float]:
    taken = tuple(
        sample(T0 + index * 250 * MS, energy_mj=energy, power_mw=50_000)
        for index, energy in enumerate(energies)
    )
    return taken, 250 * MS


def cells(ends: list[int]) -> tuple[CellSpan, ...]:
    """Of a conversation with messages that end there."""
    kinds = (CellKind.USER, CellKind.ANSWER)
    return tuple(
        CellSpan(kind=kinds[index % 2], number=index // 2 + 1, begin=begin, end=end)
        for index, (begin, end) in enumerate(itertools.pairwise([0, *ends]))
    )


def test_what_the_cells_held_is_kept_and_of_many_the_last(path: Path) -> None:
    assert read_run(path).prompt_cells == ()
    told = cells([12, 40, 100])
    write_run(path, replace(recorded(), prompt_cells=told, answer_number=2))
    read = read_run(path)
    assert read.prompt_cells == told
    assert read.answer_number == 2
    many = replace(recorded(), prompt_cells=cells(list(range(1, 101))))
    write_run(path, many)
    kept = read_run(path).prompt_cells
    assert len(kept) == 64
    assert kept[0] == CellSpan(kind=CellKind.UNKNOWN, begin=0, end=37)
    assert kept[1:] == many.prompt_cells[37:]


def test_files_of_before_what_cells_held_was_kept_are_read(path: Path) -> None:
    write_run(path, replace(recorded(), prompt_cells=cells([100])))

    def older(content: bytes) -> bytes:
        document = json.loads(content)
        del document["prompt_cells"], document["answer_number"]
        return json.dumps(document | {"version": 1}).encode()

    rewrite(path, name="run.json", change=older, with_sums=True)
    assert read_run(path).prompt_cells == ()


def test_what_is_read_is_what_was_written(path: Path) -> None:
    written = recorded(samples=(sample(T0 - 5 * MS), sample(T0 + 200 * MS)))
    read = read_run(path)
    assert replace(written.trace.figures()) == read.trace.figures()
    assert read.trace.figures().ttft_ns == 107 * MS
    assert read.trace.t_submit_ns == 0
    assert list(read.trace.step_t_ns)[:2] == [117 * MS, 137 * MS]
    assert list(read.trace.prefill_n_done_tokens) == [80, 100]
    assert read.loaded is not None
    assert written.loaded is not None
    assert read.loaded.engine == written.loaded.engine
    assert read.loaded.kv == written.loaded.kv
    assert read.loaded.t_ns - read.loaded.t_start_ns == 60 * MS
    assert read.model_name == "SmolLM2-135M-Instruct"
    assert read.options is not None
    assert read.options.n_ctx == 2048
    assert read.request["sampling"] == written.request["sampling"]
    assert list(read.samples.t_ns) == [-5 * MS, 200 * MS]
    assert read.samples.values[0] == 421 << 20
    assert read.samples.constants == written.samples.constants


def test_a_clock_before_the_first_date_of_an_archive_costs_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("time.time", lambda: 86_400.0)
        write_run(tmp_path / "run.npz", recorded())
    assert read_run(tmp_path / "run.npz").trace.figures().ttft_ns == 107 * MS


@pytest.mark.parametrize(
    ("clock_ms", "created_ms"),
    [(-5, 0), (86_400_000, 86_400_000), (MOST_DATE_MS + 1, MOST_DATE_MS)],
)
def test_a_clock_that_stands_anywhere_costs_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock_ms: int, created_ms: int
) -> None:
    monkeypatch.setattr("app.runs.recorder.now_ms", lambda: clock_ms)
    record = recorded()
    path = tmp_path / file_name(record)
    write_run(path, record)
    assert read_run(path).created_ms == created_ms


def test_nothing_said_and_nobody_s_folders_are_in_it(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        everything = b"".join(archive.read(info) for info in archive.infolist())
    assert SECRET.encode() not in everything
    assert b"somebody" not in everything
    assert b"/models" not in everything


def test_what_a_system_said_is_not_in_it(path: Path) -> None:
    details = (("gpu", "Fake GPU"), ("reason", "[Errno 13] denied: '/home/somebody/cache'"))
    loaded = loaded_model()
    notice = Notice(code=NoticeCode.GPU_NOT_READY, details=details)
    loaded = replace(loaded, engine=replace(loaded.engine, notices=(notice,)))
    record = recorded(loaded=loaded)
    write_run(path, record)
    read = read_run(path)
    assert read.loaded is not None
    assert read.loaded.engine.notices == (
        Notice(code=NoticeCode.GPU_NOT_READY, details=(("gpu", "Fake GPU"),)),
    )
    assert "somebody" not in json_text([record])
    assert "Fake GPU" in json_text([record])


def test_numpy_opens_it(path: Path) -> None:
    with np.load(path) as opened:
        assert opened["steps"].shape == (2, 11)
        assert opened["prefill"][1].tolist() == [80, 100]
        assert json.loads(opened["run.json"])["schema"] == "oscillama.run"


@pytest.mark.parametrize(("n_steps", "step_ms"), [(128, 8), (2_000, 8), (200, 2_000)])
def test_it_takes_64_bytes_a_token_at_most(tmp_path: Path, n_steps: int, step_ms: int) -> None:
    rng = np.random.default_rng(0)
    length_ns = n_steps * step_ms * MS
    taken = tuple(
        replace(
            sample(T0 + t_ns, energy_mj=int(t_ns // 10_000 + rng.integers(1000)), power_mw=50_000),
            engine_cpu_cores=float(rng.integers(2000)) / 1000,
            machine_used_bytes=int(5e9 + rng.integers(1 << 30)),
            cpu_energy_mj=int(t_ns // 20_000 + rng.integers(1000)),
            cpu_power_mw=int(rng.integers(50_000)),
        )
        for t_ns in range(0, length_ns, 250 * MS)
    )
    written = recorded(n_steps=n_steps, step_ms=step_ms, samples=taken)
    ends = np.cumsum(rng.integers(1, 90, 2_000)).tolist()
    written = replace(written, prompt_cells=cells(ends))
    written.trace.n_prompt_tokens = written.trace.n_cached_tokens = ends[-1]
    # No step takes as long as the one before.
    for index in range(n_steps):
        written.trace.step_t_ns[index] += int(rng.integers(step_ms * MS // 2))
    assert write_run(tmp_path / "run.npz", written) <= 64 * n_steps


def test_energy_is_of_the_counter_while_it_goes_forward(tmp_path: Path) -> None:
    loaded = loaded_model()
    loaded = replace(loaded, engine=replace(loaded.engine, n_gpu_layers=30))
    forward, _ = on_gpu((1000, 2000, 3000))
    record = recorded(loaded=loaded, samples=forward)
    # From 10 ms to 317 ms at 4 mJ a millisecond, over 11 tokens.
    assert summary_of(record, "", 0).energy_per_token_mj == pytest.approx(307 * 4 / 11)
    backward, _ = on_gpu((3000, 2000, 1000))
    assert summary_of(recorded(loaded=loaded, samples=backward), "", 0).energy_per_token_mj is None
    assert summary_of(recorded(samples=forward), "", 0).energy_per_token_mj is None


def test_energy_of_the_cpu_is_kept_and_none_spans_a_sleep(tmp_path: Path) -> None:
    # 700 samples, of which not every one is kept; the machine slept between two of these.
    taken = [
        replace(sample(T0 + index * MS), cpu_energy_mj=20 * index, cpu_power_mw=20_000)
        for index in range(700)
    ]
    recorder = RunRecorder()
    found: list[RunRecord] = []
    recorder.recorded.connect(found.append)
    for request_id, has_slept in ((2, False), (3, True)):
        recorder.on_events((loaded_model(),))
        recorder.on_requested(request(request_id))
        for index, each in enumerate(taken):
            if index == 201 and has_slept:
                recorder.on_mark(Mark(kind=MarkKind.SUSPENDED, t_ns=each.t_ns, detail=(5,)))
            recorder.on_sample(each)
        recorder.on_events(tuple(answer(request_id)))
    summaries = []
    for record in found:
        write_run(tmp_path / "run.npz", record)
        summaries.append(summary_of(read_run(tmp_path / "run.npz"), "", 0))
    # The first is handed on again with what was sampled after its end.
    awake, slept = summaries[0], summaries[-1]
    assert awake.energy_source == "cpu"
    assert awake.energy_mj == pytest.approx(307 * 20)
    assert awake.energy_per_token_mj == pytest.approx(307 * 20 / 11)
    assert (slept.energy_mj, slept.energy_per_token_mj, slept.energy_source) == (None, None, "")


def test_a_sleep_stays_where_it_was(tmp_path: Path) -> None:
    record = recorded()
    slept_ns = record.trace.step_t_ns[5]
    record.trace.add(Suspended(request_id=2, t_ns=slept_ns, asleep_ns=9))
    write_run(tmp_path / "run.npz", record)
    trace = read_run(tmp_path / "run.npz").trace
    assert list(trace.suspended_t_ns) == [slept_ns - T0]
    assert trace.figures().decode_rate_tok_per_s is None
    assert trace.figures() == record.trace.figures()
    retold = Items(read_run(tmp_path / "run.npz"))
    at = next(i for i, item in enumerate(retold) if isinstance(item, Suspended))
    assert isinstance(retold[at + 1], Step)
    assert retold[at + 1].t_ns == slept_ns - T0


def test_a_label_is_kept_in_the_file(path: Path) -> None:
    relabel(path, "on battery")
    assert read_run(path).label == "on battery"
    assert read_run(path).trace.figures().ttft_ns == 107 * MS


def test_a_newer_version_is_refused(path: Path) -> None:
    rewrite(
        path,
        name="run.json",
        change=lambda text: text.replace(b'"version": 2', b'"version": 3'),
        with_sums=True,
    )
    assert fault_of(path) is RunFault.NEWER


def test_a_file_of_version_1_is_read(path: Path) -> None:
    def as_before(content: bytes) -> bytes:
        document = json.loads(content)
        document["version"] = 1
        del document["marks"], document["load_span_ns"]
        del document["stamps"]["t_rendered_ns"], document["stamps"]["t_tokenized_ns"]
        return json.dumps(document).encode()

    rewrite(path, name="run.json", change=as_before, with_sums=True)
    read = read_run(path)
    assert read.trace.figures().ttft_ns == 107 * MS
    assert (read.marks, read.load_span_ns, read.trace.t_rendered_ns) == ((), None, None)


@pytest.mark.parametrize("name", ["run.json", "steps.npy", "samples.npy"])
def test_an_edited_file_is_refused(path: Path, name: str) -> None:
    rewrite(
        path, name=name, change=lambda content: content.replace(b"\x00\x00", b"\x01\x00") + b" "
    )
    assert fault_of(path) is RunFault.EDITED


def test_a_file_cut_anywhere_is_refused(path: Path) -> None:
    whole = path.read_bytes()
    for length in range(0, len(whole), 97):
        path.write_bytes(whole[:length])
        assert fault_of(path) is RunFault.DAMAGED


def test_a_flipped_bit_is_refused(path: Path) -> None:
    whole = path.read_bytes()
    for place in range(0, len(whole) - 400, 61):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
        try:
            read = read_run(path)
        except RunFileError:
            continue
        # What is no part of any content, such as a date, may differ.
        assert read.trace.figures().ttft_ns == 107 * MS


def test_other_files_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.npz"
    np.savez(other, steps=np.zeros((2, 3), np.int64))
    assert fault_of(other) is RunFault.NOT_A_RUN
    assert fault_of(tmp_path / "missing.npz") is RunFault.UNREADABLE
    other.write_text("{}")
    assert fault_of(other) is RunFault.DAMAGED


def test_a_disk_that_refuses_leaves_what_was_there(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = path.read_bytes()

    def is_full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", is_full)
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        write_run(path, recorded())
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]
