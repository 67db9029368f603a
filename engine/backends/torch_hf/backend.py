"""The torch backend: what the decode loop asks for, in terms of a Hugging Face model."""

from __future__ import annotations

import dataclasses
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from engine.errors import EngineError, ErrorCode
from engine.option_bounds import check_bounds
from engine.token_prefix import common_prefix
from engine.values import FlashAttention, KvType

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.backend import KeepGoing, LoadCallback, LoadedModel, PrefillCallback
    from engine.backends.torch_hf.loading import Loading, Parts
    from engine.backends.torch_hf.sampler import Sampler
    from engine.inspection import TokenInspection
    from engine.log import EngineLog
    from engine.values import LoadOptions, MemoryUse, SamplingParams

# A step shorter than this is over before a person could notice a stop inside it.
_LONG_STEP_NS = 50_000_000


class TorchBackend:
    """Runs one causal language model with torch. All calls come from one thread.

    See `engine.backend.Backend` for what each method promises.
    """

    def __init__(self, log: EngineLog, *, long_step_ns: int = _LONG_STEP_NS) -> None:
        """Prepare; nothing is imported or opened before `load`.

        A stop reaches into steps that take longer than `long_step_ns`.
        """
        self._log = log
        self._long_step_ns = long_step_ns
        self._stack = ExitStack()
        self._parts: Parts | None = None
        self._loading: Loading | None = None
        self._sampler: Sampler | None = None
        # The tokens whose keys and values are in the cache, in order.
        self._tokens: list[int] = []
        self._pending: int | None = None
        self._logits: Any = None
        self._last_step_ns = 0
        self._inspects = False
        self._inspections: tuple[TokenInspection, ...] = ()

    def load(self, options: LoadOptions, on_progress: LoadCallback) -> LoadedModel:
        """Import torch, read or convert the weights, make the cache, warm up, compile or measure.

        Raises:
            EngineError: Everything of the files, the options, the memory and the libraries;
                LOAD_CANCELLED when `on_progress` said stop.
        """
        if self._parts is not None:
            raise EngineError(ErrorCode.INTERNAL, "a backend loads one model")
        _check(options)
        from engine.backends.torch_hf.libraries import import_libraries

        import_libraries(on_progress)
        from engine.backends.torch_hf.loading import Loading

        with ExitStack() as stack:
            self._loading = Loading(options, on_progress, self._log, stack)
            self._parts = self._loading.run()
            self._stack = stack.pop_all()
        return self._parts.loaded

    def predicted(self) -> MemoryUse | None:
        """What the load is expected to allocate, from the time its device was chosen."""
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
        from engine.backends.torch_hf.sampler import Sampler

        parts = self._ready()
        if not prompt_tokens:
            raise EngineError(ErrorCode.EMPTY_PROMPT)
        prompt = list(prompt_tokens)
        _check_tokens(prompt, parts.model.n_tokens)
        self._sampler = Sampler(sampling, prompt)
        self._inspects, self._inspections = inspect, ()
        self._pending = None
        self._logits = None
        shared = common_prefix(prompt, self._tokens) if reuse_cache else 0
        self._keep(min(shared, len(prompt) - 1))
        self._use_threads(None if parts.threads is None else parts.threads.prefill)
        return len(self._tokens)

    def prefill(self, chunk: Sequence[int], on_progress: PrefillCallback) -> int:
        """Compute the next prompt tokens; on the CPU a stop is noticed between layers."""
        parts = self._ready()
        tokens = list(chunk)
        n_ubatch = parts.loaded.engine.n_ubatch
        for begin in range(0, len(tokens), n_ubatch):
            piece = tokens[begin : begin + n_ubatch]

            def ask(done: float, begin: int = begin, n_tokens: int = len(piece)) -> bool:
                return on_progress(begin + int(done * n_tokens))

            logits = self._compute(piece, ask)
            if logits is None:
                return begin
            self._logits = logits
        parts.device.synchronize()
        return len(tokens)

    def step(self, keep_going: KeepGoing) -> tuple[int, ...]:
        """Compute the last sampled token, if any, then sample the next."""
        sampler = self._sampler
        if sampler is None or (self._pending is None and self._logits is None):
            raise EngineError(ErrorCode.INTERNAL, "step before prefill")
        if self._pending is not None:
            logits = self._step_logits(self._pending, keep_going)
            if logits is None:
                return ()
            self._logits = logits
        try:
            token = self._inspected(sampler) if self._inspects else sampler.sample(self._logits)
        except EngineError:
            # What is not a number would spread from the cache to every answer that reuses it.
            self._ready().kv.wipe()
            self._tokens = []
            self._sampler = None
            raise
        self._pending = token
        return (token,)

    def inspections(self) -> tuple[TokenInspection, ...]:
        """How the last token was chosen; empty where `begin` was not asked for it."""
        return self._inspections

    def kv_tokens(self) -> int:
        """How many tokens the KV cache holds now."""
        return len(self._tokens)

    def memory(self) -> MemoryUse:
        """What is allocated now: tensors, and what the device's allocator holds besides."""
        from engine.backends.torch_hf.describe import memory_use

        parts = self._ready()
        # The weights stay where they are.
        mapped = parts.loaded.memory.mapped_bytes
        return memory_use(parts.model, parts.kv, parts.device, mapped_bytes=mapped)

    def logits(self) -> Any:  # noqa: ANN401
        """Those after the last token computed, shape [vocabulary], to check against a reference."""
        return self._logits

    def close(self) -> None:
        """Free the model and the cache, and give their memory back. May be called twice."""
        self._sampler = None
        self._logits = None
        self._pending = None
        self._tokens = []
        self._stack.close()
        parts, self._parts = self._parts, None
        if parts is not None:
            from engine.backends.torch_hf.model import release

            device = parts.device
            del parts
            release(device)

    def _ready(self) -> Parts:
        if self._parts is None:
            raise EngineError(ErrorCode.NO_MODEL)
        return self._parts

    def _inspected(self, sampler: Sampler) -> int:
        from engine.backends.inspecting import ChoiceWatch

        # Else waiting for the device would count as watching.
        self._ready().device.synchronize()
        begun_ns = time.perf_counter_ns()
        logits = self._logits.float().cpu().numpy()
        watch = ChoiceWatch(logits, is_penalized=sampler.is_penalized)
        sampling_ns = time.perf_counter_ns()
        token = sampler.sample(self._logits, watch.stage)
        sampling_ns = time.perf_counter_ns() - sampling_ns
        told = watch.finish(token, *sampler.drawn_from, self._ready().vocab.shown_bytes)
        watch_ns = time.perf_counter_ns() - begun_ns - sampling_ns
        self._inspections = (dataclasses.replace(told, watch_ns=watch_ns),)
        return token

    def _keep(self, n_tokens: int) -> None:
        left = self._ready().kv.keep(n_tokens, len(self._tokens))
        del self._tokens[left:]

    def _step_logits(self, token: int, keep_going: KeepGoing) -> Any:  # noqa: ANN401
        parts = self._ready()
        started = time.perf_counter_ns()
        if parts.recorded is not None:
            logits = parts.recorded.compute_one(token, len(self._tokens))
            parts.kv.append_one()
            self._tokens.append(token)
        else:
            self._use_threads(None if parts.threads is None else parts.threads.decode)
            watched = self._last_step_ns > self._long_step_ns
            logits = self._compute([token], (lambda _done: keep_going()) if watched else None)
        self._last_step_ns = time.perf_counter_ns() - started
        return logits

    def _compute(self, tokens: list[int], ask: Callable[[float], bool] | None) -> Any:  # noqa: ANN401
        """Logits after `tokens`, or None where `ask` said stop: the cache is then as before.

        A cache that cannot go back is empty then.

        Raises:
            EngineError: NOT_ENOUGH_MEMORY; the cache is as before, and the engine can go on.
        """
        from engine.backends.torch_hf.memory_errors import out_of_memory_as_error
        from engine.backends.torch_hf.watch import StoppedError

        parts = self._ready()
        n_held = len(self._tokens)
        follows = n_held > 0
        if ask is not None:
            parts.watch.start(ask, parts.runner.n_passes(len(tokens), follows=follows))
        try:
            with out_of_memory_as_error(parts.device.title, parts.device.free_bytes_now):
                logits = parts.runner.compute(tokens, follows=follows)
        except StoppedError:
            self._take_back(n_held)
            return None
        except BaseException:
            # Layers before the one that failed hold the tokens already.
            self._take_back(n_held)
            parts.device.empty_cache()
            raise
        finally:
            parts.watch.stop()
        self._tokens += tokens
        return logits

    def _take_back(self, n_tokens: int) -> None:
        """Leave the cache with its first `n_tokens`: some layers have more."""
        left = self._ready().kv.cut(n_tokens)
        del self._tokens[left:]
        if not left and n_tokens:
            # Nothing is left of what a token would follow: only a new request can go on.
            self._sampler = None

    def _use_threads(self, n_threads: int | None) -> None:
        if n_threads is not None:
            import torch

            if torch.get_num_threads() != n_threads:
                torch.set_num_threads(n_threads)


def _check_tokens(tokens: list[int], n_tokens: int) -> None:
    # A GPU that looks up a row that is not there can do nothing any more.
    least, most = min(tokens), max(tokens)
    if least < 0 or most >= n_tokens:
        wrong = least if least < 0 else most
        raise EngineError(
            ErrorCode.DECODE_FAILED,
            f"token {wrong} is none of the {n_tokens} of this model: does its tokenizer belong to "
            "it?",
        )


def _check(options: LoadOptions) -> None:
    """Raise INVALID_OPTION for numbers out of bounds, and for what only llama.cpp has."""
    check_bounds(options)
    only_llama = (
        ("kv_type", options.kv_type is not KvType.F16, options.kv_type.value),
        (
            "flash_attention",
            options.flash_attention is not FlashAttention.AUTO,
            options.flash_attention.value,
        ),
        ("n_gpu_layers", options.n_gpu_layers is not None, options.n_gpu_layers or 0),
    )
    for option, is_set, value in only_llama:
        if is_set:
            raise EngineError(
                ErrorCode.INVALID_OPTION,
                f"{option} is for llama.cpp only",
                option=option,
                value=value,
                reason="not_for_torch",
            )
