"""Whether the library computes several tokens from the state that a recurrent model is in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from engine.backends.torch_hf.kv_cache import KvCache
    from engine.backends.torch_hf.runner import Runner


def goes_on_from_state(runner: Runner, kv: KvCache) -> bool:
    """Whether a batch of tokens after others depends on all that the first state holds.

    Some models of transformers begin anew at each batch, and only single tokens go on. What is not
    a number spreads to everything that is computed from it, so a state of that shows in the
    logits unless it was forgotten. Leaves the cache with some tokens.
    """
    index, n_tensors = 0, 1
    while index < n_tensors:
        kv.clear()
        runner.compute([0, 0, 0, 0])
        state = kv.states()[0]
        n_tensors = len(state)
        with torch.inference_mode():
            state[index].fill_(float("nan"))
        if not bool(runner.compute([0, 0]).isnan().any()):
            return False
        index += 1
    return True
