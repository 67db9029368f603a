"""Writes small GGUF files, right or wrong, for tests."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Scalar = int | float | bool | str


@dataclass(frozen=True)
class Tensor:
    name: str
    dimensions: tuple[int, ...]
    type_id: int = 0
    n_bytes: int = 0
    offset: int = 0


def text(value: str) -> bytes:
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def pair(key: str, value: Scalar | Sequence[Scalar]) -> bytes:
    if isinstance(value, bool):
        return text(key) + struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return text(key) + struct.pack("<II", 4, value)
    if isinstance(value, float):
        return text(key) + struct.pack("<If", 6, value)
    if isinstance(value, str):
        return text(key) + struct.pack("<I", 8) + text(value)
    if value and isinstance(value[0], str):
        body = b"".join(text(str(element)) for element in value)
        return text(key) + struct.pack("<IIQ", 9, 8, len(value)) + body
    body = struct.pack(f"<{len(value)}I", *value)
    return text(key) + struct.pack("<IIQ", 9, 4, len(value)) + body


def gguf(
    metadata: Mapping[str, Scalar | Sequence[Scalar]],
    tensors: Sequence[Tensor] = (),
    *,
    version: int = 3,
    alignment: int = 32,
    data: bytes | None = None,
) -> bytes:
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(metadata))
    head += b"".join(pair(key, value) for key, value in metadata.items())
    for tensor in tensors:
        head += text(tensor.name) + struct.pack("<I", len(tensor.dimensions))
        head += struct.pack(f"<{len(tensor.dimensions)}Q", *tensor.dimensions)
        head += struct.pack("<IQ", tensor.type_id, tensor.offset)
    head += b"\0" * (-len(head) % alignment)
    if data is None:
        end = max((tensor.offset + tensor.n_bytes for tensor in tensors), default=0)
        data = b"\0" * end
    return head + data


def small_model(architecture: str = "llama") -> bytes:
    """A header with everything in it: scalars, text, arrays of both, two tensors with data."""
    return gguf(
        {
            "general.architecture": architecture,
            "general.name": "Tiny",
            "general.alignment": 32,
            f"{architecture}.block_count": 2,
            f"{architecture}.embedding_length": 64,
            f"{architecture}.attention.head_count": 4,
            f"{architecture}.attention.head_count_kv": [2, 1],
            f"{architecture}.rope.freq_base": 10000.0,
            "tokenizer.ggml.add_bos_token": True,
            "tokenizer.ggml.tokens": ["<s>", "hello", "漢"],
        },
        [
            Tensor("token_embd.weight", (64, 3), 0, 768, 0),
            Tensor("output.weight", (64, 3), 2, 108, 768),
        ],
    )
