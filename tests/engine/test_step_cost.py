"""What a token costs, against models whose weights can be counted by hand."""

from pathlib import Path

import pytest

from app.paths import starter_model_path
from engine.gguf import GgufHeader, GgufTensor, read_header
from engine.step_cost import gguf_step_cost
from engine.values import StepCost

F16, F32 = 1, 0


def header(tensors: dict[str, tuple[int, ...]], **metadata: int) -> GgufHeader:
    return GgufHeader(
        path=Path("m.gguf"),
        file_bytes=0,
        version=3,
        metadata={"general.architecture": "m", **{f"m.{k}": v for k, v in metadata.items()}},
        tensors=tuple(
            GgufTensor(name=name, dimensions=size, type_id=F16, offset=0)
            for name, size in tensors.items()
        ),
        data_offset=0,
    )


def test_the_starter_model() -> None:
    """30 layers of 576 x 576 (q, o), 576 x 192 (k, v) and 3 of 576 x 1536; its output is tied."""
    path = starter_model_path()
    assert path is not None
    starter = read_header(path)
    layers = 30 * (2 * 576 * 576 + 2 * 576 * 192 + 3 * 576 * 1536)
    assert gguf_step_cost([starter]) == StepCost(
        read_bytes=starter.tensor_bytes,
        n_multiplied=layers,
        n_step_multiplied=layers + 49_152 * 576,
    )


def test_an_embedding_that_is_not_the_output_is_a_table_of_which_one_row_is_read() -> None:
    untied = header(
        {"token_embd.weight": (8, 100), "blk.0.attn_q.weight": (8, 8), "output.weight": (8, 100)}
    )
    assert gguf_step_cost([untied]) == StepCost(
        read_bytes=2 * (64 + 800), n_multiplied=64, n_step_multiplied=864
    )


def test_norms_are_read_and_not_multiplied() -> None:
    norms = header({"blk.0.attn_norm.weight": (8,), "blk.0.attn_q.weight": (8, 8)})
    assert gguf_step_cost([norms]) == StepCost(
        read_bytes=2 * 72, n_multiplied=64, n_step_multiplied=64
    )


def test_of_experts_those_count_that_are_chosen() -> None:
    tensors = {"blk.0.ffn_up_exps.weight": (8, 16, 4), "blk.0.ffn_gate_inp.weight": (8, 4)}
    mixture = header(tensors, expert_count=4, expert_used_count=2)
    assert gguf_step_cost([mixture]) == StepCost(
        read_bytes=2 * (256 + 32), n_multiplied=256 + 32, n_step_multiplied=256 + 32
    )
    assert gguf_step_cost([header(tensors)]) is None


def test_a_model_in_parts_is_summed_up() -> None:
    parts = [header({"token_embd.weight": (8, 100)}), header({"output.weight": (8, 100)})]
    assert gguf_step_cost(parts) == StepCost(read_bytes=1600, n_multiplied=0, n_step_multiplied=800)


def test_a_format_that_is_not_known_leaves_the_cost_unknown() -> None:
    strange = GgufTensor(name="blk.0.attn_q.weight", dimensions=(8, 8), type_id=999, offset=0)
    known = header({})
    unknown = GgufHeader(
        path=known.path,
        file_bytes=0,
        version=3,
        metadata=known.metadata,
        tensors=(strange,),
        data_offset=0,
    )
    assert gguf_step_cost([unknown]) is None


@pytest.mark.parametrize("name", ["position_embd.weight", "per_layer_token_embd.weight"])
def test_tables_are_not_read_as_a_whole(name: str) -> None:
    assert gguf_step_cost([header({name: (8, 100)})]) == StepCost(
        read_bytes=0, n_multiplied=0, n_step_multiplied=0
    )
