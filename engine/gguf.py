"""Reads the header of a GGUF file without trusting it, before a native library maps the file.

Every length is checked against the file before it is used, so that neither a damaged nor a hostile
file makes this loop or allocate. Format: ggml/docs/gguf.md.
"""

import re
import stat
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from engine.errors import EngineError, ErrorCode
from engine.gguf_types import FILE_TYPES, TENSOR_TYPES

Value = int | float | bool | str | tuple[int | float | bool, ...]

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
# The largest real headers (260,000 tokens with merges) take about 20 MB.
_MAX_HEADER_BYTES = 256 << 20
_MAX_DIMENSIONS = 4
# Longer arrays are vocabularies, which nobody here needs.
_MAX_KEPT_ELEMENTS = 4096
_STRING, _ARRAY = 8, 9
_SCALARS: dict[int, struct.Struct] = {
    kind: struct.Struct("<" + code) for kind, code in enumerate("BbHhIif?")
} | {10: struct.Struct("<Q"), 11: struct.Struct("<q"), 12: struct.Struct("<d")}
_U32 = struct.Struct("<I")
_U64 = struct.Struct("<Q")
_SHARD = re.compile(r"^(?P<stem>.*)-(?P<number>\d{5})-of-(?P<count>\d{5})\.gguf$")


@dataclass(frozen=True, slots=True, kw_only=True)
class GgufTensor:
    """One tensor: its dimensions (elements, fastest first), type id and offset in the data."""

    name: str
    dimensions: tuple[int, ...]
    type_id: int
    offset: int

    @property
    def n_elements(self) -> int:
        """Product of the dimensions."""
        product = 1
        for size in self.dimensions:
            product *= size
        return product

    @property
    def n_bytes(self) -> int | None:
        """Bytes of its data; None for a type this module does not know."""
        known = TENSOR_TYPES.get(self.type_id)
        if known is None:
            return None
        return self.n_elements // known.block_elements * known.block_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class GgufHeader:
    """What a GGUF file says about itself. Arrays of text and long arrays are left out."""

    path: Path
    file_bytes: int
    version: int
    metadata: dict[str, Value]
    tensors: tuple[GgufTensor, ...]
    data_offset: int

    @property
    def architecture(self) -> str | None:
        """`general.architecture`, None where it is missing."""
        value = self.metadata.get("general.architecture")
        return value if isinstance(value, str) and value else None

    @property
    def quantization(self) -> str | None:
        """Name of the file type, else of the type that most bytes have."""
        declared = self.metadata.get("general.file_type")
        if isinstance(declared, int) and declared in FILE_TYPES:
            return FILE_TYPES[declared]
        sizes: dict[str, int] = {}
        for tensor in self.tensors:
            if (known := TENSOR_TYPES.get(tensor.type_id)) is not None:
                sizes[known.name] = sizes.get(known.name, 0) + (tensor.n_bytes or 0)
        return max(sizes, key=lambda name: sizes[name]) if sizes else None

    @property
    def tensor_bytes(self) -> int:
        """Bytes of all tensors of known types."""
        return sum(tensor.n_bytes or 0 for tensor in self.tensors)

    @property
    def needed_file_bytes(self) -> int:
        """Size the file must have for every tensor to lie within it."""
        ends = [t.offset + t.n_bytes for t in self.tensors if t.n_bytes is not None]
        return self.data_offset + max(ends, default=0)

    def integer(self, key: str) -> int | None:
        """A whole number of the metadata, `key` without the architecture's prefix."""
        value = self.metadata.get(f"{self.architecture}.{key}")
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def per_layer(self, key: str, n_layers: int) -> tuple[int, ...] | None:
        """A number of each layer, from an array or from one number for all."""
        value = self.metadata.get(f"{self.architecture}.{key}")
        if isinstance(value, tuple):
            whole = tuple(int(element) for element in value)
            return whole[:n_layers] if len(whole) >= n_layers else None
        return (int(value),) * n_layers if isinstance(value, int) else None


