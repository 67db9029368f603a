"""Keeps the converted weights of GGUF files, so that the second load takes seconds."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import transformers
from safetensors import SafetensorError
from safetensors.torch import save_model

from engine.foreign_json import json_value

if TYPE_CHECKING:
    from engine.backends.torch_hf.model import Model
    from engine.values import Dtype

_SCHEMA = 1
_KEY_FILE = "oscillama.json"
_PREFIX, _UNFINISHED = "weights-", "unfinished-"
# Together the kept weights take no more than this, and leave at least so much of the disk.
_MOST_BYTES = 64 << 30
_SPARE_BYTES = 2 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightKey:
    """What converted weights hold for: the file as it was, the format, the converter."""

    path: str
    n_bytes: int
    modified_ns: int
    dtype: str
    converter: str


def key_of(path: Path, dtype: Dtype) -> WeightKey:
    """The key of a file as it is now."""
    status = path.stat()
    return WeightKey(
        path=str(path.resolve()),
        n_bytes=status.st_size,
        modified_ns=status.st_mtime_ns,
        dtype=dtype.value,
        converter=f"transformers {transformers.__version__}",
    )


class WeightCache:
    """Folders of converted models, one for each file and format. Other processes may use it too."""

    def __init__(self, folder: Path) -> None:
        """Use `folder`, which need not exist yet."""
        self._folder = folder

    def get(self, key: WeightKey) -> Path | None:
        """The folder with the weights for `key`; None where there is none."""
        self._remove_unfinished()
        path = self._path(key)
        try:
            kept = json_value((path / _KEY_FILE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        if kept != {"schema": _SCHEMA, **asdict(key)}:
            return None
        # The least recently used ones go first; a folder that cannot be written never loses one.
        with suppress(OSError):
            os.utime(path)
        return path

    def put(self, key: WeightKey, model: Model, tokenizer: Any) -> None:  # noqa: ANN401
        """Keep the weights, whole or not at all, and let go of others that take too much.

        Raises:
            OSError: The folder cannot be written; "weights_too_large" where they are more than all
                kept ones may be, "disk_too_full" where the disk has no room for them.
        """
        need = model.weights_bytes
        if need > _MOST_BYTES:
            raise OSError("weights_too_large")
        self._folder.mkdir(parents=True, exist_ok=True)
        self._make_room(need)
        prefix = f"{_UNFINISHED}{os.getpid()}-"
        temporary = Path(tempfile.mkdtemp(dir=self._folder, prefix=prefix))
        try:
            _write(temporary, model, tokenizer)
            text = json.dumps({"schema": _SCHEMA, **asdict(key)}, indent=1)
            (temporary / _KEY_FILE).write_text(text, encoding="utf-8")
            target = self._path(key)
            shutil.rmtree(target, ignore_errors=True)
            temporary.rename(target)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)

    def remove(self, key: WeightKey) -> None:
        """Let go of weights that turned out to be unusable."""
        shutil.rmtree(self._path(key), ignore_errors=True)

    def _make_room(self, n_bytes: int) -> None:
        kept = sorted(self._folder.glob(f"{_PREFIX}*"), key=_used_at)
        sizes = {path: _size(path) for path in kept}
        need = n_bytes + _SPARE_BYTES
        if shutil.disk_usage(self._folder).free + sum(sizes.values()) < need:
            # Not even without all the others.
            raise OSError("disk_too_full")
        for path in kept:
            free = shutil.disk_usage(self._folder).free
            if sum(sizes.values()) + n_bytes <= _MOST_BYTES and free >= need:
                return
            shutil.rmtree(path, ignore_errors=True)
            del sizes[path]
        if shutil.disk_usage(self._folder).free < need:
            raise OSError("disk_too_full")

    def _remove_unfinished(self) -> None:
        for path in self._folder.glob(f"{_UNFINISHED}*"):
            pid = path.name.removeprefix(_UNFINISHED).partition("-")[0]
            if not (pid.isdigit() and psutil.pid_exists(int(pid))):
                shutil.rmtree(path, ignore_errors=True)

    def _path(self, key: WeightKey) -> Path:
        digest = hashlib.sha256(json.dumps(asdict(key), sort_keys=True).encode()).hexdigest()
        return self._folder / f"{_PREFIX}{digest[:20]}"


def _write(folder: Path, model: Model, tokenizer: Any) -> None:  # noqa: ANN401
    try:
        save_model(model.module, str(folder / "model.safetensors"), metadata={"format": "pt"})
        model.config.save_pretrained(str(folder))
        generation = getattr(model.module, "generation_config", None)
        if generation is not None:
            generation.save_pretrained(str(folder))
        tokenizer.save_pretrained(str(folder))
    except (SafetensorError, RuntimeError, ValueError, MemoryError) as error:
        # A disk that is full, no memory for a copy of what is on a GPU, values that are refused.
        raise OSError(str(error)) from error


def _used_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.glob("*") if file.is_file())
