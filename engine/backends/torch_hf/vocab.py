"""The model's vocabulary: text to tokens and tokens to bytes, with a Hugging Face tokenizer."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from transformers import AutoTokenizer
from transformers.convert_slow_tokenizer import bytes_to_unicode

from engine.errors import EngineError, ErrorCode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

# Names of tokens that end a turn in the formats that models are trained on.
_END_NAMES = frozenset(
    {
        "<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|end|>", "<|endoftext|>", "<end_of_turn>",
        "<|end_of_text|>", "<|endofprompt|>", "<|end_of_turn|>", "<EOT>", "<|eot|>", "</s>",
        "<|return|>", "<|call|>", "<turn|>", "[EOS]", "<eos>",
    }
)  # fmt: skip
_BYTE_TOKEN = re.compile(r"<0x([0-9A-Fa-f]{2})>")


def read_tokenizer(folder: Path, *, gguf_file: str | None = None) -> Any:  # noqa: ANN401
    """The tokenizer of a model's folder, or of a GGUF file in it.

    Raises:
        EngineError: TOKENIZER_UNREADABLE with "path" and "reason".
    """
    named = {} if gguf_file is None else {"gguf_file": gguf_file}
    try:
        return AutoTokenizer.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False, **named
        )
    except Exception as error:
        raise EngineError(
            ErrorCode.TOKENIZER_UNREADABLE,
            f"{type(error).__name__}: {error}",
            path=str(folder),
            reason=f"{type(error).__name__}: {error}",
        ) from error


class Vocab:
    """Tokenizes, and gives the bytes of tokens."""

    def __init__(self, tokenizer: Any, end_tokens: Iterable[int]) -> None:  # noqa: ANN401
        """Take a tokenizer, and the tokens that the model says end an answer."""
        self._tokenizer = tokenizer
        self._backend: Any = getattr(tokenizer, "backend_tokenizer", None)
        self._added: dict[int, Any] = dict(tokenizer.added_tokens_decoder)
        self.n_tokens = len(tokenizer)
        self._end = {int(token) for token in end_tokens}
        self._end |= {token for token, added in self._added.items() if str(added) in _END_NAMES}
        if tokenizer.eos_token_id is not None:
            self._end.add(int(tokenizer.eos_token_id))
        self._piece_bytes = _piece_decoder(self._backend)
        self._known: dict[int, bytes] = {}

    def tokenize(self, text: str, *, add_special: bool) -> list[int]:
        """Token ids of `text`; markers of the model's own are read as one token."""
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if self._backend is not None:
            return list(self._backend.encode(text, add_special_tokens=add_special).ids)
        found = self._tokenizer(text, add_special_tokens=add_special, verbose=False)
        return list(found["input_ids"])

    def token_bytes(self, token: int) -> bytes:
        """The bytes of a token; none for a control token, and for one the tokenizer lacks."""
        known = self._known.get(token)
        if known is None:
            known = self._known[token] = self._bytes(token)
        return known

    def is_end(self, token: int) -> bool:
        """Whether the token ends an answer."""
        return token in self._end

    @property
    def bos_text(self) -> str:
        """The begin token as text; empty where the model has none."""
        return str(self._tokenizer.bos_token or "")

    @property
    def eos_text(self) -> str:
        """The end token as text; empty where the model has none."""
        return str(self._tokenizer.eos_token or "")

    @property
    def chat_template(self) -> str | None:
        """The template for conversations; the one called "default" where there are several."""
        template = self._tokenizer.chat_template
        if isinstance(template, dict):
            template = template.get("default")
        return template if isinstance(template, str) and template else None

    def _bytes(self, token: int) -> bytes:
        added = self._added.get(token)
        if added is not None:
            return b"" if added.special else str(added).encode("utf-8", "replace")
        # Some models have more rows of logits than the tokenizer has tokens.
        piece = self._tokenizer.convert_ids_to_tokens(token) if token < self.n_tokens else None
        if piece is None:
            return b""
        if self._piece_bytes is None:
            return str(self._tokenizer.decode([token])).encode("utf-8", "replace")
        return self._piece_bytes(piece)


def _piece_decoder(backend: Any) -> Callable[[str], bytes] | None:  # noqa: ANN401
    """How a piece of the vocabulary is written; None where only the tokenizer itself knows."""
    if backend is None:
        return _spaced_piece
    decoder = json.loads(backend.to_str()).get("decoder") or {}
    kinds = {part.get("type") for part in (decoder, *decoder.get("decoders", ()))}
    if "ByteLevel" in kinds:
        bytes_of = {char: byte for byte, char in bytes_to_unicode().items()}

        def byte_level(piece: str) -> bytes:
            if all(char in bytes_of for char in piece):
                return bytes(bytes_of[char] for char in piece)
            return piece.encode("utf-8", "replace")

        return byte_level
    if kinds & {"Metaspace", "Replace", "ByteFallback"}:
        return _spaced_piece
    return None


def _spaced_piece(piece: str) -> bytes:
    """A piece as SentencePiece writes it: `▁` for a space, `<0x0A>` for a byte."""
    if match := _BYTE_TOKEN.fullmatch(piece):
        return bytes((int(match[1], 16),))
    return piece.replace("▁", " ").encode("utf-8", "replace")
