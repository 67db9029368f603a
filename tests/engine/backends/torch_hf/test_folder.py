"""Configurations and tokenizers that are not what they should be; nothing of them runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    BertConfig,
    BertForMaskedLM,
    BertLMHeadModel,
    RecurrentGemmaConfig,
    RwkvConfig,
    T5Config,
    T5ForConditionalGeneration,
)

from engine.errors import ErrorCode
from engine.values import NoticeCode
from tests.engine.backends.torch_hf.tiny_files import (
    N_VOCAB,
    SHAPE,
    edit_json,
    refusal,
    save_folder,
    save_tokenizer,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.engine.backends.torch_hf.conftest import Loader

SMALL_ENCODER = {
    "vocab_size": N_VOCAB,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "max_position_embeddings": 512,
}
SMALL_BART = {
    "vocab_size": N_VOCAB,
    "d_model": 32,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_ffn_dim": 32,
    "decoder_ffn_dim": 32,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "max_position_embeddings": 128,
}


def test_without_a_configuration(folder: Path) -> None:
    (folder / "config.json").unlink()
    info = refusal(folder)
    assert info.code is ErrorCode.FOLDER_WITHOUT_CONFIG
    assert info.details == (("path", str(folder)),)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "double quotes"),
        ("", "Expecting value"),
        ("[]", "no_json_object"),
        ("null", "no_json_object"),
        ("[" * 100_000, "too deeply"),
        ('{"a": ' + "9" * 10_000 + "}", "4300 digits"),
        ("\N{BYTE ORDER MARK}{}", "BOM"),
    ],
)
def test_a_configuration_that_is_none(folder: Path, text: str, reason: str) -> None:
    (folder / "config.json").write_text(text, encoding="utf-8")
    info = refusal(folder)
    assert info.code is ErrorCode.CONFIG_UNREADABLE
    assert (info.detail("path"), info.detail("file")) == (str(folder), "config.json")
    assert reason in str(info.detail("reason"))


def test_a_configuration_of_any_size_is_not_read(folder: Path) -> None:
    with (folder / "config.json").open("r+b") as file:
        file.truncate(65 << 20)
    info = refusal(folder)
    assert info.code is ErrorCode.CONFIG_UNREADABLE
    assert info.detail("reason") == "file_too_large"


@pytest.mark.parametrize(
    "changes",
    [
        {"hidden_size": "abc"},
        {"hidden_size": -1},
        {"num_attention_heads": 0},
        {"layer_types": ["full_attention"]},
        {"eos_token_id": ["a"]},
        {"dtype": "evil"},
        {"quantization_config": "evil"},
    ],
    ids=str,
)
def test_a_configuration_with_values_that_cannot_be(folder: Path, changes: dict[str, Any]) -> None:
    edit_json(folder / "config.json", **changes)
    info = refusal(folder)
    assert info.code is ErrorCode.CONFIG_UNREADABLE
    assert info.detail("file") == "config.json"
    assert info.detail("reason")


@pytest.mark.parametrize(
    "changes",
    [
        {"hidden_act": "evil"},
        {"quantization_config": {"quant_method": "bitsandbytes", "load_in_4bit": True}},
    ],
)
def test_a_model_that_cannot_be_built(folder: Path, changes: dict[str, Any]) -> None:
    edit_json(folder / "config.json", **changes)
    info = refusal(folder)
    assert info.code is ErrorCode.LOAD_FAILED
    assert info.detail("path") == str(folder)
    assert info.technical


@pytest.mark.parametrize(
    ("model_type", "architectures", "shown"),
    [
        ("nonsense", ["NonsenseForCausalLM"], "nonsense"),
        (None, ["NonsenseForCausalLM"], "NonsenseForCausalLM"),
        (["llama"], None, ""),
    ],
)
def test_an_architecture_that_is_not_known(
    folder: Path,
    model_type: Any,  # noqa: ANN401
    architectures: list[str] | None,
    shown: str,
) -> None:
    edit_json(folder / "config.json", model_type=model_type, architectures=architectures)
    info = refusal(folder)
    assert info.code is ErrorCode.UNKNOWN_ARCHITECTURE
    assert info.detail("architecture") == shown
    assert info.detail("backend") == "torch"


@pytest.mark.parametrize("model_type", ["evil", "llama"])
def test_code_that_a_model_brings_is_never_run(
    folder: Path, tmp_path: Path, open_tiny: Loader, model_type: str
) -> None:
    marker = tmp_path / "was-run"
    code = f"open({str(marker)!r}, 'w')\n"
    (folder / "evil.py").write_text(code)
    (folder / "custom_generate").mkdir()
    (folder / "custom_generate" / "generate.py").write_text(code)
    names = {"AutoConfig": "evil.C", "AutoModelForCausalLM": "evil.M"}
    # A name of an implementation of attention may be that of code to be fetched.
    edit_json(
        folder / "config.json",
        model_type=model_type,
        auto_map=names,
        attn_implementation="somebody/attention",
        _attn_implementation="somebody/attention",
    )
    edit_json(folder / "tokenizer_config.json", auto_map={"AutoTokenizer": ["evil.T", None]})
    if model_type == "llama":
        open_tiny(folder)
    else:
        assert refusal(folder).code is ErrorCode.UNKNOWN_ARCHITECTURE
    assert not marker.exists()


def test_a_tokenizer_that_needs_code_is_refused(folder: Path, tmp_path: Path) -> None:
    marker = tmp_path / "was-run"
    (folder / "evil.py").write_text(f"open({str(marker)!r}, 'w')\n")
    edit_json(
        folder / "tokenizer_config.json",
        auto_map={"AutoTokenizer": ["evil.T", None]},
        tokenizer_class="T",
    )
    info = refusal(folder)
    assert info.code is ErrorCode.TOKENIZER_UNREADABLE
    assert "custom code" in str(info.detail("reason"))
    assert not marker.exists()


@pytest.mark.parametrize(
    ("model", "changes", "architecture"),
    [
        (lambda: BertForMaskedLM(BertConfig(**SMALL_ENCODER)), {}, "bert"),
        (lambda: BertLMHeadModel(BertConfig(**SMALL_ENCODER)), {}, "bert"),
        (lambda: BertLMHeadModel(BertConfig(**SMALL_ENCODER)), {"architectures": None}, "bert"),
        (
            lambda: T5ForConditionalGeneration(
                T5Config(vocab_size=N_VOCAB, d_model=32, d_kv=8, d_ff=32, num_layers=1, num_heads=4)
            ),
            {},
            "t5",
        ),
        (lambda: BartForConditionalGeneration(BartConfig(**SMALL_BART)), {}, "bart"),
        (
            lambda: BartForConditionalGeneration(BartConfig(**SMALL_BART)),
            {"is_encoder_decoder": None},
            "bart",
        ),
    ],
    ids=["bert", "bert as decoder", "bert unnamed", "t5", "bart", "bart that hides it"],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_model_that_does_not_write_on(
    tmp_path: Path,
    model: Any,  # noqa: ANN401
    changes: dict[str, Any],
    architecture: str,
) -> None:
    model().save_pretrained(str(tmp_path))
    save_tokenizer(tmp_path)
    edit_json(tmp_path / "config.json", **changes)
    info = refusal(tmp_path)
    assert info.code is ErrorCode.NOT_A_CHAT_MODEL
    assert info.detail("architecture") == architecture


@pytest.mark.parametrize(
    "config",
    [
        RwkvConfig(vocab_size=N_VOCAB, hidden_size=32, num_hidden_layers=2, context_length=128),
        RecurrentGemmaConfig(**SHAPE, lru_width=32, attention_window_size=16, head_dim=8),
    ],
    ids=lambda config: config.model_type,
)
def test_a_state_that_is_not_in_the_cache_cannot_be_kept(tmp_path: Path, config: Any) -> None:  # noqa: ANN401
    info = refusal(save_folder(tmp_path, config))
    assert info.code is ErrorCode.UNKNOWN_ARCHITECTURE
    assert info.detail("architecture") == config.model_type
    assert info.detail("backend") == "torch"


def test_without_a_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    info = refusal(folder)
    assert info.code is ErrorCode.TOKENIZER_UNREADABLE
    assert info.details == (("path", str(folder)), ("reason", "no_tokenizer_file"))


@pytest.mark.parametrize("text", ["garbage", "{}", "[]", '{"added_tokens": [], "model": {}}'])
def test_a_tokenizer_that_is_none(folder: Path, text: str) -> None:
    (folder / "tokenizer.json").write_text(text)
    info = refusal(folder)
    assert info.code is ErrorCode.TOKENIZER_UNREADABLE
    assert info.detail("path") == str(folder)
    assert "\n" not in str(info.detail("reason"))


def test_a_tokenizer_that_makes_no_tokens(folder: Path) -> None:
    empty = {"type": "BPE", "vocab": {}, "merges": []}
    edit_json(folder / "tokenizer.json", model=empty, pre_tokenizer=None, decoder=None)
    info = refusal(folder)
    assert info.code is ErrorCode.TOKENIZER_UNREADABLE
    assert info.detail("reason") == "makes_no_tokens"


def test_end_tokens_that_are_none_end_nothing(folder: Path, open_tiny: Loader) -> None:
    (folder / "generation_config.json").write_text('{"eos_token_id": [7, "a", null]}')
    backend, _ = open_tiny(folder)
    assert backend.is_end(7)
    assert backend.is_end(258)
    assert not backend.is_end(0)


def test_a_context_without_measure_is_not_shown(folder: Path, open_tiny: Loader) -> None:
    edit_json(folder / "config.json", max_position_embeddings=10**30)
    _, loaded = open_tiny(folder, n_ctx=None)
    assert loaded.model.n_ctx_train is None
    assert loaded.engine.n_ctx == 8192
    assert NoticeCode.CONTEXT_BEYOND_TRAINING not in [n.code for n in loaded.engine.notices]
