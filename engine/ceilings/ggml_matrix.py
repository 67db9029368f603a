"""Products of large matrices with the kernels that llama.cpp computes with on a CPU."""

from __future__ import annotations

import ctypes
import sys
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from engine.ceilings.values import FLOAT16, FLOAT32, INT8

if TYPE_CHECKING:
    from collections.abc import Iterator

# Weights of K x M against N tokens: a layer of a middling model. More tokens are no faster, and
# take longer than a busy system leaves a program alone.
_K, _M, _N = 2048, 2048, 128
# Twice the product of the largest format, and the working memory of many runs.
_MEMORY_BYTES = 128 << 20
_LEAST_RUNS = 3
_FLOP = 2 * _K * _M * _N
# Source: `enum ggml_type` of ggml.h. Q8_0 stands for all formats that multiply as integers.
_TYPES = ((FLOAT32, 0), (FLOAT16, 1), (INT8, 8))


class _InitParams(ctypes.Structure):
    """`struct ggml_init_params` of ggml.h."""

    _fields_ = (
        ("mem_size", ctypes.c_size_t),
        ("mem_buffer", ctypes.c_void_p),
        ("no_alloc", ctypes.c_bool),
    )


@dataclass(frozen=True, slots=True)
class _Ggml:
    base: ctypes.CDLL
    cpu: ctypes.CDLL


def measure_ggml(seconds: float, n_threads: int) -> Iterator[tuple[str, float]]:
    """Format and operations per second, one after the other, in about `seconds` in all.

    Raises:
        OSError: The libraries cannot be loaded.
        AttributeError: They lack a function that is needed.
    """
    ggml = _load()
    for name, type_id in _TYPES:
        yield name, _rate(ggml, type_id, seconds / len(_TYPES), n_threads)


def _rate(ggml: _Ggml, type_id: int, seconds: float, n_threads: int) -> float:
    base = ggml.base
    context = base.ggml_init(_InitParams(_MEMORY_BYTES, None, False))
    if not context:
        raise MemoryError
    try:
        best_s, begin = float("inf"), time.perf_counter()
        n_runs, graph = 0, None
        while time.perf_counter() - begin < seconds or n_runs < _LEAST_RUNS:
            # Every run takes its working memory out of the context, and gives none back.
            if graph is None or base.ggml_used_mem(context) > _MEMORY_BYTES // 2:
                graph = _graph(base, context, type_id)
            t0 = time.perf_counter()
            if ggml.cpu.ggml_graph_compute_with_ctx(context, graph, n_threads) != 0:
                raise MemoryError
            best_s = min(best_s, time.perf_counter() - t0)
            n_runs += 1
        return _FLOP / best_s
    finally:
        base.ggml_free(context)


def _graph(base: ctypes.CDLL, context: int, type_id: int) -> int:
    """The product, in a context that is emptied for it."""
    base.ggml_reset(context)
    weights = base.ggml_new_tensor_2d(context, type_id, _K, _M)
    tokens = base.ggml_new_tensor_2d(context, 0, _K, _N)
    # Small numbers in every format: what they are does not change the time.
    for tensor, byte in ((weights, 0x11), (tokens, 0x3C)):
        ctypes.memset(base.ggml_get_data(tensor), byte, base.ggml_nbytes(tensor))
    graph: int = base.ggml_new_graph(context)
    base.ggml_build_forward_expand(graph, base.ggml_mul_mat(context, weights, tokens))
    return graph


def _load() -> _Ggml:
    spec = find_spec("llama_cpp")
    if spec is None or spec.origin is None:
        message = "llama-cpp-python is not installed"
        raise OSError(message)
    folder = Path(spec.origin).parent / "lib"
    base, cpu = (_library(folder, name) for name in ("ggml-base", "ggml-cpu"))
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    for library, name, result, arguments in (
        (base, "ggml_init", pointer, [_InitParams]),
        (base, "ggml_free", None, [pointer]),
        (base, "ggml_reset", None, [pointer]),
        (base, "ggml_used_mem", ctypes.c_size_t, [pointer]),
        (base, "ggml_new_tensor_2d", pointer, [pointer, ctypes.c_int, number, number]),
        (base, "ggml_mul_mat", pointer, [pointer, pointer, pointer]),
        (base, "ggml_new_graph", pointer, [pointer]),
        (base, "ggml_build_forward_expand", None, [pointer, pointer]),
        (base, "ggml_get_data", pointer, [pointer]),
        (base, "ggml_nbytes", ctypes.c_size_t, [pointer]),
        (cpu, "ggml_graph_compute_with_ctx", ctypes.c_int, [pointer, pointer, ctypes.c_int]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return _Ggml(base, cpu)


def _library(folder: Path, name: str) -> ctypes.CDLL:
    if sys.platform == "win32":
        file_name = f"{name}.dll"
    else:
        file_name = f"lib{name}.dylib" if sys.platform == "darwin" else f"lib{name}.so"
    return ctypes.CDLL(str(folder / file_name))
