"""Text, tokens and bytes, for every way in which tokenizers write their pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
)
from transformers import PreTrainedTokenizerFast

from engine.backends.torch_hf.vocab import Vocab
from engine.errors import EngineError, ErrorCode
from tests.engine.backends.torch_hf.tiny_files import SPECIAL, byte_tokenizer

if TYPE_CHECKING:
    from collections.abc import Sequence

SPACE = "\N{LOWER ONE EIGHTH BLOCK}"
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


def vocab_of(tokenizer: Tokenizer, end: Sequence[int] = (), **named: Any) -> Vocab:  # noqa: ANN401
    return Vocab(PreTrainedTokenizerFast(tokenizer_object=tokenizer, **named), end)


def spelled(vocab: Vocab, tokens: Sequence[int]) -> bytes:
    return b"".join(map(vocab.token_bytes, tokens))


def sentencepiece() -> Tokenizer:
    """Words with the space before them, bytes for what is in no word, as Llama 2 and Gemma."""
    pieces = ["<unk>", *BYTES, f"{SPACE}Hello", f"{SPACE}", "wor", "ld", "Hello", "h"]
    tokenizer = Tokenizer(
        models.Unigram([(piece, -1.0 * len(BYTES)) for piece in pieces], 0, byte_fallback=True)
    )
    tokenizer.normalizer = normalizers.Replace(" ", SPACE)
    tokenizer.decoder = decoders.Sequence(
        [
            decoders.Replace(SPACE, " "),
            decoders.ByteFallback(),
            decoders.Fuse(),
            decoders.Strip(" ", 1, 0),
        ]
    )
    return tokenizer


def words(decoder: Any, pieces: Sequence[str]) -> Tokenizer:  # noqa: ANN401
    tokenizer = Tokenizer(
        models.WordPiece({piece: index for index, piece in enumerate(pieces)}, unk_token=pieces[0])
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.decoder = decoder
    return tokenizer


@pytest.mark.parametrize("text", ["Hello world", "漢字 \N{GRINNING FACE}", "a\n\tb", "\0\x7f", ""])
def test_byte_level_tokens_are_the_bytes_of_the_text(text: str) -> None:
    vocab = vocab_of(byte_tokenizer())
    tokens = vocab.tokenize(text, add_special=True)
    assert spelled(vocab, tokens) == text.encode()
    assert len(tokens) == len(text.encode())
    # Half of a character is half of its bytes.
    assert spelled(vocab, tokens[:1]) == text.encode()[:1]


@pytest.mark.parametrize("text", ["Hello world", " Hello", "漢字", "a\nb", "Hello  Hello"])
def test_sentencepiece_tokens_are_the_bytes_of_the_text(text: str) -> None:
    vocab = vocab_of(sentencepiece())
    assert spelled(vocab, vocab.tokenize(text, add_special=False)) == text.encode()


def test_a_byte_token_is_its_byte() -> None:
    tokenizer = sentencepiece()
    vocab, ids = vocab_of(tokenizer), tokenizer.get_vocab()
    assert vocab.token_bytes(ids["<0x0A>"]) == b"\n"
    assert vocab.token_bytes(ids["<0xE6>"]) == b"\xe6"
    assert vocab.token_bytes(ids[f"{SPACE}Hello"]) == b" Hello"


def test_a_space_before_a_piece_is_kept_with_metaspace() -> None:
    tokenizer = words(decoders.Metaspace(), ["?", f"{SPACE}Hello", "there", "<0x0A>"])
    vocab = vocab_of(tokenizer)
    assert spelled(vocab, [1, 2]) == b" Hellothere"
    # Without byte fallback this is text like any other.
    assert vocab.token_bytes(3) == b"<0x0A>"


def test_words_are_set_apart_and_their_parts_are_not() -> None:
    vocab = vocab_of(words(decoders.WordPiece("##"), ["[UNK]", "play", "##ing", "chess", "##"]))
    assert spelled(vocab, [1, 2, 3]) == b" playing chess"
    assert vocab.token_bytes(4) == b""


def test_the_end_of_a_word_is_a_space() -> None:
    tokenizer = words(decoders.BPEDecoder("</w>"), ["?", "play", "ing</w>", "chess</w>"])
    assert spelled(vocab_of(tokenizer), [1, 2, 3]) == b"playing chess "


@pytest.mark.parametrize("decoder", [None, decoders.CTC()])
def test_a_decoder_of_another_kind_decodes_by_itself(decoder: Any) -> None:  # noqa: ANN401
    tokenizer = Tokenizer(models.WordLevel({"?": 0, "play": 1}, unk_token="?"))
    if decoder is not None:
        tokenizer.decoder = decoder
    assert vocab_of(tokenizer).token_bytes(1) == b"play"


def test_added_tokens_are_text_unless_they_are_special() -> None:
    tokenizer = byte_tokenizer()
    tokenizer.add_tokens([AddedToken("<think>", special=False)])
    vocab = vocab_of(tokenizer)
    tokens = vocab.tokenize("<think>a<|im_end|>", add_special=False)
    assert tokens == [259, ord("a"), 258]
    assert spelled(vocab, tokens) == b"<think>a"
    assert vocab.token_bytes(258) == b""


def test_tokens_that_the_tokenizer_lacks_have_no_bytes() -> None:
    vocab = vocab_of(byte_tokenizer())
    # Models often have some rows more than there are tokens.
    assert [vocab.token_bytes(token) for token in (259, 300, 1 << 40)] == [b"", b"", b""]
    assert not vocab.is_end(300)


def test_markers_are_one_token_and_lone_surrogates_are_replaced() -> None:
    vocab = vocab_of(byte_tokenizer())
    assert vocab.tokenize("<|im_start|>", add_special=False) == [257]
    assert spelled(vocab, vocab.tokenize("a\ud800b", add_special=False)) == "a\ufffdb".encode()


def test_an_answer_ends_with_what_model_tokenizer_or_format_say() -> None:
    vocab = vocab_of(byte_tokenizer(), end=[9], eos_token=SPECIAL[0])
    ends = [token for token in range(300) if vocab.is_end(token)]
    # The model's own, <|endoftext|> and <|im_end|>, but not <|im_start|>.
    assert ends == [9, 256, 258]


def test_begin_and_end_are_named_for_the_template() -> None:
    vocab = vocab_of(byte_tokenizer(), bos_token=SPECIAL[0], eos_token=SPECIAL[2])
    assert (vocab.bos_text, vocab.eos_text) == ("<|endoftext|>", "<|im_end|>")
    bare = vocab_of(byte_tokenizer())
    assert (bare.bos_text, bare.eos_text) == ("", "")


@pytest.mark.parametrize(
    ("template", "chosen"),
    [
        ("{{ messages }}", "{{ messages }}"),
        ({"default": "{{ a }}", "tool_use": "{{ b }}"}, "{{ a }}"),
        ({"tool_use": "{{ b }}"}, None),
        ("", None),
        (None, None),
        (3, None),
    ],
)
def test_the_default_template_is_the_one_for_conversations(
    template: Any,  # noqa: ANN401
    chosen: str | None,
) -> None:
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=byte_tokenizer())
    tokenizer.chat_template = template
    assert Vocab(tokenizer, ()).chat_template == chosen


def test_a_tokenizer_that_panics_is_an_error_of_the_answer() -> None:
    tokenizer = sentencepiece()
    # Goes through every way of taking the letters together, until the library gives up.
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex("(a+)+$"), "isolated")
    with pytest.raises(EngineError) as raised:
        vocab_of(tokenizer).tokenize("a" * 60 + "b", add_special=False)
    assert raised.value.info.code is ErrorCode.DECODE_FAILED
