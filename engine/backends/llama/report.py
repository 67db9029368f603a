"""What llama.cpp says in its log about a load: the only place where sizes of buffers appear."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

_MIB = 1 << 20
# Sizes are printed with two decimals; halves may go either way.
ROUNDING_BYTES = _MIB / 200 + 1
_MODEL_BUFFER = re.compile(r"load_tensors:\s+(\S+) model buffer size =\s*([\d.]+) MiB")
_KV_BUFFER = re.compile(r":\s+(\S+) (?:KV|RS) buffer size =\s*([\d.]+) MiB")
_KV_CACHE = re.compile(
    r"size =\s*([\d.]+) MiB \(\s*(\d+) cells,\s*(\d+) layers.*\), K \(\w+\):.*, V \(\w+\):"
)
_RECURRENT = re.compile(r"size =\s*([\d.]+) MiB \(\s*\d+ cells,.*\), R \(")
_SCRATCH = re.compile(r":\s+(\S+)\s+(?:compute|output) buffer size =\s*([\d.]+) MiB")
_PER_LAYER = re.compile(r"print_info: (n_embd_k_gqa|n_embd_v_gqa)\s+= (.+)")
_WINDOW = re.compile(r"print_info: n_swa\s+= (\d+)")
_LAYER = re.compile(r"load_tensors: layer\s+(\d+) assigned to device (.+), is_swa = (\d)")
_OFFLOADED = re.compile(r"offloaded (\d+)/(\d+) layers to GPU")
_UNKNOWN_ARCHITECTURE = re.compile(r"unknown model architecture: '([^']*)'")
_FLASH_OFF = re.compile(r"Flash Attention not supported|forcing off", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheReport:
    """One KV cache: bytes (rounded as printed), cells (tokens that fit), and its layers."""

    n_bytes: float
    n_cells: int
    n_layers: int


@dataclass(slots=True, kw_only=True)
class LoadReport:
    """What was found in the log. Empty or None where nothing was said."""

    model_buffers: list[tuple[str, float]] = field(default_factory=list)
    kv_buffers: list[tuple[str, float]] = field(default_factory=list)
    scratch_buffers: list[tuple[str, float]] = field(default_factory=list)
    caches: list[CacheReport] = field(default_factory=list)
    recurrent_bytes: float = 0.0
    k_widths: tuple[int, ...] = ()
    v_widths: tuple[int, ...] = ()
    sliding_window: int = 0
    sliding_layers: dict[int, bool] = field(default_factory=dict)
    gpu_layers: set[int] = field(default_factory=set)
    n_offloaded: int = 0
    flash_attention_refused: bool = False
    unknown_architecture: str | None = None

    @property
    def n_layers(self) -> int:
        """Transformer blocks; the log counts the output layer as one more."""
        return max(len(self.sliding_layers) - 1, 0)

    @property
    def gpu_ratio(self) -> float:
        """Share of the transformer blocks, and so of the KV cache, that is on GPUs."""
        if not self.n_layers:
            return 0.0
        return sum(layer < self.n_layers for layer in self.gpu_layers) / self.n_layers


def parse(lines: Iterable[str]) -> LoadReport:
    """Collect what the lines of one load say."""
    report = LoadReport()
    for line in lines:
        _read_sizes(report, line)
        _read_model(report, line)
    return report


def _read_sizes(report: LoadReport, line: str) -> None:
    if match := _MODEL_BUFFER.search(line):
        report.model_buffers.append((match[1], float(match[2]) * _MIB))
    elif match := _KV_BUFFER.search(line):
        report.kv_buffers.append((match[1], float(match[2]) * _MIB))
    elif match := _KV_CACHE.search(line):
        report.caches.append(
            CacheReport(
                n_bytes=float(match[1]) * _MIB, n_cells=int(match[2]), n_layers=int(match[3])
            )
        )
    elif match := _RECURRENT.search(line):
        report.recurrent_bytes += float(match[1]) * _MIB
    elif match := _SCRATCH.search(line):
        report.scratch_buffers.append((match[1], float(match[2]) * _MIB))


def _read_model(report: LoadReport, line: str) -> None:
    if match := _LAYER.search(line):
        report.sliding_layers[int(match[1])] = match[3] == "1"
        if match[2] != "CPU":
            report.gpu_layers.add(int(match[1]))
    elif match := _PER_LAYER.search(line):
        widths = tuple(int(width) for width in re.findall(r"\d+", match[2]))
        if match[1] == "n_embd_k_gqa":
            report.k_widths = widths
        else:
            report.v_widths = widths
    elif match := _WINDOW.search(line):
        report.sliding_window = int(match[1])
    elif match := _OFFLOADED.search(line):
        report.n_offloaded = int(match[1])
    elif match := _UNKNOWN_ARCHITECTURE.search(line):
        report.unknown_architecture = match[1]
    elif _FLASH_OFF.search(line):
        report.flash_attention_refused = True