def read_header(path: Path) -> GgufHeader:
    """Read and check the header of one file.

    Raises:
        EngineError: FILE_NOT_FOUND, FILE_UNREADABLE, NOT_A_GGUF or FILE_TRUNCATED; the last with
            `have_bytes` and, where the file tells, `need_bytes`.
    """
    try:
        # Opening a pipe or a device may wait for ever.
        if not stat.S_ISREG(path.stat().st_mode):
            raise EngineError(
                ErrorCode.FILE_UNREADABLE, "not a regular file", path=str(path), reason=""
            )
        with path.open("rb") as file:
            reader = _Reader(path, file)
            header = _parse(reader)
    except FileNotFoundError as error:
        raise EngineError(ErrorCode.FILE_NOT_FOUND, str(error), path=str(path)) from error
    except (OSError, ValueError) as error:
        # ValueError: a name that no file can have, with a NUL in it.
        reason = getattr(error, "strerror", None) or ""
        raise EngineError(
            ErrorCode.FILE_UNREADABLE, str(error), path=str(path), reason=reason
        ) from error
    if header.needed_file_bytes > header.file_bytes:
        raise _truncated(path, header.file_bytes, header.needed_file_bytes)
    return header


def shard_paths(header: GgufHeader) -> tuple[Path, ...]:
    """All files of a model split over several, in order; one path for a model in one file.

    Raises:
        EngineError: LOAD_FAILED if the names do not say where the other parts are, or if this is
            not the first part.
    """
    count = header.metadata.get("split.count", 1)
    if not isinstance(count, int) or count <= 1:
        return (header.path,)
    match = _SHARD.match(header.path.name)
    if match is None or int(match["count"]) != count:
        raise EngineError(
            ErrorCode.LOAD_FAILED,
            f"{header.path.name} is part of a model split over {count} files, which must be "
            f"called <name>-00001-of-{count:05d}.gguf and so on",
            path=str(header.path),
        )
    if int(match["number"]) != 1:
        raise EngineError(
            ErrorCode.LOAD_FAILED,
            f"this is part {int(match['number'])} of {count}; open the first part",
            path=str(header.path),
        )
    return tuple(
        header.path.with_name(f"{match['stem']}-{number:05d}-of-{count:05d}.gguf")
        for number in range(1, count + 1)
    )


