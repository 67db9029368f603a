"""Loads: options, contexts, GGUF files, and models without a chat template."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import torch
from transformers import Gemma3Config, GPT2Config

from app import messages
from app.actions import Action
from engine.backends.torch_hf import devices, loading, watch
from engine.errors import EngineError, ErrorCode
from engine.events import CellsFound, GenerateCommand, LoadCommand, Loaded
from engine.service import EngineService
from engine.values import (
    FlashAttention,
    GenerateRequest,
    KvType,
    Notice,
    NoticeCode,
    SamplingParams,
)
from tests.engine import gguf_writer
from tests.engine.backends.torch_hf.conftest import GREEDY, answer
from tests.engine.backends.torch_hf.tiny_files import (
    N_VOCAB,
    SHAPE,
    options_for,
    refusal,
    save_folder,
    save_gguf,
)
from tests.engine.scripting import ListLog, finished, text_of, user

if TYPE_CHECKING:
    from pathlib import Path

    from engine.events import Event
    from tests.engine.backends.torch_hf.conftest import Loader

# K and V of 3 layers, 2 heads of 8 numbers of 4 bytes.
BYTES_PER_TOKEN = 2 * 3 * 2 * 8 * 4
GIB = 1 << 30


@pytest.mark.parametrize(
    ("option", "value", "shown"),
    [
        ("kv_type", KvType.Q8_0, "q8_0"),
        ("flash_attention", FlashAttention.ON, "on"),
        ("n_gpu_layers", 3, 3),
        ("n_gpu_layers", 0, 0),
    ],
)
def test_what_only_llama_has_is_refused(
    tiny_folder: Path,
    option: str,
    value: Any,  # noqa: ANN401
    shown: str | int,
) -> None:
    info = refusal(tiny_folder, **{option: value})
    assert info.code is ErrorCode.INVALID_OPTION
    assert info.details == (("option", option), ("value", shown), ("reason", "not_for_torch"))


@pytest.mark.parametrize(("option", "value"), [("n_ctx", 1), ("n_batch", 0), ("n_threads", 0)])
def test_numbers_out_of_bounds_are_refused(tiny_folder: Path, option: str, value: int) -> None:
    info = refusal(tiny_folder, **{option: value})
    assert info.code is ErrorCode.INVALID_OPTION
    assert (info.detail("option"), info.detail("value")) == (option, value)


def test_the_context_is_that_of_the_training_unless_asked_for(
    tiny_folder: Path, open_tiny: Loader
) -> None:
    _, loaded = open_tiny(tiny_folder, n_ctx=None)
    assert loaded.engine.n_ctx == 2048
    assert loaded.engine.notices == ()
    _, loaded = open_tiny(tiny_folder, n_ctx=4096)
    assert loaded.engine.n_ctx == 4096
    details = (("n_ctx", 4096), ("n_ctx_train", 2048))
    notice = Notice(code=NoticeCode.CONTEXT_BEYOND_TRAINING, details=details)
    assert loaded.engine.notices == (notice,)


def test_a_context_beyond_learned_positions_is_refused(tmp_path: Path, open_tiny: Loader) -> None:
    config = GPT2Config(vocab_size=N_VOCAB, n_positions=128, n_embd=32, n_layer=1, n_head=4)
    config.bos_token_id = config.eos_token_id = 0
    save_folder(tmp_path, config)
    info = refusal(tmp_path, n_ctx=256)
    assert info.code is ErrorCode.INVALID_OPTION
    assert info.details == (("option", "n_ctx"), ("value", 256), ("maximum", 128))
    backend, loaded = open_tiny(tmp_path, n_ctx=None)
    assert loaded.engine.n_ctx == 128
    assert len(answer(backend, list(range(127)), 1)) == 1


def test_weights_that_do_not_fit_in_memory_are_not_loaded(
    tiny_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "available_memory_bytes", lambda: 100 << 20)
    info = refusal(tiny_folder)
    assert info.code is ErrorCode.NOT_ENOUGH_MEMORY
    assert info.detail("device") == "CPU"
    assert info.detail("have_bytes") == 100 << 20
    # The weights in float32, and what the process takes by itself.
    layer = 2 * 32 * 32 + 2 * 32 * 16 + 3 * 32 * 64 + 2 * 32
    assert info.detail("need_bytes") == 4 * (2 * N_VOCAB * 32 + 3 * layer + 32) + (500 << 20)


def test_a_smaller_context_is_taken_where_memory_is_short(
    tiny_folder: Path, open_tiny: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leave(n_tokens: int) -> None:
        """So much room for the cache once the weights are there."""
        left = iter([GIB])
        n_bytes = n_tokens * BYTES_PER_TOKEN + loading._COMPUTE_BYTES
        monkeypatch.setattr(devices, "available_memory_bytes", lambda: next(left, n_bytes))

    leave(1500)
    _, loaded = open_tiny(tiny_folder, n_ctx=None)
    assert loaded.engine.n_ctx == 1024
    details = (("n_ctx", 1024), ("wanted", 2048))
    assert loaded.engine.notices == (Notice(code=NoticeCode.CONTEXT_REDUCED, details=details),)
    leave(1000)
    info = refusal(tiny_folder, n_ctx=None)
    assert info.code is ErrorCode.NOT_ENOUGH_MEMORY
    assert info.detail("need_bytes") == 1024 * BYTES_PER_TOKEN
    assert info.detail("have_bytes") == 1000 * BYTES_PER_TOKEN
    assert info.detail("device") == "CPU"
    leave(1500)
    # Who asks for a number gets it or an error.
    assert refusal(tiny_folder, n_ctx=1600).code is ErrorCode.NOT_ENOUGH_MEMORY


def test_a_gguf_file_becomes_the_model_that_it_is(tmp_path: Path, open_tiny: Loader) -> None:
    path = save_gguf(tmp_path / "wéird 漢 name.GGUF")
    backend, loaded = open_tiny(path)
    assert loaded.model.name == "Tiny"
    assert (loaded.model.architecture, loaded.model.quantization) == ("llama", "F32")
    assert (loaded.model.n_layers, loaded.model.n_kv_heads) == (2, 2)
    assert loaded.model.path == str(path)
    assert backend.tokenize("<|im_start|>h", add_special=False) == [257, ord("h")]
    assert len(answer(backend, [257, 104], 3)) == 3


@pytest.mark.parametrize("n_bytes", [0, 3, 20, 100, -1])
def test_a_gguf_file_that_was_cut_off(tmp_path: Path, n_bytes: int) -> None:
    whole = save_gguf(tmp_path / "whole.gguf").read_bytes()
    path = tmp_path / "cut.gguf"
    path.write_bytes(whole[:n_bytes])
    info = refusal(path)
    assert info.detail("path") == str(path)
    if 0 <= n_bytes < 4:
        assert info.code is ErrorCode.NOT_A_GGUF
        return
    assert info.code is ErrorCode.FILE_TRUNCATED
    assert info.detail("have_bytes") == path.stat().st_size
    if n_bytes < 0:
        assert info.detail("need_bytes") == len(whole)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("no-such-file.gguf", ErrorCode.FILE_NOT_FOUND),
        ("nul\0byte.gguf", ErrorCode.FILE_UNREADABLE),
    ],
)
def test_a_path_without_a_file(tmp_path: Path, name: str, code: ErrorCode) -> None:
    info = refusal(tmp_path / name)
    assert info.code is code
    assert info.detail("path") == str(tmp_path / name)


@pytest.mark.parametrize(
    ("architecture", "code"),
    [
        ("rwkv7", ErrorCode.UNKNOWN_ARCHITECTURE),
        ("no-such-thing", ErrorCode.UNKNOWN_ARCHITECTURE),
        ("bert", ErrorCode.NOT_A_CHAT_MODEL),
        ("t5", ErrorCode.NOT_A_CHAT_MODEL),
        ("clip", ErrorCode.NOT_A_CHAT_MODEL),
    ],
)
def test_a_gguf_file_of_another_kind(tmp_path: Path, architecture: str, code: ErrorCode) -> None:
    path = save_gguf(tmp_path / "model.gguf", architecture=architecture)
    info = refusal(path)
    assert info.code is code
    assert info.detail("path") == str(path)
    assert info.detail("architecture") == architecture
    assert info.detail("backend") == ("torch" if code is ErrorCode.UNKNOWN_ARCHITECTURE else None)


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (gguf_writer.gguf({"a": 1}), ErrorCode.NOT_A_CHAT_MODEL, "architecture None"),
        (gguf_writer.gguf({"general.architecture": 5}), ErrorCode.NOT_A_CHAT_MODEL, "None"),
        (
            gguf_writer.gguf({"general.architecture": "llama"}),
            ErrorCode.TOKENIZER_UNREADABLE,
            "tokenizer",
        ),
        # Two numbers of heads, which transformers cannot have.
        (gguf_writer.small_model(), ErrorCode.LOAD_FAILED, "num_key_value_heads"),
        (
            gguf_writer.gguf(
                {"general.architecture": "llama"}, [gguf_writer.Tensor("x", (4,), 99, 16)]
            ),
            ErrorCode.LOAD_FAILED,
            "[99]",
        ),
        (
            gguf_writer.gguf(
                {"general.architecture": "llama", "llama.block_count": 2_000_000_000},
                [gguf_writer.Tensor("x", (4,), 0, 16)],
            ),
            ErrorCode.WEIGHTS_MISMATCH,
            "for 2000000000 layers there are only 1",
        ),
    ],
    ids=["no architecture", "number", "empty", "heads", "tensor type", "layers without end"],
)
def test_a_gguf_file_with_a_hostile_header(
    tmp_path: Path, data: bytes, code: ErrorCode, words: str
) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(data)
    info = refusal(path)
    assert info.code is code
    assert words in info.technical
    assert info.detail("path") == str(path)


def test_a_gguf_file_that_lacks_a_tensor(tmp_path: Path) -> None:
    path = save_gguf(tmp_path / "model.gguf", leave_out="blk.1.ffn_up.weight")
    info = refusal(path)
    assert info.code is ErrorCode.WEIGHTS_MISMATCH
    assert info.details == (
        ("path", str(path)),
        ("reason", "tensors_missing"),
        ("names", "model.layers.1.mlp.up_proj.weight"),
    )


def test_a_gguf_model_in_several_files_is_refused_with_the_way_out(tmp_path: Path) -> None:
    path = save_gguf(tmp_path / "model-00001-of-00002.gguf", split_count=2)
    info = refusal(path)
    assert info.code is ErrorCode.LOAD_FAILED
    assert "split over 2" in info.technical
    message = messages.of_error(info)
    assert "llama-gguf-split --merge" in message.text
    assert Action.ENGINE_SETTINGS in message.actions


def test_a_model_without_a_template_continues_text(tmp_path: Path) -> None:
    save_folder(tmp_path, template=None)
    events: list[Event] = []
    service = EngineService(emit=events.append, last_cancelled=lambda: 0, log=ListLog())
    try:
        service.load(LoadCommand(request_id=1, options=options_for(tmp_path)))
        loaded = events[-1]
        assert isinstance(loaded, Loaded), loaded
        assert loaded.model.chat_template is None
        assert loaded.engine.notices == (Notice(code=NoticeCode.NO_CHAT_TEMPLATE),)
        events.clear()
        request = GenerateRequest(
            request_id=2,
            t_submit_ns=0,
            messages=(user("Once upon"),),
            sampling=SamplingParams(temperature=0),
            max_tokens=8,
            ignore_end=True,
        )
        service.generate(GenerateCommand(request=request))
    finally:
        service.close()
    assert isinstance(events.pop(), CellsFound)
    assert finished(events).n_output_tokens == 8
    assert len(text_of(events)) <= 8


def test_a_model_that_also_sees_is_stopped_between_layers_of_text(
    tmp_path: Path, open_tiny: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "_PERIOD_NS", 0)
    text = {**SHAPE, "head_dim": 8, "query_pre_attn_scalar": 8}
    eyes = {
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": SHAPE["num_hidden_layers"],
        "num_attention_heads": 4,
        "image_size": 28,
        "patch_size": 14,
    }
    save_folder(tmp_path, Gemma3Config(text_config=text, vision_config=eyes))
    backend, loaded = open_tiny(tmp_path)
    assert (loaded.model.architecture, loaded.model.n_layers) == ("gemma3", 3)
    assert loaded.prefill_is_interruptible
    prompt = list(range(60))
    backend.begin(prompt, GREEDY, reuse_cache=True)
    assert backend.prefill(prompt, lambda n_done: n_done == 0) == 0
    assert backend.kv_tokens() == 0
    assert len(answer(backend, prompt, 3)) == 3


def test_tokens_that_the_model_lacks_are_refused(tiny_folder: Path, open_tiny: Loader) -> None:
    backend, _ = open_tiny(tiny_folder)
    for token in (N_VOCAB, -1):
        with pytest.raises(EngineError) as raised:
            backend.begin([5, token, 6], GREEDY, reuse_cache=True)
        assert raised.value.info.code is ErrorCode.DECODE_FAILED
        assert f"token {token} " in raised.value.info.technical
    assert len(answer(backend, [5, N_VOCAB - 1, 6], 2)) == 2


@pytest.mark.parametrize("sampling", [GREEDY, SamplingParams(temperature=1)])
def test_logits_that_are_no_numbers_end_an_answer(
    tmp_path: Path, open_tiny: Loader, sampling: SamplingParams
) -> None:
    save_folder(tmp_path)
    backend, _ = open_tiny(tmp_path)
    module = backend._ready().model.module
    with torch.no_grad():
        module.lm_head.weight[7] = float("nan")
    with pytest.raises(EngineError) as raised:
        answer(backend, [1, 2, 3], 1, sampling=sampling)
    assert raised.value.info.code is ErrorCode.DECODE_FAILED
    assert "nan" in raised.value.info.technical
