"""Loading: what a model says about itself, what is refused and why, and what is given back."""

import gc
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from engine.backends.llama.backend import LlamaBackend
from engine.backends.llama.context import Context
from engine.backends.llama.flash import resolve
from engine.errors import EngineError, ErrorCode
from engine.events import LoadStage
from engine.machine import nvidia_gpu_names
from engine.values import FlashAttention, KvType, LoadOptions, MemoryUse, NoticeCode
from tests.engine.backends.llama.conftest import GREEDY, Loader, answer
from tests.engine.gguf_writer import gguf, small_model
from tests.engine.scripting import ListLog

pytestmark = pytest.mark.model

_Q8_BYTES, _Q4_BYTES = 34 / 32, 18 / 32


def _failure(log: ListLog, options: LoadOptions) -> EngineError:
    backend = LlamaBackend(log)
    try:
        with pytest.raises(EngineError) as caught:
            backend.load(options, lambda stage, fraction: True)
    finally:
        backend.close()
    return caught.value


def test_the_model_says_what_it_is(load: Loader, starter_model_path: Path) -> None:
    _, loaded = load()
    model = loaded.model
    assert (model.architecture, model.quantization) == ("llama", "Q4_1")
    assert (model.n_layers, model.n_heads, model.n_kv_heads) == (30, 9, 3)
    assert (model.n_embd, model.n_vocab, model.n_ctx_train) == (576, 49152, 8192)
    assert model.n_parameters == 134_515_008
    assert model.path == str(starter_model_path)
    assert model.chat_template is not None
    assert model.chat_template.endswith("{% endif %}")
    assert "<|im_start|>" in model.chat_template


def test_the_engine_says_what_it_runs_with(load: Loader) -> None:
    _, loaded = load(n_ctx=None, n_batch=256, n_ubatch=64)
    engine = loaded.engine
    assert (engine.n_ctx, engine.n_batch, engine.n_ubatch) == (8192, 256, 64)
    assert (engine.n_threads, engine.n_threads_prefill) == (1, 1)
    assert "llama-cpp-python" in engine.build
    assert engine.n_gpu_layers == 0
    assert engine.device == "CPU"
    assert loaded.prefill_is_interruptible


@pytest.mark.parametrize(
    ("kv_type", "bytes_per_number"),
    [(KvType.F16, 2.0), (KvType.Q8_0, _Q8_BYTES), (KvType.Q4_0, _Q4_BYTES)],
)
def test_kv_bytes_are_those_llama_cpp_reserves(
    load: Loader, log: ListLog, kv_type: KvType, bytes_per_number: float
) -> None:
    """30 layers, 3 KV heads of 64 numbers, K and V."""
    backend, loaded = load(kv_type=kv_type, n_ctx=2048)
    per_token = int(30 * 2 * 3 * 64 * bytes_per_number)
    (group,) = loaded.kv.groups
    assert (group.bytes_per_token, group.max_tokens) == (per_token, None)
    assert (group.n_layers, group.n_kv_heads) == (30, 3)
    assert (group.k_head_size, group.v_head_size) == (64, 64)
    assert loaded.kv.block_bytes == bytes_per_number * (loaded.kv.block_values or 0)
    assert loaded.kv.fixed_bytes == 0
    assert loaded.kv.reserved_tokens == 2048
    assert loaded.kv.reserved_bytes == per_token * 2048 == loaded.memory.kv_bytes
    assert f"KV buffer size = {per_token * 2048 / 2**20:8.2f} MiB" in log.text
    # What saving the sequence takes grows by the same, and a few bytes of position a token.
    answer(backend, [1] * 10, 1)
    few = backend.state_bytes()
    answer(backend, [1] * 110, 1)
    assert 0 <= (backend.state_bytes() - few) / 100 - per_token <= 16
    assert loaded.kv.used_bytes(110) == 110 * per_token


def test_memory_is_what_the_log_says(load: Loader) -> None:
    _, loaded = load()
    assert loaded.memory.weights_bytes is not None
    assert abs(loaded.memory.weights_bytes - (loaded.model.size_bytes or 0)) < 2**16
    assert loaded.memory.compute_bytes is not None
    assert 1 << 20 < loaded.memory.compute_bytes < 64 << 20
    assert not loaded.memory.on_gpu
    # All of it is in the machine's memory, and of the weights what is not repacked is mapped.
    assert 0 < loaded.memory.mapped_bytes <= loaded.memory.weights_bytes
    assert loaded.memory.host_weights_bytes == loaded.memory.weights_bytes
    assert loaded.memory.host_kv_bytes == loaded.memory.kv_bytes


