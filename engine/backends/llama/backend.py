"""The llama.cpp backend: what the decode loop asks for, in terms of the native library."""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from engine.backend import KeepGoing, LoadCallback, LoadedModel, PrefillCallback
from engine.backends.llama.context import ABORTED, DECODED, NO_ROOM, NativeTimings
from engine.backends.llama.loading import Loading, Parts
from engine.backends.llama.sampler import SamplerChain
from engine.backends.llama.watch import LONG_STEP_NS
from engine.errors import EngineError, ErrorCode
from engine.log import EngineLog
from engine.token_prefix import common_prefix
from engine.values import LoadOptions, MemoryUse, SamplingParams

if TYPE_CHECKING:
    from engine.backends.llama.inspecting_sampler import InspectingSampler
    from engine.inspection import TokenInspection


class LlamaBackend:
    """Runs one GGUF model with llama.cpp. All calls come from one thread.

    See `engine.backend.Backend` for what each method promises.
    """

    def __init__(self, log: EngineLog) -> None:
        """Prepare; nothing is imported or opened before `load`."""
        self._log = log
        self._stack = ExitStack()
        self._parts: Parts | None = None
        self._loading: Loading | None = None
        self._sampler: SamplerChain | None = None
        # The tokens whose keys and values are in the cache, in order.
        self._tokens: list[int] = []
        self._pending: int | None = None
        self._last_step_ns = 0
        self._inspecting: InspectingSampler | None = None

    def load(self, options: LoadOptions, on_progress: LoadCallback) -> LoadedModel:
        """Read the model, make a context, warm it up and choose the threads.

        Raises:
            EngineError: Everything of the file, the options, the memory and the library;
                LOAD_CANCELLED when `on_progress` said stop.
        """
        if self._parts is not None:
            raise EngineError(ErrorCode.INTERNAL, "a backend loads one model")
        with ExitStack() as stack:
            self._loading = Loading(options, on_progress, self._log, stack)
            self._parts = self._loading.run()
            self._stack = stack.pop_all()
        return self._parts.loaded

    def predicted(self) -> MemoryUse | None:
        """What the load is expected to allocate, from the time its file was looked at."""
        return None if self._loading is None else self._loading.predicted

    def tokenize(self, text: str, *, add_special: bool) -> list[int]:
        """Token ids of `text`, the model's own markers read as one token."""
        return self._ready().vocab.tokenize(text, add_special=add_special)

    def token_bytes(self, token: int) -> bytes:
        """The bytes of a token, possibly part of a character."""
        return self._ready().vocab.token_bytes(token)

    def shown_bytes(self, token: int) -> bytes:
        """The same, and the name of a control token."""
        return self._ready().vocab.shown_bytes(token)

    def is_end(self, token: int) -> bool:
        """Whether the token ends an answer."""
        return self._ready().vocab.is_end(token)

    def begin(
        self,
        prompt_tokens: Sequence[int],
        sampling: SamplingParams,
        *,
        reuse_cache: bool,
        inspect: bool = False,
    ) -> int:
        """Set up the sampler and cut the cache to what it shares with the prompt."""
        parts = self._ready()
        if not prompt_tokens:
            raise EngineError(ErrorCode.EMPTY_PROMPT)
        prompt = list(prompt_tokens)
        sampler = SamplerChain(parts.llama, parts.vocab.n_tokens, sampling, prompt)
        self._drop_sampler()
        self._sampler = sampler
        self._inspecting = self._inspecting_sampler(parts) if inspect else None
        self._pending = None
        shared = common_prefix(prompt, self._tokens) if reuse_cache else 0
        kept = parts.context.keep(min(shared, len(prompt) - 1))
        del self._tokens[kept:]
        return kept

    def prefill(self, chunk: Sequence[int], on_progress: PrefillCallback) -> int:
        """Compute the next prompt tokens; stops inside a micro-batch on the CPU."""
        parts = self._ready()
        tokens = list(chunk)
        if not tokens or len(tokens) > parts.context.n_batch:
            raise EngineError(
                ErrorCode.INTERNAL, f"a chunk of {len(tokens)}, batch {parts.context.n_batch}"
            )
        watch, progress = parts.watch, parts.progress
        furthest = 0

        def ask(count: int) -> bool:
            nonlocal furthest
            furthest = max(furthest, progress.tokens(count, len(tokens)))
            return on_progress(furthest)

        watch.start(ask)
        try:
            result = parts.context.decode(tokens)
            parts.context.synchronize()
        finally:
            watch.stop()
        if result == DECODED:
            self._tokens.extend(tokens)
            progress.learn(watch.count, len(tokens))
            watch.check()
            return len(tokens)
        done = self._reconcile(tokens)
        watch.check()
        self._raise_unless_aborted(result)
        return done

    def step(self, keep_going: KeepGoing) -> tuple[int, ...]:
        """Compute the last sampled token, if any, then sample the next."""
        parts, sampler = self._ready(), self._sampler
        if sampler is None:
            raise EngineError(ErrorCode.INTERNAL, "step before begin")
        if self._pending is not None and not self._decode_pending(parts, keep_going):
            return ()
        if self._inspecting is None:
            token = parts.context.sample(sampler.handle)
        else:
            token = self._inspecting.sample(sampler, parts.context)
        self._pending = token
        return (token,)

    def inspections(self) -> "tuple[TokenInspection, ...]":
        """How the last token was chosen; empty where `begin` was not asked for it."""
        return () if self._inspecting is None else self._inspecting.last

    def kv_tokens(self) -> int:
        """How many tokens the KV cache holds now."""
        return len(self._tokens)

    def memory(self) -> MemoryUse:
        """What the load allocated: nothing grows after it."""
        return self._ready().loaded.memory

    def timings(self) -> NativeTimings:
        """llama.cpp's own counters since `reset_timings`, to check figures against."""
        return self._ready().context.timings()

    def reset_timings(self) -> None:
        """Start llama.cpp's counters anew."""
        self._ready().context.reset_timings()

    def state_bytes(self) -> int:
        """Bytes the library needs to save the tokens held, to check the layout against."""
        return self._ready().context.state_bytes()

    def close(self) -> None:
        """Free the sampler, the context, the model and the log callback, in this order."""
        self._drop_sampler()
        self._inspecting = None
        self._parts = None
        self._tokens = []
        self._pending = None
        self._stack.close()

    def _ready(self) -> Parts:
        if self._parts is None:
            raise EngineError(ErrorCode.NO_MODEL)
        return self._parts

    def _inspecting_sampler(self, parts: Parts) -> "InspectingSampler":
        from engine.backends.llama.inspecting_sampler import InspectingSampler

        return InspectingSampler(parts.llama, parts.vocab)

    def _decode_pending(self, parts: Parts, keep_going: KeepGoing) -> bool:
        token = self._pending
        assert token is not None
        watched = self._last_step_ns > LONG_STEP_NS
        if watched:
            parts.watch.start(lambda _count: keep_going())
        started = time.perf_counter_ns()
        result = parts.context.decode_one(token)
        if watched:
            parts.watch.stop()
        self._last_step_ns = time.perf_counter_ns() - started
        if result == DECODED:
            self._tokens.append(token)
            self._pending = None
            if watched:
                parts.watch.check()
            return True
        self._reconcile([token])
        if not self._tokens:
            # Nothing is left of what the token follows: only a new request can go on.
            self._pending = None
            self._drop_sampler()
        parts.watch.check()
        self._raise_unless_aborted(result)
        return False

    def _reconcile(self, tokens: list[int]) -> int:
        context = self._ready().context
        if not context.can_go_back:
            # The state may be half computed, though the position has moved on already.
            context.clear()
            self._tokens.clear()
            return 0
        # Finished micro-batches stay in memory; the rest of the batch was removed.
        before = len(self._tokens)
        held = context.keep(min(context.n_held(), before + len(tokens)))
        if held < before:
            del self._tokens[held:]
            return 0
        self._tokens.extend(tokens[: held - before])
        return held - before

    def _raise_unless_aborted(self, result: int) -> None:
        if result == ABORTED:
            return
        reason = "the KV cache has no room" if result == NO_ROOM else f"llama_decode: {result}"
        raise EngineError(ErrorCode.DECODE_FAILED, reason, log_tail=self._log.tail(), reason=reason)

    def _drop_sampler(self) -> None:
        if self._sampler is not None:
            self._sampler.close()
            self._sampler = None
