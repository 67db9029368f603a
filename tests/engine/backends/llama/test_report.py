"""What is read from llama.cpp's log, and the KV layout that follows from it."""

import pytest

from engine.backends.llama.kv_layout import LayerBytes, build_layout, layer_bytes, reserved_bytes
from engine.backends.llama.report import parse
from engine.backends.llama.watch import UbatchProgress
from engine.values import KvGroup

_DENSE = """\
print_info: n_swa                 = 0
print_info: n_embd_k_gqa          = 192
print_info: n_embd_v_gqa          = 192
load_tensors: layer   0 assigned to device CPU, is_swa = 0
load_tensors: layer   1 assigned to device CPU, is_swa = 0
load_tensors: layer   2 assigned to device CPU, is_swa = 0
load_tensors:   CPU_Mapped model buffer size =    92.10 MiB
load_tensors:   CPU_REPACK model buffer size =    10.00 MiB
llama_context:        CPU  output buffer size =     0.19 MiB
llama_kv_cache:        CPU KV buffer size =     6.00 MiB
llama_kv_cache: size =    6.00 MiB (  4096 cells,   2 layers,  1/1 seqs), \
K (f16):    3.00 MiB, V (f16):    3.00 MiB
sched_reserve:        CPU compute buffer size =    21.51 MiB
resolve_fused_ops: Flash Attention enabled
"""

# Six layers as Gemma 3 has them: five with a window of 512, then one that keeps everything.
_SLIDING = "\n".join(
    [
        "print_info: n_swa                 = 512",
        "print_info: n_embd_k_gqa          = 256",
        "print_info: n_embd_v_gqa          = 256",
        *(
            f"load_tensors: layer {layer:3d} assigned to device CPU, is_swa = {int(layer < 5)}"
            for layer in range(7)
        ),
        "llama_kv_cache:        CPU KV buffer size =     8.00 MiB",
        "llama_kv_cache: size =    8.00 MiB (  8192 cells,   1 layers,  1/1 seqs), "
        "K (f16):    4.00 MiB, V (f16):    4.00 MiB",
        "llama_kv_cache:        CPU KV buffer size =     5.00 MiB",
        "llama_kv_cache: size =    5.00 MiB (  1024 cells,   5 layers,  1/1 seqs), "
        "K (f16):    2.50 MiB, V (f16):    2.50 MiB",
    ]
)

# Four layers, of which two are recurrent and have no KV heads.
_HYBRID = "\n".join(
    [
        "print_info: n_swa                 = 0",
        "print_info: n_embd_k_gqa          = [0, 512, 0, 512]",
        "print_info: n_embd_v_gqa          = [0, 512, 0, 512]",
        *(f"load_tensors: layer {n:3d} assigned to device CPU, is_swa = 0" for n in range(5)),
        "llama_kv_cache:        CPU KV buffer size =     4.00 MiB",
        "llama_kv_cache: size =    4.00 MiB (  1024 cells,   2 layers,  1/1 seqs), "
        "K (f16):    2.00 MiB, V (f16):    2.00 MiB",
        "llama_memory_recurrent:        CPU RS buffer size =     1.50 MiB",
        "llama_memory_recurrent: size =    1.50 MiB (     1 cells,   4 layers,  1 seqs  0 rs_seq), "
        "R (f32):    0.50 MiB, S (f32):    1.00 MiB, P (f32):    0.00 MiB",
    ]
)


def test_buffers_and_flash_attention() -> None:
    report = parse(_DENSE.splitlines())
    assert report.model_buffers == [("CPU_Mapped", 92.10 * 2**20), ("CPU_REPACK", 10 * 2**20)]
    assert sum(n for _, n in report.scratch_buffers) == pytest.approx(21.70 * 2**20)
    assert not report.flash_attention_refused
    refused = parse(["resolve_fused_ops: Flash Attention not supported, set to disabled"])
    assert refused.flash_attention_refused


def test_the_share_of_the_blocks_that_is_on_a_gpu() -> None:
    """The output layer, which has no cache, goes first."""
    lines = _DENSE.splitlines()
    assert parse(lines).gpu_ratio == 0
    output = "load_tensors: layer   2 assigned to device CUDA0, is_swa = 0"
    assert parse([*lines, output]).gpu_ratio == 0
    half = [line.replace("layer   1 assigned to device CPU", "layer   1 assigned to device CUDA0")
            for line in lines]  # fmt: skip
    assert parse([*half, output]).gpu_ratio == 0.5
    assert parse([]).gpu_ratio == 0