@pytest.mark.parametrize("kv_type", [KvType.F16, KvType.Q8_0])
def test_memory_is_predicted_before_it_is_taken(starter_model_path: Path, kv_type: KvType) -> None:
    seen: list[MemoryUse | None] = []

    def look(stage: LoadStage, _fraction: float | None) -> bool:
        seen.append(backend.predicted())
        return True

    backend = LlamaBackend(ListLog())
    assert backend.predicted() is None
    options = LoadOptions(
        model_path=str(starter_model_path), kv_type=kv_type, n_ctx=1024, n_threads=1
    )
    loaded = backend.load(options, look)
    backend.close()
    predicted, memory = backend.predicted(), loaded.memory
    # By the header at first, then as the model was read: of the starter model both say the same.
    assert predicted is not None
    assert set(seen) == {None, predicted}
    assert seen.index(predicted) < len(seen) / 2
    assert predicted.weights_bytes == loaded.model.size_bytes
    assert predicted.kv_bytes == memory.kv_bytes == loaded.kv.reserved_bytes
    assert predicted.compute_bytes is not None
    assert memory.compute_bytes is not None
    # Other models are less frugal, so more is expected.
    assert memory.compute_bytes < predicted.compute_bytes < 4 * memory.compute_bytes


@pytest.mark.parametrize(
    ("wanted", "state"),
    [(FlashAttention.ON, True), (FlashAttention.OFF, False)],
)
def test_flash_attention_is_what_was_asked(
    load: Loader, wanted: FlashAttention, state: bool
) -> None:
    _, loaded = load(flash_attention=wanted)
    assert loaded.engine.flash_attention is state


@pytest.mark.parametrize(
    ("features", "kv_type", "n_heads", "n_gpu_layers", "resolved"),
    [
        ("SSE3 AVX2", KvType.F16, 9, 0, FlashAttention.OFF),
        ("SSE3 AVX2 AVX512", KvType.F16, 9, 0, FlashAttention.AUTO),
        ("NEON", KvType.F16, 9, 0, FlashAttention.AUTO),
        ("SSE3 AVX2", KvType.Q8_0, 9, 0, FlashAttention.AUTO),
        ("SSE3 AVX2", KvType.F16, 64, 0, FlashAttention.AUTO),
        ("SSE3 AVX2", KvType.F16, 9, 30, FlashAttention.AUTO),
    ],
)
def test_auto_flash_attention_is_off_only_where_it_is_slower(
    features: str, kv_type: KvType, n_heads: int, n_gpu_layers: int, resolved: FlashAttention
) -> None:
    options = LoadOptions(model_path="", kv_type=kv_type)
    found = resolve(options, features, n_heads=n_heads, n_ctx=8192, n_gpu_layers=n_gpu_layers)
    assert found is resolved
    asked = replace(options, flash_attention=FlashAttention.ON)
    assert (
        resolve(asked, features, n_heads=n_heads, n_ctx=8192, n_gpu_layers=n_gpu_layers)
        is FlashAttention.ON
    )


def test_the_engine_says_what_auto_became(load: Loader) -> None:
    _, loaded = load()
    build = loaded.engine.build
    assert loaded.engine.flash_attention is ("SSE3" not in build or "AVX512" in build)


def test_progress_of_a_load_goes_through_its_stages(starter_model_path: Path) -> None:
    seen: list[tuple[LoadStage, float | None]] = []

    def keep(stage: LoadStage, fraction: float | None) -> bool:
        seen.append((stage, fraction))
        return True

    backend = LlamaBackend(ListLog())
    backend.load(LoadOptions(model_path=str(starter_model_path), n_ctx=256), keep)
    backend.close()
    stages = list(dict.fromkeys(stage for stage, _ in seen))
    assert stages == [
        LoadStage.READ,
        LoadStage.CONTEXT,
        LoadStage.WARM_UP,
        LoadStage.MEASURE_THREADS,
    ]
    fractions = [f for stage, f in seen if stage is LoadStage.READ and f is not None]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    assert len(fractions) > 20


