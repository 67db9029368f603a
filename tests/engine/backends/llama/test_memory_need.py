"""What goes where, and what is refused, by the memory of the host and of its GPUs."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine.backends.llama import gpu, memory_need, native
from engine.backends.llama.flash import resolve
from engine.backends.llama.kv_layout import LayerBytes
from engine.backends.llama.memory_need import (
    ContextChoice,
    Placement,
    WeightsPlace,
    choose_context,
    place_weights,
    predict,
)
from engine.errors import EngineError, ErrorCode
from engine.gguf import GgufHeader, GgufTensor, read_header
from engine.values import FlashAttention, LoadOptions, NoticeCode
from tests.engine.backends.llama.conftest import Loader, answer
from tests.engine.gguf_writer import gguf
from tests.engine.scripting import ListLog

_GIB = 1 << 30
_OPTIONS = LoadOptions(model_path="")
# 32 layers of 8 KV heads of 128 numbers, K and V in f16: 128 KiB a token.
_LAYERS = LayerBytes(full=1 << 17, sliding=0)


@pytest.fixture
def header(tmp_path: Path) -> GgufHeader:
    """The header of an 8B model; its tensors are in other files of a split model."""
    path = tmp_path / "eight.gguf"
    path.write_bytes(
        gguf(
            {
                "general.architecture": "llama",
                "llama.block_count": 32,
                "llama.context_length": 131_072,
                "llama.embedding_length": 4096,
                "llama.feed_forward_length": 14_336,
                "llama.attention.head_count": 32,
                "llama.attention.head_count_kv": 8,
            }
        )
    )
    return read_header(path)


def _have(
    monkeypatch: pytest.MonkeyPatch, *, host_bytes: int, gpu_bytes: Sequence[int] = ()
) -> None:
    monkeypatch.setattr(memory_need, "available_memory_bytes", lambda: host_bytes)
    devices = [
        native.NativeDevice(
            name=f"CUDA{index}",
            description="Fake GPU",
            kind=native.DeviceKind.GPU,
            free_bytes=free,
            total_bytes=free,
        )
        for index, free in enumerate(gpu_bytes)
    ]
    monkeypatch.setattr(native, "gpus", lambda llama: devices)


def _choose(
    header: GgufHeader,
    placement: Placement,
    options: LoadOptions = _OPTIONS,
    flash: FlashAttention = FlashAttention.ON,
) -> ContextChoice:
    return choose_context(
        options,
        header,
        _LAYERS,
        placement,
        n_ctx_train=131_072,
        sliding_window=0,
        resolve_flash=lambda n_ctx: flash,
    )


def test_every_file_of_a_split_model_counts(
    header: GgufHeader, monkeypatch: pytest.MonkeyPatch
) -> None:
    _have(monkeypatch, host_bytes=64 * _GIB, gpu_bytes=[9 * _GIB])
    assert header.tensor_bytes == 0
    offload = gpu.choose(None, _OPTIONS, header, 33 * _GIB)
    # 33 layers of 1 GiB and 32 MiB of cache each; the GPU keeps some for itself.
    assert offload.n_layers in range(7, 9)
    (notice,) = offload.notices
    assert notice.code is NoticeCode.GPU_LAYERS_REDUCED
    assert dict(notice.details) == {"n_gpu_layers": offload.n_layers, "n_layers": 33}


def test_layers_leave_room_for_their_cache(
    header: GgufHeader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """5 GiB of weights fit into 8 GiB, with 1 GiB of cache but not with 16 GiB."""
    _have(monkeypatch, host_bytes=64 * _GIB, gpu_bytes=[8 * _GIB])
    assert gpu.choose(None, _OPTIONS, header, 5 * _GIB).n_layers == 33
    long = LoadOptions(model_path="", n_ctx=131_072)
    offload = gpu.choose(None, long, header, 5 * _GIB)
    assert 0 < offload.n_layers < 14
    assert offload.notices


def test_gpus_together_take_a_model(header: GgufHeader, monkeypatch: pytest.MonkeyPatch) -> None:
    _have(monkeypatch, host_bytes=_GIB, gpu_bytes=[24 * _GIB, 24 * _GIB])
    offload = gpu.choose(None, _OPTIONS, header, 40 * _GIB)
    assert offload.n_layers == 33


def _tensor(name: str, n_mib: int) -> GgufTensor:
    return GgufTensor(name=name, dimensions=(n_mib << 18,), type_id=0, offset=0)


def test_the_host_needs_what_is_not_on_a_gpu(header: GgufHeader) -> None:
    """32 blocks of 10 MiB, 40 MiB that look tokens up, and 50 MiB of output, in two files."""
    blocks = tuple(_tensor(f"blk.{block}.attn_q.weight", 10) for block in range(32))
    first = replace(header, tensors=(_tensor("token_embd.weight", 40), *blocks[:20]))
    ends = (_tensor("output_norm.weight", 0), _tensor("output.weight", 50))
    second = replace(header, tensors=(*blocks[20:], *ends))

    def place(n_gpu_layers: int) -> tuple[int, int]:
        found = place_weights((first, second), n_gpu_layers)
        return found.all_bytes >> 20, found.host_bytes >> 20

    assert place(0) == (410, 410)
    assert place(1) == (410, 360)
    assert place(11) == (410, 260)
    assert place(33) == (410, 40)
    # An output that is the same matrix is there twice.
    tied = replace(second, tensors=blocks[20:])
    assert place_weights((first, tied), 33).all_bytes >> 20 == 400
    assert place_weights((first, tied), 33).host_bytes >> 20 == 40
    assert place_weights((first, tied), 0).all_bytes >> 20 == 360


@pytest.mark.parametrize(
    ("n_gpu_layers", "on_gpu", "kv_mib", "n_scratches", "n_host_scratches"),
    [(0, False, 1024, 1, 1), (1, False, 1024, 1, 1), (9, True, 768, 2, 1), (33, True, 0, 1, 0)],
)
def test_what_is_predicted_stands_where_it_will_be(
    header: GgufHeader,
    n_gpu_layers: int,
    on_gpu: bool,
    kv_mib: int,
    n_scratches: int,
    n_host_scratches: int,
) -> None:
    """1 GiB of cache for 8192 tokens, in 32 blocks; the output layer has none, and goes first."""
    found = predict(
        _OPTIONS,
        header,
        WeightsPlace(400 << 20, 40 << 20),
        n_gpu_layers=n_gpu_layers,
        resolve_flash=lambda _n_ctx: FlashAttention.ON,
    )
    scratch = memory_need.scratch_bytes(_OPTIONS, header, 8192, FlashAttention.ON)
    assert (found.on_gpu, found.kv_bytes) == (on_gpu, 1 << 30)
    assert found.host_kv_bytes == kv_mib << 20
    assert found.compute_bytes == n_scratches * scratch
    assert found.host_compute_bytes == n_host_scratches * scratch
    assert (found.weights_bytes, found.host_weights_bytes) == (400 << 20, 40 << 20)


def test_a_cache_on_a_gpu_takes_nothing_of_the_host(
    header: GgufHeader, monkeypatch: pytest.MonkeyPatch
) -> None:
    _have(monkeypatch, host_bytes=_GIB // 2)
    on_gpu = Placement(host_weights_bytes=0, gpu_ratio=1.0, gpu_free_bytes=40 * _GIB)
    assert _choose(header, on_gpu).n_ctx == 8192
    on_host = Placement(host_weights_bytes=0)
    assert _choose(header, on_host).n_ctx < 8192


def test_a_cache_larger_than_what_a_gpu_has_left(
    header: GgufHeader, monkeypatch: pytest.MonkeyPatch
) -> None:
    _have(monkeypatch, host_bytes=64 * _GIB)
    full = Placement(host_weights_bytes=0, gpu_ratio=1.0, gpu_free_bytes=_GIB)
    choice = _choose(header, full)
    assert (choice.n_ctx, choice.wanted) == (4096, 8192)
    with pytest.raises(EngineError) as caught:
        _choose(header, full, LoadOptions(model_path="", n_ctx=8192))
    assert caught.value.info.code is ErrorCode.NOT_ENOUGH_MEMORY
    assert caught.value.info.detail("have_bytes") == _GIB
    # Half of the layers need half of it there, and the rest on the host.
    half = Placement(host_weights_bytes=0, gpu_ratio=0.5, gpu_free_bytes=_GIB)
    assert _choose(header, half, LoadOptions(model_path="", n_ctx=8192)).n_ctx == 8192


def test_scores_without_flash_attention_are_needed_too(
    header: GgufHeader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """32 heads of 8192 x 512 scores take 512 MiB in f32, and half of it at half the context."""
    _have(monkeypatch, host_bytes=_GIB + _GIB // 2)
    on_host = Placement(host_weights_bytes=0)
    assert _choose(header, on_host).n_ctx == 8192
    choice = _choose(header, on_host, flash=FlashAttention.OFF)
    assert (choice.n_ctx, choice.flash) == (4096, FlashAttention.OFF)


def test_auto_counts_as_what_it_becomes_for_the_context(
    header: GgufHeader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """AUTO is off on this CPU while its scores are few; twice the context turns it on."""
    _have(monkeypatch, host_bytes=64 * _GIB)

    def choose(n_ctx: int) -> ContextChoice:
        return choose_context(
            LoadOptions(model_path="", n_ctx=n_ctx),
            header,
            _LAYERS,
            Placement(host_weights_bytes=0),
            n_ctx_train=131_072,
            sliding_window=0,
            resolve_flash=lambda size: resolve(
                _OPTIONS,
                "SSE3 AVX2",
                n_heads=memory_need.most_heads(header),
                n_ctx=size,
                n_gpu_layers=0,
            ),
        )

    assert choose(8192).flash is FlashAttention.OFF
    assert choose(16_384).flash is FlashAttention.AUTO


def test_heads_are_those_of_the_layer_that_has_most(tmp_path: Path) -> None:
    path = tmp_path / "uneven.gguf"
    path.write_bytes(
        gguf(
            {
                "general.architecture": "llama",
                "llama.block_count": 3,
                "llama.attention.head_count": [8, 24, 16],
            }
        )
    )
    assert memory_need.most_heads(read_header(path)) == 24


@pytest.mark.model
def test_a_context_larger_than_memory_is_refused_before_it_is_made(
    load: Loader, log: ListLog
) -> None:
    with pytest.raises(EngineError) as caught:
        load(n_ctx=100_000_000)
    info = caught.value.info
    assert info.code is ErrorCode.NOT_ENOUGH_MEMORY
    need, have = info.detail("need_bytes"), info.detail("have_bytes")
    assert isinstance(need, int)
    assert isinstance(have, int)
    assert need > 100_000_000 * 23_040 > have > 0
    assert "constructing llama_context" not in log.text


@pytest.mark.model
def test_a_small_machine_gets_a_smaller_context(
    load: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    _have(monkeypatch, host_bytes=320 << 20)
    _, loaded = load(n_ctx=None, flash_attention=FlashAttention.ON)
    assert loaded.engine.n_ctx == 4096
    (notice,) = loaded.engine.notices
    assert notice.code is NoticeCode.CONTEXT_REDUCED
    assert dict(notice.details) == {"n_ctx": 4096, "wanted": 8192}


@pytest.mark.model
def test_weights_larger_than_memory_are_refused(
    load: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    _have(monkeypatch, host_bytes=64 << 20)
    with pytest.raises(EngineError) as caught:
        load()
    assert caught.value.info.code is ErrorCode.NOT_ENOUGH_MEMORY
    assert caught.value.info.detail("have_bytes") == 64 << 20


@pytest.mark.model
def test_weights_that_go_to_a_gpu_need_not_fit_into_the_host(
    load: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """92 MiB of weights and the process do not fit; the process alone does."""
    _have(monkeypatch, host_bytes=200 << 20)
    with pytest.raises(EngineError) as caught:
        load()
    assert caught.value.info.code is ErrorCode.NOT_ENOUGH_MEMORY
    _have(monkeypatch, host_bytes=200 << 20, gpu_bytes=[8 * _GIB])
    backend, _ = load()
    assert answer(backend, [1, 2, 3], 1)
