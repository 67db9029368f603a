"""Runs a sampler chain one sampler at a time, and says what each left."""

from __future__ import annotations

import ctypes
from dataclasses import replace
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.backends.inspecting import ChoiceWatch, softmax
from engine.errors import EngineError, ErrorCode
from engine.inspection import SamplerStage

if TYPE_CHECKING:
    from engine.backends.llama.context import Context
    from engine.backends.llama.sampler import SamplerChain
    from engine.backends.llama.vocab import Vocab
    from engine.inspection import TokenInspection

# `llama_token_data`: what samplers read, reorder and cut.
_TOKEN_DATA = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])


class InspectingSampler:
    """Chooses the same tokens as `Context.sample`, with the same calls of the library.

    Attributes:
        last: How the last token was chosen.
    """

    def __init__(self, llama: Any, vocab: Vocab) -> None:  # noqa: ANN401
        """Use the vocabulary of the model whose logits come."""
        self._llama = llama
        self._vocab = vocab
        self._ids = np.arange(vocab.n_tokens, dtype=np.int32)
        self._data = np.zeros(vocab.n_tokens, _TOKEN_DATA)
        self._pieces: dict[int, bytes] = {}
        self.last: tuple[TokenInspection, ...] = ()

    def sample(self, chain: SamplerChain, context: Context) -> int:
        """Choose a token from the logits of the last one computed, and tell the chain."""
        llama = self._llama
        begun_ns, sampling_ns = perf_counter_ns(), 0
        logits = np.ctypeslib.as_array(context.logits(), (self._vocab.n_tokens,))
        watch = ChoiceWatch(logits, is_penalized=chain.is_penalized)
        self._data["id"] = self._ids
        self._data["logit"] = logits
        left = llama.llama_token_data_array(
            data=self._data.ctypes.data_as(llama.llama_token_data_p),
            size=len(self._data),
            selected=-1,
            sorted=False,
        )
        kept = self._data
        for sampler, stage in chain.stages:
            t_ns = perf_counter_ns()
            llama.llama_sampler_apply(sampler, ctypes.byref(left))
            sampling_ns += perf_counter_ns() - t_ns
            if stage is SamplerStage.GREEDY:
                kept = self._view(left)[left.selected :][:1]
                watch.stage(stage, kept["id"])
            elif stage is not None:
                kept = self._view(left)
                watch.stage(stage, kept["id"])
        if not 0 <= left.selected < left.size:
            raise EngineError(ErrorCode.INTERNAL, "the sampler chain selected no token")
        if chain.stages[-1][1] is not SamplerStage.GREEDY:
            kept = self._view(left)
        token = int(left.data[left.selected].id)
        llama.llama_sampler_accept(chain.handle, token)
        told = watch.finish(token, kept["id"], softmax(kept["logit"]), self._piece)
        self.last = (replace(told, watch_ns=perf_counter_ns() - begun_ns - sampling_ns),)
        return token

    def _piece(self, token: int) -> bytes:
        kept = self._pieces.get(token)
        if kept is None:
            kept = self._pieces[token] = self._vocab.shown_bytes(token)
        return kept

    def _view(self, left: Any) -> Any:  # noqa: ANN401
        """The tokens that are left, where the library keeps them."""
        address = ctypes.cast(left.data, ctypes.c_void_p).value
        size = left.size * _TOKEN_DATA.itemsize
        return np.frombuffer((ctypes.c_char * size).from_address(address), _TOKEN_DATA)
