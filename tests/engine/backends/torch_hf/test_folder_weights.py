"""Weights that are missing, damaged, hostile or of another model: what is said of each."""

from __future__ import annotations

import json
import pickle
import struct
from typing import TYPE_CHECKING, Any

import pytest
import torch
from transformers import LlamaConfig

from app import messages
from engine.errors import ErrorCode
from tests.engine.backends.torch_hf.tiny_files import (
    SHAPE,
    edit_json,
    random_model,
    refusal,
    save_tokenizer,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.engine.backends.torch_hf.conftest import Loader

WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"


class Marker:
    """Writes a file when it is unpickled, as hostile weights would."""

    def __init__(self, path: Path) -> None:
        self._path = str(path)

    def __reduce__(self) -> tuple[Any, ...]:
        return (open, (self._path, "w"))


def header(text: bytes, *, data: bytes = b"") -> bytes:
    return struct.pack("<Q", len(text)) + text + data


def test_without_weights(folder: Path) -> None:
    (folder / WEIGHTS).unlink()
    info = refusal(folder)
    assert info.code is ErrorCode.FOLDER_WITHOUT_WEIGHTS
    assert info.details == (("path", str(folder)),)


def test_weights_that_run_code_are_left_closed(folder: Path, tmp_path: Path) -> None:
    (folder / WEIGHTS).unlink()
    marker = tmp_path / "was-run"
    hostile = pickle.dumps({"weight": Marker(marker)})
    for name in ("pytorch_model.bin", "a.pt"):
        (folder / name).write_bytes(hostile)
    info = refusal(folder)
    assert info.code is ErrorCode.UNSAFE_WEIGHTS
    assert info.detail("file") == "a.pt"
    assert info.detail("path") == str(folder)
    assert not marker.exists()
    # It is one that works.
    pickle.loads(hostile)["weight"].close()
    assert marker.exists()


@pytest.mark.parametrize(
    ("weight_map", "code"),
    [
        (None, ErrorCode.CONFIG_UNREADABLE),
        ([], ErrorCode.CONFIG_UNREADABLE),
        ({}, ErrorCode.CONFIG_UNREADABLE),
        ({"a": "../other/model.safetensors"}, ErrorCode.FILE_NOT_FOUND),
        ({"a": "/etc/passwd"}, ErrorCode.FILE_NOT_FOUND),
        ({"a": ".."}, ErrorCode.FILE_NOT_FOUND),
        ({"a": ""}, ErrorCode.FILE_NOT_FOUND),
        ({"a": 3}, ErrorCode.FILE_NOT_FOUND),
        ({"a": "x" * 5000}, ErrorCode.FILE_NOT_FOUND),
        ({"a": "nul\0byte"}, ErrorCode.FILE_NOT_FOUND),
        ({"a": "model-00001-of-00002.safetensors"}, ErrorCode.FILE_NOT_FOUND),
    ],
    ids=lambda value: str(value)[:40],
)
def test_an_index_that_leads_nowhere(folder: Path, weight_map: Any, code: ErrorCode) -> None:  # noqa: ANN401
    other = folder.with_name("other")
    other.mkdir()
    (folder / WEIGHTS).rename(other / WEIGHTS)
    (folder / INDEX).write_text(json.dumps({"metadata": {}, "weight_map": weight_map}))
    info = refusal(folder)
    assert info.code is code
    expected = folder if code is ErrorCode.CONFIG_UNREADABLE else folder / str(weight_map["a"])
    assert info.detail("path") == str(expected)


def test_weights_in_several_files_are_one_model(folder: Path, open_tiny: Loader) -> None:
    random_model(LlamaConfig(**SHAPE)).save_pretrained(str(folder), max_shard_size="50KB")
    (folder / WEIGHTS).unlink()
    shards = sorted(folder.glob("model-*.safetensors"))
    assert len(shards) > 1
    _, loaded = open_tiny(folder)
    assert loaded.model.n_parameters == random_model(LlamaConfig(**SHAPE)).num_parameters()
    shards[1].unlink()
    info = refusal(folder)
    assert info.code is ErrorCode.FILE_NOT_FOUND
    assert info.detail("path") == str(shards[1])


@pytest.mark.parametrize("n_bytes", [0, 5, 8, 1000, "header", "half", -1])
def test_weights_that_were_cut_off(folder: Path, n_bytes: int | str) -> None:
    path = folder / WEIGHTS
    whole = path.read_bytes()
    n_header = 8 + struct.unpack("<Q", whole[:8])[0]
    cuts = {"header": n_header, "half": len(whole) // 2}
    cut = whole[: cuts[n_bytes] if isinstance(n_bytes, str) else n_bytes]
    path.write_bytes(cut)
    info = refusal(folder)
    assert info.code is ErrorCode.FILE_TRUNCATED
    assert info.detail("path") == str(path)
    assert info.detail("have_bytes") == len(cut)
    need = len(whole) if len(cut) >= n_header else n_header if len(cut) >= 8 else 8
    assert info.detail("need_bytes") == need


@pytest.mark.parametrize(
    "data",
    [
        b"\x10\0\0\0\0\0\0\0" + b"garbage!" * 4,
        struct.pack("<Q", 1 << 63) + b"{}" * 100,
        header(b"[" * 100_000, data=b"x" * 100),
        header(b'{"a":{"dtype":"F32","shape":[4],"data_offsets":[0,' + b"9" * 30 + b"]}}"),
        header(b'{"a":{"dtype":"F32","shape":[4],"data_offsets":[0,Infinity]}}'),
        header(b'{"a":{"dtype":"F32","shape":[4],"data_offsets":[0,-16]}}', data=b"x" * 16),
        header(b'{"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,16]}}')
        + b"x" * 16,
        header(b'{"a":3}', data=b"x" * 16),
    ],
    ids=["garbage", "2^63", "nested", "30 digits", "infinity", "negative", "overflow", "number"],
)
def test_weights_with_a_hostile_header(folder: Path, data: bytes) -> None:
    (folder / WEIGHTS).write_bytes(data)
    info = refusal(folder)
    assert info.code is ErrorCode.LOAD_FAILED
    assert info.detail("path") == str(folder / WEIGHTS)
    assert "header" in info.technical


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"hidden_size": 64}, "another shape: lm_head.weight, model.embed_tokens.weight"),
        ({"vocab_size": 300}, "another shape: lm_head.weight, model.embed_tokens.weight"),
        ({"num_hidden_layers": 4}, "tensors are missing: model.layers.3.input_layernorm.weight"),
        ({"num_hidden_layers": 2_000_000_000}, "fewer tensors than layers: 30 and 2"),
    ],
    ids=["width", "vocabulary", "a layer more", "layers without end"],
)
def test_weights_that_do_not_fit(folder: Path, changes: dict[str, Any], words: str) -> None:
    edit_json(folder / "config.json", **changes)
    info = refusal(folder)
    assert info.code is ErrorCode.WEIGHTS_MISMATCH
    assert info.detail("path") == str(folder)
    assert words in messages.of_error(info).text


