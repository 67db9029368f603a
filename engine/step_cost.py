"""What one token costs: the weights a decode step reads, and those a prompt token is multiplied by.

Of the experts of a mixture only those that are chosen count. An embedding is a table of which one
row is looked up, so it counts only where it is the output matrix as well. The output matrix is
read at every step; a prefill multiplies only its last token by it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.gguf import GgufHeader, GgufTensor
from engine.values import StepCost

_EMBEDDING, _OUTPUT = "token_embd.weight", "output.weight"
_LOOKED_UP = frozenset({_EMBEDDING, "per_layer_token_embd.weight", "position_embd.weight"})
_EXPERTS = "_exps."


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """A weight tensor: its size, and what it is for.

    `is_looked_up`: only a row of it is read. `is_output`: it makes the logits.
    """

    n_elements: int
    n_bytes: int
    n_dimensions: int
    is_expert: bool = False
    is_looked_up: bool = False
    is_output: bool = False


def step_cost(weights: Iterable[Weight], *, expert_ratio: float | None) -> StepCost | None:
    """Sum up the weights of a model.

    Args:
        weights: All of them.
        expert_ratio: Share of the experts that each token uses; None where it is not known.

    Returns None where there are experts and nobody knows how many of them work.
    """
    read_bytes = n_multiplied = n_output = 0.0
    for weight in weights:
        if weight.is_expert and expert_ratio is None:
            return None
        share = expert_ratio if weight.is_expert and expert_ratio is not None else 1.0
        if not weight.is_looked_up or weight.is_output:
            read_bytes += weight.n_bytes * share
        if weight.is_output:
            n_output += weight.n_elements
        elif not weight.is_looked_up and weight.n_dimensions > 1:
            n_multiplied += weight.n_elements * share
    return StepCost(
        read_bytes=round(read_bytes),
        n_multiplied=round(n_multiplied),
        n_step_multiplied=round(n_multiplied + n_output),
    )


def gguf_step_cost(headers: Iterable[GgufHeader]) -> StepCost | None:
    """That of a model in one or several GGUF files, the first of which describes it."""
    files = list(headers)
    names = {tensor.name for header in files for tensor in header.tensors}
    is_tied = _OUTPUT not in names
    weights: list[Weight] = []
    for header in files:
        for tensor in header.tensors:
            if tensor.n_bytes is None:
                return None
            weights.append(_gguf_weight(tensor, tensor.n_bytes, is_tied=is_tied))
    n_experts, n_used = files[0].integer("expert_count"), files[0].integer("expert_used_count")
    return step_cost(weights, expert_ratio=n_used / n_experts if n_experts and n_used else None)


def _gguf_weight(tensor: GgufTensor, n_bytes: int, *, is_tied: bool) -> Weight:
    name = tensor.name
    return Weight(
        n_elements=tensor.n_elements,
        n_bytes=n_bytes,
        n_dimensions=sum(size > 1 for size in tensor.dimensions),
        is_expert=_EXPERTS in name,
        is_looked_up=name in _LOOKED_UP,
        is_output=name == _OUTPUT or (is_tied and name == _EMBEDDING),
    )
