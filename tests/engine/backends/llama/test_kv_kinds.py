"""Sliding windows and recurrent state: layouts of caches as llama.cpp itself reports them."""

from pathlib import Path

import pytest

from engine.values import KvType
from tests.engine.backends.llama import tiny_models
from tests.engine.backends.llama.conftest import Loader, answer
from tests.engine.backends.llama.tiny_models import HEAD_SIZE, KV_HEADS, N_LAYERS, WINDOW
from tests.engine.scripting import ListLog

N_CTX, N_UBATCH = 4096, 256


def mib(n_bytes: int) -> str:
    return f"{n_bytes / 2**20:8.2f} MiB"


@pytest.mark.parametrize(
    ("kv_type", "bytes_per_number"),
    [(KvType.F16, 2), (KvType.Q8_0, 34 / 32), (KvType.Q4_0, 18 / 32)],
)
def test_layers_with_a_window_keep_so_many_cells(
    load: Loader, log: ListLog, tmp_path: Path, kv_type: KvType, bytes_per_number: float
) -> None:
    path = tmp_path / "gemma3.gguf"
    path.write_bytes(tiny_models.gemma3())
    backend, loaded = load(model_path=str(path), n_ctx=N_CTX, n_ubatch=N_UBATCH, kv_type=kv_type)
    a_layer = int(2 * KV_HEADS * HEAD_SIZE * bytes_per_number)
    full, window = loaded.kv.groups
    assert (full.n_layers, full.bytes_per_token, full.max_tokens) == (1, a_layer, None)
    assert (window.n_layers, window.bytes_per_token) == (5, 5 * a_layer)
    assert window.max_tokens == WINDOW + N_UBATCH
    for group in (full, window):
        assert (group.n_kv_heads, group.k_head_size) == (KV_HEADS, HEAD_SIZE)
    assert f"KV buffer size = {mib(a_layer * N_CTX)}" in log.text
    assert f"KV buffer size = {mib(5 * a_layer * (WINDOW + N_UBATCH))}" in log.text
    assert loaded.kv.reserved_bytes == a_layer * N_CTX + 5 * a_layer * (WINDOW + N_UBATCH)
    predicted = backend.predicted()
    assert predicted is not None
    assert predicted.kv_bytes == loaded.kv.reserved_bytes
    # From then on a token costs what the one other layer keeps.
    assert loaded.kv.used_bytes(3001) - loaded.kv.used_bytes(3000) == a_layer


def test_a_recurrent_model_has_one_state_at_any_length(
    load: Loader, log: ListLog, tmp_path: Path
) -> None:
    path = tmp_path / "mamba.gguf"
    path.write_bytes(tiny_models.mamba())
    backend, loaded = load(model_path=str(path), n_ctx=N_CTX)
    numbers = (tiny_models.CONVOLUTION - 1 + tiny_models.STATE) * tiny_models.INNER
    state = N_LAYERS * numbers * 4
    assert loaded.kv.groups == ()
    assert loaded.kv.fixed_bytes == loaded.kv.reserved_bytes == state
    assert f"RS buffer size = {mib(state)}" in log.text
    predicted = backend.predicted()
    assert predicted is not None
    assert predicted.kv_bytes == state
    answer(backend, [5] * 10, 1)
    few = backend.state_bytes()
    answer(backend, [5] * 200, 1, reuse_cache=False)
    assert backend.state_bytes() == few >= state
    assert loaded.kv.used_bytes(10) == loaded.kv.used_bytes(200) == state
