"""Owns a `llama_context`: its creation, its threads, and what its memory holds."""

from dataclasses import dataclass
from typing import Any

from engine.errors import EngineError, ErrorCode
from engine.log import EngineLog
from engine.values import FlashAttention, KvType, LoadOptions

_GGML_TYPES = {KvType.F16: 1, KvType.Q4_0: 2, KvType.Q8_0: 8}
_FLASH = {FlashAttention.AUTO: -1, FlashAttention.OFF: 0, FlashAttention.ON: 1}
# `llama_decode`: 1 no room in the KV cache, 2 aborted by the callback, negative an error.
DECODED, NO_ROOM, ABORTED = 0, 1, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeTimings:
    """llama.cpp's own counters since the last reset, in milliseconds and tokens."""

    prefill_ms: float
    n_prefill: int
    decode_ms: float
    n_decode: int


class Context:
    """One sequence of tokens in one context."""

    def __init__(
        self,
        llama: Any,  # noqa: ANN401
        model: Any,  # noqa: ANN401
        options: LoadOptions,
        *,
        n_ctx: int,
        n_threads: int,
        n_threads_prefill: int,
        log: EngineLog,
    ) -> None:
        """Allocate the KV cache and the compute buffers.

        Raises:
            EngineError: CONTEXT_FAILED with the end of the log.
        """
        self._llama = llama
        parameters = llama.llama_context_default_params()
        parameters.n_ctx = n_ctx
        parameters.n_batch = options.n_batch
        parameters.n_ubatch = min(options.n_ubatch, options.n_batch)
        parameters.n_seq_max = 1
        # Only the last token of a prompt is sampled from: no logits for the rest of a batch.
        parameters.n_outputs_max = 1
        parameters.n_threads = n_threads
        parameters.n_threads_batch = n_threads_prefill
        parameters.type_k = parameters.type_v = _GGML_TYPES[options.kv_type]
        parameters.flash_attn_type = _FLASH[options.flash_attention]
        parameters.swa_full = False
        parameters.no_perf = False
        self.handle: Any = llama.llama_init_from_model(model, parameters) or None
        if self.handle is None:
            raise EngineError(
                ErrorCode.CONTEXT_FAILED,
                f"llama_init_from_model returned nothing for {n_ctx} tokens",
                log_tail=log.tail(),
                n_ctx=n_ctx,
            )
        self.n_ctx = int(llama.llama_n_ctx_seq(self.handle))
        self.n_batch = int(llama.llama_n_batch(self.handle))
        self.n_ubatch = int(llama.llama_n_ubatch(self.handle))
        # A recurrent state has no past: what was computed cannot be taken back in part.
        self.can_go_back = not (
            llama.llama_model_is_recurrent(model) or llama.llama_model_is_hybrid(model)
        )
        self._window = int(llama.llama_model_n_swa(model))
        self._memory = llama.llama_get_memory(self.handle)
        self._tokens = (llama.llama_token * self.n_batch)()
        self._one = (llama.llama_token * 1)()
        self._one_batch = llama.llama_batch_get_one(self._one, 1)

    def close(self) -> None:
        """Free the context. May be called twice; before its model is freed."""
        if self.handle is not None:
            self._llama.llama_free(self.handle)
            self.handle = None

    def set_threads(self, n_threads: int, n_threads_prefill: int) -> None:
        """Compute with so many threads from the next decode on."""
        self._llama.llama_set_n_threads(self.handle, n_threads, n_threads_prefill)

    def decode_one(self, token: int) -> int:
        """Compute one token after those in memory; what `llama_decode` returns."""
        self._one[0] = token
        return int(self._llama.llama_decode(self.handle, self._one_batch))

    def decode(self, tokens: list[int]) -> int:
        """Compute at most `n_batch` tokens after those in memory; what `llama_decode` returns."""
        count = len(tokens)
        self._tokens[:count] = tokens
        batch = self._llama.llama_batch_get_one(self._tokens, count)
        return int(self._llama.llama_decode(self.handle, batch))

    def synchronize(self) -> None:
        """Wait for the device."""
        self._llama.llama_synchronize(self.handle)

    def sample(self, sampler: Any) -> int:  # noqa: ANN401
        """Choose a token from the logits of the last one computed, and tell the sampler."""
        return int(self._llama.llama_sampler_sample(sampler, self.handle, -1))

    def logits(self) -> Any:  # noqa: ANN401
        """A pointer to those of the last token computed; valid until the next is."""
        return self._llama.llama_get_logits_ith(self.handle, -1)

    def n_held(self) -> int:
        """Tokens in memory, from the first position on."""
        return int(self._llama.llama_memory_seq_pos_max(self._memory, 0)) + 1

    def keep(self, n_tokens: int) -> int:
        """Cut the memory to its first `n_tokens`; returns how many are left.

        None are, where the model cannot go back: a recurrent state has no past, and a sliding
        window may no longer have what precedes the cut.
        """
        if n_tokens >= self.n_held():
            return self.n_held()
        if n_tokens > 0:
            cut = self._llama.llama_memory_seq_rm(self._memory, 0, n_tokens, -1)
            if cut and self._covers(n_tokens):
                return n_tokens
        self.clear()
        return 0

    def clear(self) -> None:
        """Forget every token; the buffers stay."""
        self._llama.llama_memory_clear(self._memory, False)

    def state_bytes(self) -> int:
        """Bytes the library would write to save the sequence: a check on the KV arithmetic."""
        return int(self._llama.llama_state_seq_get_size(self.handle, 0))

    def timings(self) -> NativeTimings:
        """The library's own counters, complete once the device is synchronised."""
        found = self._llama.llama_perf_context(self.handle)
        return NativeTimings(
            prefill_ms=float(found.t_p_eval_ms),
            n_prefill=int(found.n_p_eval),
            decode_ms=float(found.t_eval_ms),
            n_decode=int(found.n_eval),
        )

    def reset_timings(self) -> None:
        """Start the library's counters anew."""
        self._llama.llama_perf_context_reset(self.handle)

    def _covers(self, n_tokens: int) -> bool:
        oldest = int(self._llama.llama_memory_seq_pos_min(self._memory, 0))
        return 0 <= oldest <= max(n_tokens - self._window, 0) if self._window else oldest == 0
