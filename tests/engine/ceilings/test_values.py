"""The ceilings say what bounds a computation, by its number format."""

from dataclasses import replace

import pytest

from engine.ceilings.values import Ceilings, compute_format

CEILINGS = Ceilings(
    machine="a CPU",
    device="CPU",
    read_bytes_per_s=40e9,
    read_threads=2,
    matrix_flop_per_s=(("float32", 200e9), ("int8", 900e9)),
    others_ratio=0.02,
    measured_ms=0,
)


@pytest.mark.parametrize(
    ("backend", "quantization", "dtype", "expected"),
    [
        ("llama", "Q4_1", None, "int8"),
        ("llama", "Q6_K", None, "int8"),
        ("llama", "F16", None, "float16"),
        ("llama", "BF16", None, "bfloat16"),
        ("llama", "F32", None, "float32"),
        ("llama", None, None, None),
        ("torch", "Q4_1", "float32", "float32"),
    ],
)
def test_llama_multiplies_quantized_weights_as_integers_and_torch_in_its_own_format(
    backend: str, quantization: str | None, dtype: str | None, expected: str | None
) -> None:
    assert compute_format(backend, quantization, dtype) == expected


def test_a_format_that_was_not_measured_is_bounded_by_the_fastest() -> None:
    assert CEILINGS.matrix_rate("float32") == ("float32", 200e9)
    assert CEILINGS.matrix_rate("bfloat16") == ("int8", 900e9)
    assert CEILINGS.matrix_rate(None) == ("int8", 900e9)


@pytest.mark.parametrize(
    ("others_ratio", "is_disturbed"), [(None, False), (0.0, False), (0.04, False), (0.3, True)]
)
def test_much_other_work_disturbs(others_ratio: float | None, is_disturbed: bool) -> None:
    assert replace(CEILINGS, others_ratio=others_ratio).is_disturbed == is_disturbed
