"""A model's folder, looked at before anything is loaded: what is there, and what is not opened."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from safetensors import SafetensorError, safe_open

from engine.errors import EngineError, ErrorCode
from engine.foreign_json import json_value

if TYPE_CHECKING:
    from pathlib import Path

_MAX_JSON_BYTES = 64 << 20
_MAX_HEADER_BYTES = 100 << 20
_MAX_FILE_BYTES = 1 << 60
# Formats that run what their author wrote when they are opened.
_PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.pickle")
_INDEX, _SINGLE = "model.safetensors.index.json", "model.safetensors"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFolder:
    """What a folder has.

    Attributes:
        path: The folder.
        config: Its config.json.
        n_tensors: Tensors in all files.
        n_parameters: Numbers in all tensors.
        size_bytes: Bytes of all tensors, as stored.
        dtype_name: The format that most bytes are stored in, as safetensors names it ("BF16").
    """

    path: Path
    config: dict[str, Any]
    n_tensors: int
    n_parameters: int
    size_bytes: int
    dtype_name: str


def read_folder(path: Path) -> ModelFolder:
    """Read the configuration and the headers of the weights.

    Raises:
        EngineError: FOLDER_WITHOUT_CONFIG, FOLDER_WITHOUT_WEIGHTS, UNSAFE_WEIGHTS,
            CONFIG_UNREADABLE, FILE_NOT_FOUND, FILE_UNREADABLE, FILE_TRUNCATED or LOAD_FAILED.
    """
    config_path = path / "config.json"
    if not config_path.is_file():
        raise EngineError(ErrorCode.FOLDER_WITHOUT_CONFIG, "no config.json", path=str(path))
    config = read_json(config_path)
    n_tensors = n_parameters = size_bytes = 0
    by_dtype: dict[str, int] = {}
    for file in _weight_files(path):
        for count, n_bytes, dtype in _tensors(file):
            n_tensors += 1
            n_parameters += count
            size_bytes += n_bytes
            by_dtype[dtype] = by_dtype.get(dtype, 0) + n_bytes
    return ModelFolder(
        path=path,
        config=config,
        n_tensors=n_tensors,
        n_parameters=n_parameters,
        size_bytes=size_bytes,
        dtype_name=max(by_dtype, key=lambda name: by_dtype[name], default=""),
    )


def read_json(path: Path) -> dict[str, Any]:
    """An object of a JSON file that a model came with.

    Raises:
        EngineError: CONFIG_UNREADABLE with "path", "file" and "reason".
    """
    try:
        if path.stat().st_size > _MAX_JSON_BYTES:
            raise _unreadable(path, "file_too_large")
        value = json_value(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _unreadable(path, str(error)) from error
    if not isinstance(value, dict):
        raise _unreadable(path, "no_json_object")
    return value


def _unreadable(path: Path, reason: str) -> EngineError:
    return EngineError(
        ErrorCode.CONFIG_UNREADABLE,
        f"{path.name}: {reason}",
        path=str(path.parent),
        file=path.name,
        reason=reason,
    )


def _weight_files(path: Path) -> list[Path]:
    # In the order in which transformers looks for them.
    if (path / _SINGLE).is_file():
        return [path / _SINGLE]
    index = path / _INDEX
    if index.is_file():
        return _shards(index)
    pickled = sorted(file.name for kind in _PICKLED for file in path.glob(kind))
    if pickled:
        raise EngineError(
            ErrorCode.UNSAFE_WEIGHTS,
            f"only {', '.join(pickled[:5])}",
            path=str(path),
            file=pickled[0],
        )
    raise EngineError(ErrorCode.FOLDER_WITHOUT_WEIGHTS, f"no {_SINGLE}", path=str(path))


def _shards(index: Path) -> list[Path]:
    names = read_json(index).get("weight_map")
    if not isinstance(names, dict) or not names:
        raise _unreadable(index, "no_weight_map")
    files = []
    for name in sorted(set(map(str, names.values()))):
        # A shard is beside its index: a name that leads elsewhere is not followed.
        file = index.with_name(name) if name and name == PurePath(name).name else None
        if file is None or not _is_file(file):
            raise EngineError(
                ErrorCode.FILE_NOT_FOUND, f"no shard {name!r}", path=str(index.parent / name)
            )
        files.append(file)
    return files


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        # A name that is too long for any file.
        return False


def _tensors(file: Path) -> list[tuple[int, int, str]]:
    """Numbers, bytes and format of each tensor."""
    found = []
    try:
        with safe_open(str(file), framework="pt") as tensors:
            for name in tensors.keys():  # noqa: SIM118  # a handle, not a dict
                part = tensors.get_slice(name)
                count, dtype = math.prod(part.get_shape()), str(part.get_dtype())
                found.append((count, count * _bits(dtype) // 8, dtype))
    except OSError as error:
        raise EngineError(
            ErrorCode.FILE_UNREADABLE, str(error), path=str(file), reason=str(error)
        ) from error
    except SafetensorError as error:
        _raise_if_truncated(file)
        raise EngineError(
            ErrorCode.LOAD_FAILED, f"{file.name}: {error}", path=str(file), reason=str(error)
        ) from error
    return found


def _bits(dtype: str) -> int:
    """Bits of a number, from a name such as "F16", "BF16", "F8_E4M3" or "BOOL"."""
    digits = "".join(c for c in dtype.partition("_")[0] if c.isdigit())
    return int(digits) if digits else 8


def _raise_if_truncated(file: Path) -> None:
    """FILE_TRUNCATED where the file ends before what its header announces."""
    have = file.stat().st_size
    with file.open("rb") as stream:
        start = stream.read(8)
        need = 8
        if len(start) == 8:
            n_header = struct.unpack("<Q", start)[0]
            if n_header > _MAX_HEADER_BYTES:
                return
            need += n_header
            if need <= have:
                need += _data_bytes(stream.read(n_header))
    if have < need <= _MAX_FILE_BYTES:
        raise EngineError(
            ErrorCode.FILE_TRUNCATED,
            f"{have} of {need} bytes",
            path=str(file),
            need_bytes=need,
            have_bytes=have,
        )


def _data_bytes(header: bytes) -> int:
    """Where the last tensor ends; 0 where the header does not say so in a way to be trusted."""
    try:
        parts = [part for part in json_value(header).values() if "dtype" in part]
        ends = [part["data_offsets"][1] for part in parts]
    except (ValueError, LookupError, TypeError, AttributeError):
        return 0
    return max((end for end in ends if isinstance(end, int)), default=0)
