"""The header reader: what it says about good files, and what it says about every damaged one."""

import ctypes
import os
import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.backends.llama.native import import_llama
from engine.errors import EngineError, ErrorCode
from engine.gguf import read_header, shard_paths
from engine.gguf_types import TENSOR_TYPES, row_bytes
from tests.engine.gguf_writer import Tensor, gguf, small_model, text

_REFUSALS = {ErrorCode.NOT_A_GGUF, ErrorCode.FILE_TRUNCATED}
_SMALL = small_model()
_HEADER_BYTES = len(_SMALL) - 876


def _refused(path: Path) -> EngineError:
    with pytest.raises(EngineError) as caught:
        read_header(path)
    return caught.value


def test_reads_what_the_file_says(tmp_path: Path) -> None:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(_SMALL)
    header = read_header(path)
    assert header.architecture == "llama"
    assert header.metadata["general.name"] == "Tiny"
    assert header.integer("block_count") == 2
    assert header.per_layer("attention.head_count_kv", 2) == (2, 1)
    assert header.per_layer("attention.head_count", 2) == (4, 4)
    assert header.metadata["llama.rope.freq_base"] == 10000.0
    assert header.metadata["tokenizer.ggml.add_bos_token"] is True
    assert "tokenizer.ggml.tokens" not in header.metadata
    assert [tensor.n_bytes for tensor in header.tensors] == [768, 108]
    assert header.tensor_bytes == 876
    assert header.needed_file_bytes == len(_SMALL)
    assert header.quantization == "F32"


def test_reads_the_starter_model_to_the_last_byte(starter_model_path: Path) -> None:
    header = read_header(starter_model_path)
    assert header.architecture == "llama"
    assert header.quantization == "Q4_1"
    assert header.integer("block_count") == 30
    assert header.needed_file_bytes == starter_model_path.stat().st_size
    assert len(header.tensors) == 272


def test_a_file_cut_short_says_how_much_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "cut.gguf"
    path.write_bytes(_SMALL[:-5])
    error = _refused(path)
    assert error.info.code is ErrorCode.FILE_TRUNCATED
    assert error.info.detail("have_bytes") == len(_SMALL) - 5
    assert error.info.detail("need_bytes") == len(_SMALL)


@pytest.mark.parametrize("content", [b"", b"GG", b"GGML" + b"\0" * 60, b"<!DOCTYPE html>" * 9])
def test_something_else_is_not_a_gguf(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "else.gguf"
    path.write_bytes(content)
    assert _refused(path).info.code is ErrorCode.NOT_A_GGUF


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    assert _refused(tmp_path / "none.gguf").info.code is ErrorCode.FILE_NOT_FOUND
    assert _refused(tmp_path).info.code is ErrorCode.FILE_UNREADABLE


@pytest.mark.parametrize("version", [0, 1, 4, 3 << 24])
def test_a_version_nobody_reads_is_refused(tmp_path: Path, version: int) -> None:
    path = tmp_path / "version.gguf"
    path.write_bytes(gguf({"general.architecture": "llama"}, version=version))
    assert _refused(path).info.code is ErrorCode.NOT_A_GGUF


@pytest.mark.parametrize("length", [2**63, 2**64 - 1, 2**40, 1000])
@pytest.mark.parametrize("place", ["key", "text", "texts", "numbers", "tensors", "pairs"])
def test_lengths_beyond_the_file_end_at_once(tmp_path: Path, place: str, length: int) -> None:
    """49 bytes that claim the world neither hang nor allocate."""
    size = struct.pack("<Q", length)
    one = b"GGUF" + struct.pack("<IQQ", 3, 0, 1)
    content = {
        "key": one + size,
        "text": one + text("k") + struct.pack("<I", 8) + size,
        "texts": one + text("k") + struct.pack("<II", 9, 8) + size,
        "numbers": one + text("k") + struct.pack("<II", 9, 10) + size,
        "tensors": b"GGUF" + struct.pack("<I", 3) + size + struct.pack("<Q", 0),
        "pairs": b"GGUF" + struct.pack("<IQ", 3, 0) + size,
    }[place]
    path = tmp_path / "claims.gguf"
    path.write_bytes(content.ljust(49, b"\0"))
    assert _refused(path).info.code in _REFUSALS


def test_a_text_inside_an_array_that_reaches_out_of_the_file(tmp_path: Path) -> None:
    array = struct.pack("<IIQ", 9, 8, 3) + text("a") + struct.pack("<Q", 2**62) + b"\0" * 64
    path = tmp_path / "array.gguf"
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("k") + array)
    assert _refused(path).info.code in _REFUSALS


