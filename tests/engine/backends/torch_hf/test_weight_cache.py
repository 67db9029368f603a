"""Converted weights that are kept: when they serve again, when not, and what goes first."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from transformers import AutoTokenizer, LlamaConfig

from app import messages
from engine.backends.torch_hf import weight_cache
from engine.backends.torch_hf.backend import TorchBackend
from engine.backends.torch_hf.model import wrap
from engine.backends.torch_hf.weight_cache import WeightCache, key_of
from engine.events import LoadStage
from engine.values import Dtype, NoticeCode
from tests.engine.backends.torch_hf.conftest import answer
from tests.engine.backends.torch_hf.tiny_files import (
    SHAPE,
    options_for,
    random_model,
    save_gguf,
)
from tests.engine.scripting import ListLog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.backend import LoadedModel
    from engine.backends.torch_hf.weight_cache import WeightKey

    Keep = Callable[[WeightKey], None]

PROMPT = [257, 104, 105]
needs_resource = pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")


@pytest.fixture
def gguf_path(tmp_path: Path) -> Path:
    return save_gguf(tmp_path / "model.gguf")


@pytest.fixture
def cache_dir(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def cache(cache_dir: Path) -> WeightCache:
    return WeightCache(cache_dir)


@pytest.fixture
def keep(cache: WeightCache, tiny_folder: Path) -> Keep:
    """Puts a small model into the cache."""
    model = wrap(random_model(LlamaConfig(**SHAPE)), Path("model"))
    tokenizer = AutoTokenizer.from_pretrained(str(tiny_folder))
    return lambda key: cache.put(key, model, tokenizer)


class Run:
    """One load with a cache folder, its stages, and a short answer."""

    def __init__(self, path: Path, cache_dir: Path, **changes: Any) -> None:  # noqa: ANN401
        self.stages: list[LoadStage] = []
        self.log = ListLog()
        backend = TorchBackend(self.log)
        options = options_for(path, cache_dir=str(cache_dir), **changes)
        try:
            self.loaded: LoadedModel = backend.load(options, self._note)
            self.tokens = answer(backend, PROMPT, 8)
        finally:
            backend.close()
        self.converted = LoadStage.CONVERT in self.stages
        self.notices = self.loaded.engine.notices

    def _note(self, stage: LoadStage, _fraction: float | None) -> bool:
        self.stages.append(stage)
        return True


def kept_folders(cache_dir: Path) -> list[Path]:
    return sorted((cache_dir / "weights").glob("*"))


def changed(gguf_path: Path, **changes: Any) -> WeightKey:  # noqa: ANN401
    return replace(key_of(gguf_path, Dtype.FLOAT32), **changes)


def test_the_second_load_does_not_convert(gguf_path: Path, cache_dir: Path) -> None:
    first, second = Run(gguf_path, cache_dir), Run(gguf_path, cache_dir)
    assert first.converted
    assert not second.converted
    assert second.tokens == first.tokens
    assert second.loaded.model == first.loaded.model
    assert second.loaded.eos_text == first.loaded.eos_text == "<|im_end|>"
    assert first.notices == second.notices == ()
    assert len(kept_folders(cache_dir)) == 1


def test_without_a_folder_nothing_is_kept(gguf_path: Path, cache_dir: Path) -> None:
    backend = TorchBackend(ListLog())
    try:
        loaded = backend.load(options_for(gguf_path), lambda _stage, _fraction: True)
    finally:
        backend.close()
    assert loaded.engine.notices == ()
    assert not cache_dir.exists()


def test_a_file_that_changed_is_converted_anew(gguf_path: Path, cache_dir: Path) -> None:
    first = Run(gguf_path, cache_dir)
    save_gguf(gguf_path, seed=1)
    status = gguf_path.stat()
    os.utime(gguf_path, ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000_000))
    second = Run(gguf_path, cache_dir)
    assert second.converted
    assert second.tokens != first.tokens


def test_weights_serve_for_what_they_were_converted_from(
    gguf_path: Path, cache: WeightCache, keep: Keep
) -> None:
    mine = key_of(gguf_path, Dtype.FLOAT32)
    keep(mine)
    found = cache.get(mine)
    assert found is not None
    assert (found / "config.json").is_file()
    others = [
        key_of(gguf_path, Dtype.FLOAT16),
        changed(gguf_path, n_bytes=mine.n_bytes + 1),
        changed(gguf_path, modified_ns=mine.modified_ns + 1),
        changed(gguf_path, path="/elsewhere/model.gguf"),
        changed(gguf_path, converter="transformers 0"),
    ]
    assert [cache.get(other) for other in others] == [None] * len(others)


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "tokenizer.json"])
def test_damaged_weights_are_converted_again(gguf_path: Path, cache_dir: Path, name: str) -> None:
    first = Run(gguf_path, cache_dir)
    (folder,) = kept_folders(cache_dir)
    damaged = folder / name
    damaged.write_bytes(damaged.read_bytes()[:-100])
    second = Run(gguf_path, cache_dir)
    assert second.converted
    assert second.tokens == first.tokens
    assert second.notices == ()
    assert "kept weights are unusable" in second.log.text
    assert not Run(gguf_path, cache_dir).converted


def test_a_damaged_note_counts_as_nothing_kept(
    gguf_path: Path, cache: WeightCache, keep: Keep
) -> None:
    mine = key_of(gguf_path, Dtype.FLOAT32)
    keep(mine)
    found = cache.get(mine)
    assert found is not None
    (found / "oscillama.json").write_text("{")
    assert cache.get(mine) is None
    keep(mine)
    assert cache.get(mine) == found


def test_where_nothing_can_be_written_the_model_works(gguf_path: Path, cache_dir: Path) -> None:
    cache_dir.mkdir()
    # A file is in the place of the folder.
    (cache_dir / "weights").write_text("")
    run = Run(gguf_path, cache_dir)
    assert len(run.tokens) == 8
    (notice,) = run.notices
    assert notice.code is NoticeCode.WEIGHTS_NOT_KEPT
    reason = str(dict(notice.details)["reason"])
    assert reason in (os.strerror(errno.ENOTDIR), os.strerror(errno.EEXIST))
    assert "{" not in messages.of_notice(notice).text


def test_a_disk_without_room_keeps_nothing(
    gguf_path: Path, cache_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(gguf_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage._replace(free=1 << 20))
    run = Run(gguf_path, cache_dir)
    (notice,) = run.notices
    assert notice.code is NoticeCode.WEIGHTS_NOT_KEPT
    assert "the disk has no room for them" in messages.of_notice(notice).text
    assert kept_folders(cache_dir) == []


def test_what_cannot_fit_on_the_disk_costs_no_other_weights(
    gguf_path: Path, cache: WeightCache, keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = [changed(gguf_path, path=f"/models/{index}.gguf") for index in range(3)]
    keep(keys[0])
    keep(keys[1])
    usage = shutil.disk_usage(gguf_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage._replace(free=1 << 20))
    with pytest.raises(OSError, match="disk_too_full"):
        keep(keys[2])
    assert [cache.get(one) is not None for one in keys] == [True, True, False]


def test_weights_larger_than_all_that_may_be_kept_are_not_kept(
    gguf_path: Path, cache_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Run(gguf_path, cache_dir)
    kept = kept_folders(cache_dir)
    monkeypatch.setattr(weight_cache, "_MOST_BYTES", (first.loaded.model.size_bytes or 0) - 1)
    save_gguf(gguf_path, seed=1)
    status = gguf_path.stat()
    os.utime(gguf_path, ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000_000))
    (notice,) = Run(gguf_path, cache_dir).notices
    assert notice.code is NoticeCode.WEIGHTS_NOT_KEPT
    text = messages.of_notice(notice).text
    assert "larger than all that is kept" in text
    assert "Free disk space" not in text
    assert kept_folders(cache_dir) == kept


@needs_resource
def test_a_disk_that_fills_up_while_writing_keeps_nothing(gguf_path: Path, cache_dir: Path) -> None:
    with largest_file(64 << 10):
        run = Run(gguf_path, cache_dir)
    assert len(run.tokens) == 8
    (notice,) = run.notices
    assert notice.code is NoticeCode.WEIGHTS_NOT_KEPT
    assert dict(notice.details)["reason"]
    assert kept_folders(cache_dir) == []


@contextlib.contextmanager
def largest_file(n_bytes: int) -> Iterator[None]:
    """The system refuses to write more into a file."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_what_a_killed_process_left_is_cleaned_up(
    gguf_path: Path, cache: WeightCache, cache_dir: Path
) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    dead, alive = (cache_dir / f"unfinished-{pid}-x" for pid in (gone.pid, os.getpid()))
    for folder in (dead, alive):
        folder.mkdir(parents=True)
        (folder / "model.safetensors").write_bytes(b"half")
    cache.get(key_of(gguf_path, Dtype.FLOAT32))
    assert not dead.exists()
    # It is that of a process at work.
    assert alive.exists()


def test_the_least_recently_used_go_first(
    gguf_path: Path,
    cache: WeightCache,
    keep: Keep,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keys = [changed(gguf_path, path=f"/models/{index}.gguf") for index in range(4)]
    for index, one in enumerate(keys[:3]):
        keep(one)
        found = cache.get(one)
        assert found is not None
        os.utime(found, (index + 1, index + 1))
    sizes = [weight_cache._size(path) for path in map(cache.get, keys[1:3]) if path is not None]
    os.utime(cache._path(keys[1]), (2, 2))
    os.utime(cache._path(keys[2]), (3, 3))
    # The first was used again.
    assert cache.get(keys[0]) is not None
    monkeypatch.setattr(weight_cache, "_MOST_BYTES", 3 * max(sizes) + 1000)
    keep(keys[3])
    assert [cache.get(one) is not None for one in keys] == [True, False, True, True]


def test_a_time_that_cannot_be_set_is_no_reason_to_convert(
    gguf_path: Path,
    cache: WeightCache,
    keep: Keep,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mine = key_of(gguf_path, Dtype.FLOAT32)
    keep(mine)

    def refuse(_path: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "utime", refuse)
    assert cache.get(mine) == cache._path(mine)
