"""What a backend is: the few things the decode loop asks of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.events import LoadStage
from engine.inspection import TokenInspection
from engine.values import (
    EngineInfo,
    KvLayout,
    LoadOptions,
    MemoryUse,
    ModelInfo,
    SamplingParams,
)

LoadCallback = Callable[[LoadStage, float | None], bool]
"""Called while loading with the stage and its fraction; False cancels the load."""

PrefillCallback = Callable[[int], bool]
"""Called, perhaps hundreds of times a second, with the tokens of the chunk done so far (an
estimate inside a batch, never more than the chunk); False stops the prefill."""

KeepGoing = Callable[[], bool]
"""Asked inside a step that takes long; False stops it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedModel:
    """What a load gives: the model, the engine's choices, the layout of the KV cache.

    `bos_text`, `eos_text` are the begin and end tokens as text, for the chat template.
    `prefill_is_interruptible` says that a prefill callback reaches into a running chunk; else
    the loop sizes chunks by time.
    """

    model: ModelInfo
    engine: EngineInfo
    kv: KvLayout
    memory: MemoryUse
    bos_text: str
    eos_text: str
    prefill_is_interruptible: bool


class Backend(Protocol):
    """A library that runs a model. All calls come from one thread, the same for its whole life.

    Every method raises `engine.errors.EngineError` when it cannot do its work.
    """

    def load(self, options: LoadOptions, on_progress: LoadCallback) -> LoadedModel:
        """Read the model and make a context. Called once."""
        ...

    def predicted(self) -> MemoryUse | None:
        """What a load is expected to allocate, as far as that is known yet.

        Asked while it runs, and after it.
        """
        ...

    def tokenize(self, text: str, *, add_special: bool) -> list[int]:
        """Token ids of `text`, markers such as `<|im_end|>` read as one token.

        `add_special` lets the tokenizer add what the model wants at the start (BOS).
        """
        ...

    def token_bytes(self, token: int) -> bytes:
        """The UTF-8 bytes of a token, possibly part of a character; empty for control tokens."""
        ...

    def shown_bytes(self, token: int) -> bytes:
        """The same, and the name of a control token."""
        ...

    def is_end(self, token: int) -> bool:
        """Whether the token ends an answer."""
        ...

    def begin(
        self,
        prompt_tokens: Sequence[int],
        sampling: SamplingParams,
        *,
        reuse_cache: bool,
        inspect: bool = False,
    ) -> int:
        """Start a request: set up the sampler and cut the KV cache to the common prefix.

        `inspect` lets `inspections` say how each token of the request is chosen; which tokens
        that are does not change.

        Returns how many leading prompt tokens are in the cache. At least one token is always
        left to compute, since its logits are needed.
        """
        ...

    def prefill(self, chunk: Sequence[int], on_progress: PrefillCallback) -> int:
        """Compute the next prompt tokens, at most `LoadOptions.n_batch`, and synchronise.

        Returns how many of them are in the KV cache: all, unless `on_progress` said stop.
        """
        ...

    def step(self, keep_going: KeepGoing) -> tuple[int, ...]:
        """Compute the last sampled token, if any, then sample the next: one or more tokens.

        Returns no token when `keep_going` said stop.
        """
        ...

    def inspections(self) -> tuple[TokenInspection, ...]:
        """How each token of the last step was chosen; empty where `begin` was not asked for it."""
        ...

    def kv_tokens(self) -> int:
        """How many tokens the KV cache holds now."""
        ...

    def memory(self) -> MemoryUse:
        """What is allocated now. Asked at the end of an answer."""
        ...

    def close(self) -> None:
        """Free everything. May be called twice, and after a failed load."""
        ...