@pytest.mark.parametrize(
    "stage", [LoadStage.READ, LoadStage.CONTEXT, LoadStage.WARM_UP, LoadStage.MEASURE_THREADS]
)
def test_a_load_can_be_cancelled_in_every_stage(
    starter_model_path: Path, log: ListLog, stage: LoadStage
) -> None:
    backend = LlamaBackend(log)
    options = LoadOptions(model_path=str(starter_model_path), n_ctx=256)
    with pytest.raises(EngineError) as caught:
        backend.load(options, lambda now, fraction: now is not stage)
    assert caught.value.info.code is ErrorCode.LOAD_CANCELLED
    backend.close()
    # The same backend object can load afterwards.
    loaded = backend.load(replace(options, n_threads=1), lambda now, fraction: True)
    assert loaded.engine.n_threads == 1
    backend.close()


def test_what_the_callback_raises_comes_out_of_load(starter_model_path: Path) -> None:
    def fail(stage: LoadStage, fraction: float | None) -> bool:
        if fraction:
            raise LookupError("from the worker")
        return True

    backend = LlamaBackend(ListLog())
    with pytest.raises(LookupError, match="from the worker"):
        backend.load(LoadOptions(model_path=str(starter_model_path)), fail)
    backend.close()


def test_close_gives_the_memory_back(load: Loader) -> None:
    process = psutil.Process()
    backend, loaded = load(n_ctx=8192)
    answer(backend, [1, 2, 3], 2)
    full = process.memory_info().rss
    backend.close()
    backend.close()
    gc.collect()
    assert backend.kv_tokens() == 0
    freed = full - process.memory_info().rss
    assert freed > 0.9 * loaded.kv.reserved_bytes
    with pytest.raises(EngineError) as caught:
        backend.begin([1], GREEDY, reuse_cache=True)
    assert caught.value.info.code is ErrorCode.NO_MODEL


def test_a_second_load_needs_a_second_backend(load: Loader, starter_model_path: Path) -> None:
    backend, _ = load()
    with pytest.raises(EngineError):
        backend.load(LoadOptions(model_path=str(starter_model_path)), lambda stage, f: True)
    assert answer(backend, [1, 2, 3], 1)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("n_ctx", 1),
        ("n_ctx", 63),
        ("n_ctx", 2**31),
        ("n_batch", 0),
        ("n_batch", 1 << 20),
        ("n_ubatch", 0),
        ("n_threads", 0),
        ("n_threads", 10_000),
        ("n_threads_prefill", -1),
        ("n_gpu_layers", -2),
    ],
)
def test_options_out_of_range_are_refused_with_their_range(
    log: ListLog, starter_model_path: Path, option: str, value: int
) -> None:
    changes: dict[str, Any] = {option: value}
    options = replace(LoadOptions(model_path=str(starter_model_path)), **changes)
    info = _failure(log, options).info
    assert info.code is ErrorCode.INVALID_OPTION
    assert (info.detail("option"), info.detail("value")) == (option, value)
    minimum, maximum = info.detail("minimum"), info.detail("maximum")
    assert isinstance(minimum, int)
    assert isinstance(maximum, int)
    assert not minimum <= value <= maximum


def test_the_least_context_answers(load: Loader) -> None:
    backend, loaded = load(n_ctx=64)
    assert loaded.engine.n_ctx == 256
    assert loaded.engine.n_batch == 64
    assert len(answer(backend, list(range(3, 67)), 8)) == 8


def test_a_quantized_cache_needs_flash_attention(log: ListLog, starter_model_path: Path) -> None:
    options = LoadOptions(
        model_path=str(starter_model_path),
        kv_type=KvType.Q8_0,
        flash_attention=FlashAttention.OFF,
    )
    info = _failure(log, options).info
    assert info.code is ErrorCode.INVALID_OPTION
    assert info.detail("option") == "kv_type"
    assert info.detail("reason") == "needs_flash_attention"


def test_a_context_beyond_training_is_told(load: Loader) -> None:
    _, loaded = load(n_ctx=8448)
    (notice,) = loaded.engine.notices
    assert notice.code is NoticeCode.CONTEXT_BEYOND_TRAINING
    assert dict(notice.details) == {"n_ctx": 8448, "n_ctx_train": 8192}


def test_a_gpu_asked_for_and_not_built_in_is_told(load: Loader) -> None:
    _, loaded = load(n_gpu_layers=10)
    assert [notice.code for notice in loaded.engine.notices] == [NoticeCode.GPU_NOT_IN_BUILD]
    assert loaded.engine.n_gpu_layers == 0


