"""The two ceilings of a roofline, and where a model falls under them.

Source of the model: Williams, Waterman, Patterson, "Roofline: an insightful visual performance
model for multicore architectures", CACM 52 (4), 2009.
"""

from dataclasses import dataclass

FLOAT32, FLOAT16, BFLOAT16, INT8 = "float32", "float16", "bfloat16", "int8"
MOST_OTHERS_RATIO = 0.05
"""Of all cores' time. A desktop with nothing to do stays below."""
METHOD = 2
"""How it is measured; one more whenever that changes, so that no two are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceilings:
    """What one device reaches at most, as measured there.

    Attributes:
        machine: The processor's name, so that a file that moved is not believed.
        device: As `EngineInfo.device`.
        read_bytes_per_s: Memory read in order, in two places by each thread, by all threads
            together; the 99th percentile of many windows of a few milliseconds.
        read_threads: Threads that reached it; None on a GPU.
        matrix_flop_per_s: Products of large matrices, a multiplication and an addition counted
            as two operations, by number format.
        others_ratio: Part of all cores' time that other programs, or the host of a virtual machine,
            took meanwhile, 0 to 1: what was measured is less than the device reaches. None where
            the system does not tell, and on a GPU, which has little to do with it.
        measured_ms: When, Unix time in milliseconds.
        method: The `METHOD` it was measured by.
    """

    machine: str
    device: str
    read_bytes_per_s: float
    read_threads: int | None
    matrix_flop_per_s: tuple[tuple[str, float], ...]
    others_ratio: float | None
    measured_ms: int
    method: int = METHOD

    @property
    def is_disturbed(self) -> bool:
        """Whether enough else was going on to be felt."""
        return self.others_ratio is not None and self.others_ratio > MOST_OTHERS_RATIO

    def matrix_rate(self, number_format: str | None) -> tuple[str, float] | None:
        """Format and rate that bound a computation in `number_format`.

        The fastest of all where that format was not measured; None where none was.
        """
        for name, rate in self.matrix_flop_per_s:
            if name == number_format:
                return name, rate
        return max(self.matrix_flop_per_s, key=lambda item: item[1], default=None)

    def decode_limit_tok_per_s(self, read_bytes_per_token: float) -> float:
        """Decode rate if what a step needs were read once at the full bandwidth."""
        return self.read_bytes_per_s / read_bytes_per_token


def compute_format(backend: str, quantization: str | None, dtype: str | None) -> str | None:
    """Number format in which an engine multiplies its weights; None where it is not known.

    llama.cpp multiplies quantized weights with activations rounded to 8-bit integers, and float
    weights with floats. torch multiplies in its `dtype`.
    """
    if backend == "torch":
        return dtype
    if quantization is None:
        return None
    floats = {"F32": FLOAT32, "F16": FLOAT16, "BF16": BFLOAT16}
    return floats.get(quantization, INT8)
