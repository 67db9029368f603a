"""A decode step of fixed shape, compiled and recorded once, for CUDA.

The host then hands over one graph a token in place of a thousand kernels, whose launches would
cost more than their work.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Protocol

import torch
from transformers import AttentionInterface
from transformers.cache_utils import Cache, CacheLayerMixin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.backends.torch_hf.kv_cache import FilledLayer, KvCache
    from engine.backends.torch_hf.model import Model
    from engine.backends.torch_hf.runner import Runner

_ATTENTION = "oscillama_fixed_step"
_LEAST_CELLS = 512
# Spreads tokens over the vocabulary. A prime repeats none soon.
_STRIDE = 7919
_FULL, _SLIDING = "full_attention", "sliding_attention"


class CannotFixError(Exception):
    """The model does something at each token that a step of fixed shape cannot do."""


class FixedStep:
    """One decode step over the first `n_cells` cells of the cache, at a position in a tensor.

    `n_cells` is a bucket: cells beyond the position are masked, and the smallest bucket that holds
    the position is taken, so that a short conversation does not pay for the whole context.
    """

    def __init__(self, model: Model, kv: KvCache, device_name: str) -> None:
        """Share the memory of `kv`, which must have held a token already.

        With a spare cell in it, one compiled step serves every bucket.

        Raises:
            CannotFixError: The model is of a kind that this does not know.
        """
        if not kv.can_go_back:
            raise CannotFixError("its layers do not all have a KV cache")
        if "position_ids" not in inspect.signature(model.module.forward).parameters:
            raise CannotFixError("it counts positions itself")
        kinds = set(getattr(model.text_config, "layer_types", None) or ())
        if not kinds <= {_FULL, _SLIDING}:
            raise CannotFixError(f"it has layers of the kinds {', '.join(sorted(kinds))}")
        windows = {layer.window for layer in kv.filled_layers()}
        if len(windows - {None}) > 1 or (len(windows) > 1 and len(kinds) < 2):
            raise CannotFixError("its layers look back differently far")
        self._window = max((window for window in windows if window), default=0)
        # Such a model takes a mask for each kind of layer.
        self._has_kinds = len(windows) > 1
        self._model = model
        self._kv = kv
        self._device_name = device_name
        self._cells = torch.arange(kv.n_ctx, device=device_name)
        self.token = torch.zeros((1, 1), dtype=torch.long, device=device_name)
        self.position = torch.zeros((1, 1), dtype=torch.long, device=device_name)
        self._cache = Cache(
            layers=[_CellLayer(layer, self.position) for layer in kv.filled_layers()]
        )
        AttentionInterface.register(_ATTENTION, _attend)
        self._call: Callable[[Any], Any] = self._forward

    def compile(self, backend: str = "inductor") -> None:
        """Fuse the kernels; takes a minute once, and seconds when the compiler remembers."""
        self._call = torch.compile(self._forward, fullgraph=True, backend=backend)

    def compute(self, n_cells: int) -> Any:  # noqa: ANN401
        """Logits after `token` at `position`, shape [vocabulary]; stores its keys and values."""
        mask = self._cells[:n_cells] <= self.position.view(1)
        mask = mask.view(1, 1, 1, n_cells)
        # One compiled step for all buckets.
        torch._dynamo.maybe_mark_dynamic(mask, 3)
        config = self._model.text_config
        usual = config._attn_implementation
        config._attn_implementation = _ATTENTION
        try:
            with torch.inference_mode():
                return self._call(mask)
        finally:
            config._attn_implementation = usual

    def _forward(self, mask: Any) -> Any:  # noqa: ANN401
        sliding = mask
        if self._window:
            cells = self._cells[: mask.shape[-1]]
            inside = cells > self.position.view(1) - self._window
            sliding = mask & inside.view(1, 1, 1, -1)
        masks: Any = {_FULL: mask, _SLIDING: sliding} if self._has_kinds else sliding
        output = self._model.module(
            input_ids=self.token,
            position_ids=self.position,
            attention_mask=masks,
            use_cache=True,
            **{self._model.cache_argument: self._cache},
        )
        return output.logits[0, -1]


def buckets(n_ctx: int) -> list[int]:
    """Sizes to record a step for: doubling, up to the context."""
    sizes = []
    size = _LEAST_CELLS
    while size < n_ctx:
        sizes.append(size)
        size *= 2
    return [*sizes, n_ctx]


class Steps(Protocol):
    """What computes a token at a position, over a cache that it shares with a runner."""

    def compute_one(self, token: int, position: int) -> Any:  # noqa: ANN401
        """Logits after `token` at `position`; valid until the next call."""
        ...


def check_steps(
    steps: Steps,
    runner: Runner,
    kv: KvCache,
    *,
    n_vocab: int,
    positions: Sequence[int],
    most: float,
) -> None:
    """Compare steps at some positions with those of `runner`; leaves tokens in the cache.

    Whatever a model does that a step of fixed shape leaves out shows here, before anybody reads an
    answer of it.

    Raises:
        CannotFixError: The logits differ by more than `most` of the largest one.
    """
    kv.clear()
    n_held = 0
    for position in sorted(positions):
        runner.compute([index * _STRIDE % n_vocab for index in range(n_held, position)])
        token = position * _STRIDE % n_vocab
        right = runner.compute_one(token).float().clone()
        found = steps.compute_one(token, position).float()
        n_held = position + 1
        difference = float((found - right).abs().max() / right.abs().max())
        if not difference <= most:
            raise CannotFixError(f"its logits would differ by {difference:.2g} at {position}")


class RecordedSteps:
    """CUDA graphs of a fixed step, one a bucket, in one pool of memory."""

    def __init__(
        self, step: FixedStep, sizes: Sequence[int], on_size: Callable[[int], None]
    ) -> None:
        """Record every size, largest first; `on_size` is called before each, and may raise.

        Overwrites the first cell of the cache, which must be empty.
        """
        self._step = step
        self._graphs: dict[int, tuple[Any, Any]] = {}
        pool = torch.cuda.graph_pool_handle()
        stream = torch.cuda.Stream()
        for size in sorted(sizes, reverse=True):
            on_size(size)
            # What is compiled or chosen at the first calls must not be recorded.
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                for _ in range(2):
                    step.compute(size)
            torch.cuda.current_stream().wait_stream(stream)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, pool=pool):
                logits = step.compute(size)
            self._graphs[size] = (graph, logits)
        torch.cuda.synchronize()
        self._sizes = sorted(self._graphs)

    def compute_one(self, token: int, position: int) -> Any:  # noqa: ANN401
        """Logits after `token` at `position`; valid until the next call."""
        size = next(size for size in self._sizes if position < size)
        self._step.token.fill_(token)
        self._step.position.fill_(position)
        graph, logits = self._graphs[size]
        graph.replay()
        return logits


class _CellLayer(CacheLayerMixin):  # type: ignore[misc]  # transformers has no types here
    """Writes into the cells of a filled layer at a position that a tensor holds."""

    is_sliding = False

    def __init__(self, filled: FilledLayer, position: Any) -> None:  # noqa: ANN401
        super().__init__()
        self.keys, self.values = filled.keys, filled.values
        self.is_initialized = True
        self._n_ctx = filled.n_ctx
        self._position = position.view(1)

    def lazy_initialization(self, key_states: Any, value_states: Any) -> None:  # noqa: ANN401
        raise NotImplementedError

    def update(
        self,
        key_states: Any,  # noqa: ANN401
        value_states: Any,  # noqa: ANN401
        *_args: Any,  # noqa: ANN401
        **_kwargs: Any,  # noqa: ANN401
    ) -> tuple[Any, Any]:
        self.keys.index_copy_(2, self._position, key_states)
        self.values.index_copy_(2, self._position, value_states)
        return self.keys, self.values

    def get_mask_sizes(self, _query_length: int) -> tuple[int, int]:
        return self._n_ctx, 0

    def get_seq_length(self) -> int:
        # Positions and masks are given, so nothing hangs on this.
        return 0

    def get_max_length(self) -> int:
        return self._n_ctx


def _attend(
    module: Any,  # noqa: ANN401
    query: Any,  # noqa: ANN401
    key: Any,  # noqa: ANN401
    value: Any,  # noqa: ANN401
    attention_mask: Any,  # noqa: ANN401
    *,
    scaling: float | None = None,
    softcap: float | None = None,
    s_aux: Any = None,  # noqa: ANN401
    position_bias: Any = None,  # noqa: ANN401
    **_kwargs: Any,  # noqa: ANN401
) -> tuple[Any, None]:
    """Attention of one query token to the cells of `attention_mask`, shape [1, 1, 1, cells].

    The query heads of a group share keys and values, so they are rows of one product, and nothing
    is repeated in memory. Plain products, since kernels that take a mask go through all cells of a
    head one after the other.
    """
    if s_aux is not None or position_bias is not None:
        raise CannotFixError("its attention has terms of its own")
    n_cells = attention_mask.shape[-1]
    keys, values = key[0].narrow(1, 0, n_cells), value[0].narrow(1, 0, n_cells)
    _, n_heads, _, width = query.shape
    n_groups = key.shape[1]
    rows = query.reshape(n_groups, n_heads // n_groups, width)
    scale = width**-0.5 if scaling is None else scaling
    scores = torch.bmm(rows, keys.transpose(1, 2)).float() * scale
    if softcap is not None:
        scores = softcap * torch.tanh(scores / softcap)
    scores = scores.masked_fill(~attention_mask[0], float("-inf"))
    shares = torch.softmax(scores, dim=-1).to(values.dtype)
    attended = torch.bmm(shares, values)
    return attended.reshape(1, 1, n_heads, values.shape[-1]), None