def test_the_driver_names_its_gpus(tmp_path: Path) -> None:
    folder = tmp_path / "0000:01:00.0"
    folder.mkdir()
    (folder / "information").write_text("Model: \t\t NVIDIA H200\nIRQ:   33\n")
    assert nvidia_gpu_names(tmp_path) == ("NVIDIA H200",)
    assert nvidia_gpu_names(tmp_path / "none") == ()


def test_a_truncated_model_is_refused(
    log: ListLog, starter_model_path: Path, tmp_path: Path
) -> None:
    whole = starter_model_path.read_bytes()
    path = tmp_path / "half.gguf"
    path.write_bytes(whole[: len(whole) // 2])
    info = _failure(log, LoadOptions(model_path=str(path))).info
    assert info.code is ErrorCode.FILE_TRUNCATED
    assert info.detail("have_bytes") == len(whole) // 2
    assert info.detail("need_bytes") == len(whole)


def test_an_unknown_architecture_is_named(log: ListLog, tmp_path: Path) -> None:
    path = tmp_path / "nonsense.gguf"
    path.write_bytes(small_model("nonsense"))
    info = _failure(log, LoadOptions(model_path=str(path))).info
    assert info.code is ErrorCode.UNKNOWN_ARCHITECTURE
    assert info.detail("architecture") == "nonsense"
    assert "unknown model architecture" in info.log_tail


def test_a_known_architecture_without_its_tensors(log: ListLog, tmp_path: Path) -> None:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(small_model("llama"))
    info = _failure(log, LoadOptions(model_path=str(path))).info
    assert info.code is ErrorCode.LOAD_FAILED
    assert "error loading model" in info.log_tail


@pytest.mark.parametrize(
    "metadata",
    [
        {"general.architecture": "clip", "general.type": "mmproj"},
        {"general.architecture": "bert"},
        {"general.architecture": "llama", "general.type": "adapter"},
        {"general.architecture": "qwen3", "qwen3.pooling_type": 3},
        {"general.name": "no architecture"},
    ],
)
def test_models_that_do_not_chat_are_refused(
    log: ListLog, tmp_path: Path, metadata: dict[str, str | int]
) -> None:
    path = tmp_path / "other.gguf"
    path.write_bytes(gguf(metadata))
    info = _failure(log, LoadOptions(model_path=str(path))).info
    assert info.code is ErrorCode.NOT_A_CHAT_MODEL
    assert log.text == ""


def test_a_missing_part_of_a_split_model_is_named(log: ListLog, tmp_path: Path) -> None:
    first = tmp_path / "big-00001-of-00002.gguf"
    first.write_bytes(gguf({"general.architecture": "llama", "split.count": 2}))
    info = _failure(log, LoadOptions(model_path=str(first))).info
    assert info.code is ErrorCode.FILE_NOT_FOUND
    assert str(info.detail("path")).endswith("big-00002-of-00002.gguf")


def test_a_measured_thread_count_is_kept(
    starter_model_path: Path, tmp_path: Path, log: ListLog
) -> None:
    options = LoadOptions(
        model_path=str(starter_model_path), n_ctx=256, cache_dir=str(tmp_path / "cache")
    )
    counts, stages = [], []
    for _ in range(2):
        backend = LlamaBackend(log)
        seen: list[LoadStage] = []

        def keep(stage: LoadStage, fraction: float | None, seen: list[LoadStage] = seen) -> bool:
            seen.append(stage)
            return True

        loaded = backend.load(options, keep)
        backend.close()
        counts.append(loaded.engine.n_threads)
        stages.append(LoadStage.MEASURE_THREADS in seen)
    assert stages == [True, False]
    assert counts[0] == counts[1]
    assert counts[0] in range(1, (psutil.cpu_count() or 1) + 1)


def test_a_measured_step_ends_when_the_device_is_done(
    load: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    decode_one, synchronize = Context.decode_one, Context.synchronize

    def recorded_decode(context: Context, token: int) -> int:
        calls.append("decode")
        return decode_one(context, token)

    def recorded_synchronize(context: Context) -> None:
        calls.append("synchronize")
        synchronize(context)

    monkeypatch.setattr(Context, "decode_one", recorded_decode)
    monkeypatch.setattr(Context, "synchronize", recorded_synchronize)
    load(n_threads=None)
    assert calls.count("decode") > 2
    assert calls == ["decode", "synchronize"] * calls.count("decode")