def test_a_vocabulary_larger_than_the_first_read(tmp_path: Path) -> None:
    words = [f"token-{number:040d}" for number in range(120_000)]
    path = tmp_path / "vocabulary.gguf"
    path.write_bytes(gguf({"words": words, "general.architecture": "llama"}))
    assert read_header(path).architecture == "llama"


@settings(max_examples=60)
@given(size=st.integers(0, len(_SMALL) - 1))
def test_cut_anywhere_it_is_refused(tmp_path: Path, size: int) -> None:
    path = tmp_path / "cut.gguf"
    path.write_bytes(_SMALL[:size])
    assert _refused(path).info.code in _REFUSALS


@settings(max_examples=300)
@given(position=st.integers(0, _HEADER_BYTES - 1), value=st.integers(0, 255))
def test_a_changed_byte_gives_a_header_or_a_refusal(
    tmp_path: Path, position: int, value: int
) -> None:
    changed = bytearray(_SMALL)
    changed[position] = value
    path = tmp_path / "changed.gguf"
    path.write_bytes(changed)
    code = None
    try:
        header = read_header(path)
    except EngineError as error:
        code = error.info.code
    else:
        assert header.needed_file_bytes <= len(_SMALL)
        assert header.quantization is None or isinstance(header.quantization, str)
    assert code is None or code in _REFUSALS


def test_the_other_parts_of_a_split_model_are_found_by_name(tmp_path: Path) -> None:
    first = tmp_path / "big-00001-of-00003.gguf"
    first.write_bytes(gguf({"general.architecture": "llama", "split.count": 3}))
    names = [path.name for path in shard_paths(read_header(first))]
    assert names == [f"big-0000{number}-of-00003.gguf" for number in (1, 2, 3)]
    second = first.rename(tmp_path / "big-00002-of-00003.gguf")
    with pytest.raises(EngineError, match="open the first part"):
        shard_paths(read_header(second))


def test_tensor_sizes_are_those_of_ggml() -> None:
    folder = Path(import_llama().__file__).parent / "lib"
    base = ctypes.CDLL(str(next(folder.glob("*ggml-base.*"))))
    base.ggml_type_size.restype = ctypes.c_size_t
    base.ggml_blck_size.restype = ctypes.c_int64
    base.ggml_type_name.restype = ctypes.c_char_p
    for type_id, known in TENSOR_TYPES.items():
        assert base.ggml_blck_size(type_id) == known.block_elements, known
        assert base.ggml_type_size(type_id) == known.block_bytes, known
        assert base.ggml_type_name(type_id).decode().upper() == known.name.upper()
    assert row_bytes("q8_0", 64) == 68


def test_four_dimensions_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "dimensions.gguf"
    path.write_bytes(gguf({}, [Tensor("t", (1, 1, 1, 1), 0, 4)]))
    assert read_header(path).tensors[0].n_elements == 1
    path.write_bytes(gguf({}, [Tensor("t", (1, 1, 1, 1, 1), 0, 4)]))
    assert _refused(path).info.code is ErrorCode.NOT_A_GGUF


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    os.mkfifo(path)

    with pytest.raises(EngineError) as caught:
        read_header(path)

    assert caught.value.info.code is ErrorCode.FILE_UNREADABLE


def test_a_name_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(EngineError) as caught:
        read_header(Path("a\0b.gguf"))

    assert caught.value.info.code is ErrorCode.FILE_UNREADABLE
