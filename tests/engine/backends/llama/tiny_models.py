"""Whole models of architectures the starter model is not, small and full of zeros."""

from __future__ import annotations

from tests.engine.gguf_writer import Scalar, Tensor, gguf

_BYTE_TOKENS = [f"<0x{byte:02X}>" for byte in range(256)]
_TOKENS = ["<unk>", "<s>", "</s>", *_BYTE_TOKENS, "a"]
N_LAYERS, WIDTH = 6, 64
KV_HEADS, HEAD_SIZE, WINDOW = 1, 32, 512
INNER, STATE, CONVOLUTION, RANK = 128, 16, 4, 8


def gemma3() -> bytes:
    """Six layers, of which five have a sliding window of 512 tokens."""
    heads = 4
    hidden = 2 * WIDTH
    shapes: dict[str, tuple[int, ...]] = {
        "attn_norm": (WIDTH,),
        "attn_q": (WIDTH, heads * HEAD_SIZE),
        "attn_k": (WIDTH, KV_HEADS * HEAD_SIZE),
        "attn_v": (WIDTH, KV_HEADS * HEAD_SIZE),
        "attn_output": (heads * HEAD_SIZE, WIDTH),
        "post_attention_norm": (WIDTH,),
        "attn_q_norm": (HEAD_SIZE,),
        "attn_k_norm": (HEAD_SIZE,),
        "ffn_norm": (WIDTH,),
        "ffn_gate": (WIDTH, hidden),
        "ffn_up": (WIDTH, hidden),
        "ffn_down": (hidden, WIDTH),
        "post_ffw_norm": (WIDTH,),
    }
    return _model(
        "gemma3",
        {
            "feed_forward_length": hidden,
            "attention.head_count": heads,
            "attention.head_count_kv": KV_HEADS,
            "attention.key_length": HEAD_SIZE,
            "attention.value_length": HEAD_SIZE,
            "attention.sliding_window": WINDOW,
        },
        {f"{name}.weight": shape for name, shape in shapes.items()},
    )


def mamba() -> bytes:
    """Six recurrent layers, and no attention."""
    return _model(
        "mamba",
        {
            "feed_forward_length": 0,
            "attention.head_count": 0,
            "ssm.conv_kernel": CONVOLUTION,
            "ssm.inner_size": INNER,
            "ssm.state_size": STATE,
            "ssm.time_step_rank": RANK,
        },
        {
            "attn_norm.weight": (WIDTH,),
            "ssm_in.weight": (WIDTH, 2 * INNER),
            "ssm_conv1d.weight": (CONVOLUTION, INNER),
            "ssm_conv1d.bias": (INNER,),
            "ssm_x.weight": (INNER, RANK + 2 * STATE),
            "ssm_dt.weight": (RANK, INNER),
            "ssm_dt.bias": (INNER,),
            "ssm_a": (STATE, INNER),
            "ssm_d": (INNER,),
            "ssm_out.weight": (INNER, WIDTH),
        },
    )


def _model(architecture: str, own: dict[str, Scalar], layer: dict[str, tuple[int, ...]]) -> bytes:
    shapes = {
        "token_embd.weight": (WIDTH, len(_TOKENS)),
        "output_norm.weight": (WIDTH,),
        **{
            f"blk.{index}.{name}": shape
            for index in range(N_LAYERS)
            for name, shape in layer.items()
        },
    }
    tensors, offset = [], 0
    for name, shape in shapes.items():
        n_bytes = 4
        for size in shape:
            n_bytes *= size
        tensors.append(Tensor(name, shape, 0, n_bytes, offset))
        offset += -(-n_bytes // 32) * 32
    everywhere: dict[str, Scalar] = {
        "context_length": 8192,
        "embedding_length": WIDTH,
        "block_count": N_LAYERS,
        "attention.layer_norm_rms_epsilon": 1e-6,
    }
    return gguf(
        {
            "general.architecture": architecture,
            **{f"{architecture}.{key}": value for key, value in {**everywhere, **own}.items()},
            "tokenizer.ggml.model": "llama",
            "tokenizer.ggml.tokens": _TOKENS,
            "tokenizer.ggml.bos_token_id": 1,
            "tokenizer.ggml.eos_token_id": 2,
        },
        tensors,
    )