def test_every_layer_alike() -> None:
    report = parse(_DENSE.splitlines())
    layers = layer_bytes(report, "f16", has_v=True)
    assert layers == LayerBytes(full=2 * 2 * 192 * 2, sliding=0)
    layout = build_layout(report, n_ctx=4096, kv_type="f16", has_v=True, kv_heads=(3, 3))
    assert layout.groups == (
        KvGroup(bytes_per_token=1536, n_layers=2, n_kv_heads=3, k_head_size=64, v_head_size=64),
    )
    assert (layout.block_values, layout.block_bytes) == (1, 2)
    assert layout.reserved_bytes == 1536 * 4096
    assert layout.used_bytes(100) == 153_600
    assert layout.held_bytes(90, 120, 100) == 15_360


def test_heads_that_differ_or_are_not_told_are_not_made_up() -> None:
    report = parse(_DENSE.splitlines())
    for heads in (None, (3,), (3, 6), (5, 5)):
        layout = build_layout(report, n_ctx=4096, kv_type="f16", has_v=True, kv_heads=heads)
        assert layout.groups == (KvGroup(bytes_per_token=1536, n_layers=2),)


def test_layers_with_a_sliding_window_stop_growing() -> None:
    report = parse(_SLIDING.splitlines())
    layers = layer_bytes(report, "f16", has_v=True)
    assert layers == LayerBytes(full=1024, sliding=5 * 1024)
    layout = build_layout(report, n_ctx=8192, kv_type="f16", has_v=True, kv_heads=(1,) * 6)
    sizes = {"n_kv_heads": 1, "k_head_size": 256, "v_head_size": 256}
    assert layout.groups == (
        KvGroup(bytes_per_token=1024, n_layers=1, **sizes),
        KvGroup(bytes_per_token=5120, max_tokens=1024, n_layers=5, **sizes),
    )
    assert layout.used_bytes(1000) == 1000 * 6144
    assert layout.used_bytes(5000) == 5000 * 1024 + 1024 * 5120
    # Of the first tokens the window keeps nothing any more.
    assert layout.held_bytes(0, 100, 5000) == 100 * 1024
    assert layout.held_bytes(4900, 5000, 5000) == 100 * 6144
    reserved = reserved_bytes(layers, n_ctx=8192, n_ubatch=512, sliding_window=512)
    assert reserved == layout.reserved_bytes == 13 << 20


def test_recurrent_layers_take_the_same_at_any_length() -> None:
    report = parse(_HYBRID.splitlines())
    layers = layer_bytes(report, "f16", has_v=True)
    assert layers == LayerBytes(full=4096, sliding=0)
    layout = build_layout(report, n_ctx=1024, kv_type="f16", has_v=True, kv_heads=(0, 4, 0, 4))
    assert layout.groups == (
        KvGroup(bytes_per_token=4096, n_layers=2, n_kv_heads=4, k_head_size=128, v_head_size=128),
    )
    assert layout.fixed_bytes == 3 << 19
    assert layout.used_bytes(1) == (3 << 19) + 4096
    assert layout.used_bytes(0) == 0
    assert layout.reserved_bytes == (3 << 19) + (4 << 20)


def test_a_compressed_latent_has_no_v() -> None:
    report = parse(_DENSE.splitlines())
    assert layer_bytes(report, "f16", has_v=False) == LayerBytes(full=768, sliding=0)


def test_the_log_is_believed_where_the_arithmetic_disagrees() -> None:
    lines = [line.replace("= 192", "= 111") for line in _DENSE.splitlines()]
    layout = build_layout(parse(lines), n_ctx=4096, kv_type="f16", has_v=True, kv_heads=(3, 3))
    assert layout.groups == (KvGroup(bytes_per_token=1536, n_layers=2),)


def test_an_empty_log_gives_nothing() -> None:
    report = parse([])
    assert layer_bytes(report, "f16", has_v=True) is None
    assert build_layout(report, n_ctx=512, kv_type="f16", has_v=True).groups == ()


def test_progress_within_batches() -> None:
    progress = UbatchProgress(512, 500)
    assert progress.tokens(0, 1200) == 0
    assert progress.tokens(250, 1200) == 256
    assert progress.tokens(500, 1200) == 512
    assert progress.tokens(1250, 1200) == 1024 + 176 // 2
    assert progress.tokens(9999, 1200) == 1200
    progress.learn(1800, 1200)
    assert progress.tokens(600, 1200) == 512