class _Reader:
    """A bounded window on the start of the file that grows as the header is read."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self.file_bytes = file.seek(0, 2)
        file.seek(0)
        self._file = file
        self.data = b""
        self.position = 0

    def need(self, n_bytes: int) -> None:
        """Make the next `n_bytes` available, or say why they are not."""
        end = self.position + n_bytes
        if end <= len(self.data):
            return
        if end > _MAX_HEADER_BYTES:
            raise _not_gguf(self.path, f"a length at byte {self.position} is out of bounds")
        if end > self.file_bytes:
            raise _truncated(self.path, self.file_bytes, end)
        grown = min(max(end, 2 * len(self.data), 4 << 20), self.file_bytes, _MAX_HEADER_BYTES)
        self.data += self._file.read(grown - len(self.data))
        if end > len(self.data):
            raise _truncated(self.path, len(self.data), end)

    def u32(self) -> int:
        self.need(4)
        self.position += 4
        return int(_U32.unpack_from(self.data, self.position - 4)[0])

    def u64(self) -> int:
        self.need(8)
        self.position += 8
        return int(_U64.unpack_from(self.data, self.position - 8)[0])

    def text(self) -> str:
        length = self.u64()
        self.need(length)
        self.position += length
        return self.data[self.position - length : self.position].decode("utf-8", "replace")

    def skip_texts(self, count: int) -> None:
        """Pass over `count` texts. The hot loop of this module: a vocabulary has 500,000."""
        self.need(8 * count)
        unpack, left = _U64.unpack_from, count
        while left:
            data = self.data
            last_length = len(data) - 8
            start = position = self.position
            while left and position <= last_length:
                start = position
                position += 8 + unpack(data, position)[0]
                left -= 1
            if position > len(data):
                left += 1
                self.position = start
                self.need(8 + unpack(data, start)[0])
            else:
                self.position = position
                self.need(8 if left else 0)


def _parse(reader: _Reader) -> GgufHeader:
    if reader.file_bytes < 4:
        raise _not_gguf(reader.path, "the file is shorter than the magic number")
    reader.need(4)
    if reader.data[:4] != _MAGIC:
        raise _not_gguf(reader.path, f"it starts with {reader.data[:4]!r}, not {_MAGIC!r}")
    reader.position = 4
    version = reader.u32()
    if version not in _VERSIONS:
        raise _not_gguf(reader.path, f"GGUF version {version} is not one of {_VERSIONS}")
    n_tensors, n_pairs = reader.u64(), reader.u64()
    # The smallest pair takes 13 bytes, the smallest tensor entry 32.
    if n_pairs * 13 + n_tensors * 24 > _MAX_HEADER_BYTES:
        raise _not_gguf(reader.path, f"it claims {n_pairs} values and {n_tensors} tensors")
    metadata: dict[str, Value] = {}
    for _ in range(n_pairs):
        key = reader.text()
        value = _value(reader, reader.u32())
        if value is not None:
            metadata[key] = value
    tensors = tuple(_tensor(reader) for _ in range(n_tensors))
    alignment = metadata.get("general.alignment", 32)
    if not isinstance(alignment, int) or alignment <= 0 or alignment & (alignment - 1):
        raise _not_gguf(reader.path, f"its alignment is {alignment!r}")
    return GgufHeader(
        path=reader.path,
        file_bytes=reader.file_bytes,
        version=version,
        metadata=metadata,
        tensors=tensors,
        data_offset=-(-reader.position // alignment) * alignment,
    )


def _value(reader: _Reader, kind: int) -> Value | None:
    if kind == _STRING:
        return reader.text()
    if kind == _ARRAY:
        return _array(reader)
    scalar = _SCALARS.get(kind)
    if scalar is None:
        raise _not_gguf(reader.path, f"value type {kind} at byte {reader.position} is unknown")
    reader.need(scalar.size)
    reader.position += scalar.size
    value: int | float | bool = scalar.unpack_from(reader.data, reader.position - scalar.size)[0]
    return value


def _array(reader: _Reader) -> tuple[int | float | bool, ...] | None:
    kind, count = reader.u32(), reader.u64()
    if kind == _STRING:
        reader.skip_texts(count)
        return None
    scalar = _SCALARS.get(kind)
    if scalar is None:
        raise _not_gguf(reader.path, f"array type {kind} at byte {reader.position} is unknown")
    start, n_bytes = reader.position, count * scalar.size
    reader.need(n_bytes)
    reader.position += n_bytes
    if count > _MAX_KEPT_ELEMENTS:
        return None
    return tuple(value for (value,) in scalar.iter_unpack(reader.data[start : start + n_bytes]))


def _tensor(reader: _Reader) -> GgufTensor:
    name, n_dimensions = reader.text(), reader.u32()
    if n_dimensions > _MAX_DIMENSIONS:
        raise _not_gguf(reader.path, f"tensor {name[:80]!r} has {n_dimensions} dimensions")
    dimensions = tuple(reader.u64() for _ in range(n_dimensions))
    tensor = GgufTensor(name=name, dimensions=dimensions, type_id=reader.u32(), offset=reader.u64())
    if tensor.n_elements >= 1 << 63 or tensor.offset >= 1 << 63:
        raise _not_gguf(reader.path, f"tensor {name[:80]!r} is impossibly large")
    return tensor


def _not_gguf(path: Path, technical: str) -> EngineError:
    return EngineError(ErrorCode.NOT_A_GGUF, technical, path=str(path))


def _truncated(path: Path, have_bytes: int, need_bytes: int) -> EngineError:
    return EngineError(
        ErrorCode.FILE_TRUNCATED,
        f"{path.name} has {have_bytes} bytes and needs at least {need_bytes}",
        path=str(path),
        have_bytes=have_bytes,
        need_bytes=need_bytes,
    )