def test_the_formats_of_the_weights_are_named(tmp_path: Path, open_tiny: Loader) -> None:
    model = random_model(LlamaConfig(**SHAPE)).to(torch.bfloat16)
    model.save_pretrained(str(tmp_path))
    save_tokenizer(tmp_path)
    _, loaded = open_tiny(tmp_path)
    assert loaded.model.quantization == "bfloat16"
    assert loaded.memory.weights_bytes == pytest.approx(model.num_parameters() * 4, abs=1024)


@pytest.mark.parametrize("changes", [{"hidden_size": 1_000_000}, {"vocab_size": 10**12}])
def test_a_configuration_larger_than_the_weights_takes_no_memory(
    folder: Path, changes: dict[str, int]
) -> None:
    edit_json(folder / "config.json", **changes)
    info = refusal(folder)
    assert info.code is ErrorCode.WEIGHTS_MISMATCH
    assert info.detail("reason") == "config_too_large"
    assert int(info.detail("n_expected") or 0) > int(info.detail("n_found") or 0) > 0


def test_weights_with_more_layers_than_the_configuration(folder: Path) -> None:
    edit_json(folder / "config.json", num_hidden_layers=1)
    info = refusal(folder)
    assert info.code is ErrorCode.WEIGHTS_MISMATCH
    assert info.detail("reason") == "layers_left_over"
    assert "layers.1." in str(info.detail("names"))


def test_fewer_layers_than_none(folder: Path) -> None:
    edit_json(folder / "config.json", num_hidden_layers=-1)
    assert refusal(folder).code is ErrorCode.CONFIG_UNREADABLE


def test_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    assert refusal(tmp_path / ("x" * 5000)).code in (
        ErrorCode.FILE_NOT_FOUND,
        ErrorCode.FILE_UNREADABLE,
    )
