"""The model's vocabulary: text to tokens and tokens to bytes, with a Hugging Face tokenizer."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from transformers import AutoTokenizer
from transformers.convert_slow_tokenizer import bytes_to_unicode

from engine.backends.torch_hf.refusals import first_line, of_other_kind
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
# One of these is where any kind of tokenizer begins.
_TOKENIZER_FILES = (
    "tokenizer.json", "vocab.json", "vocab.txt", "tekken.json", "*.model", "*.tiktoken"
)  # fmt: skip
_BYTE_TOKEN = re.compile(r"<0x([0-9A-Fa-f]{2})>")


def read_tokenizer(folder: Path, *, gguf_file: str | None = None) -> Any:  # noqa: ANN401
    """The tokenizer of a model's folder, or of a GGUF file in it.

    Raises:
        EngineError: TOKENIZER_UNREADABLE with "path" and "reason" (no_tokenizer_file,
            makes_no_tokens, or what the library says); for a GGUF file also
            UNKNOWN_ARCHITECTURE and NOT_A_CHAT_MODEL.
    """
    path = folder if gguf_file is None else folder / gguf_file
    if gguf_file is None and not any(any(folder.glob(name)) for name in _TOKENIZER_FILES):
        raise _unreadable(path, "no_tokenizer_file")
    named = {} if gguf_file is None else {"gguf_file": gguf_file}
    try:
        tokenizer = AutoTokenizer.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False, **named
        )
        makes_tokens = bool(tokenizer("a b", add_special_tokens=False)["input_ids"])
    except EngineError:
        raise
    except BaseException as error:
        if not _is_of_tokenizer(error):
            raise
        if gguf_file is not None and (known := of_other_kind(error, path)) is not None:
            raise known from error
        raise _unreadable(path, f"{type(error).__name__}: {first_line(error)}") from error
    if not makes_tokens:
        raise _unreadable(path, "makes_no_tokens")
    return tokenizer


def _is_of_tokenizer(error: BaseException) -> bool:
    # The library raises nothing more special than Exception, and panics that are not even that.
    return isinstance(error, Exception) or type(error).__module__ == "pyo3_runtime"


def _unreadable(path: Path, reason: str) -> EngineError:
    return EngineError(ErrorCode.TOKENIZER_UNREADABLE, reason, path=str(path), reason=reason)


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
        try:
            if self._backend is not None:
                return list(self._backend.encode(text, add_special_tokens=add_special).ids)
            found = self._tokenizer(text, add_special_tokens=add_special, verbose=False)
            return list(found["input_ids"])
        except BaseException as error:
            if not _is_of_tokenizer(error):
                raise
            raise EngineError(
                ErrorCode.DECODE_FAILED, f"the tokenizer failed: {first_line(error)}"
            ) from error

    def token_bytes(self, token: int) -> bytes:
        """The bytes of a token; none for a control token, and for one the tokenizer lacks."""
        known = self._known.get(token)
        if known is None:
            known = self._known[token] = self._bytes(token)
        return known

    def shown_bytes(self, token: int) -> bytes:
        """The bytes of a token, or the name of a control token."""
        found = self.token_bytes(token)
        if found or token >= self.n_tokens:
            return found
        return str(self._tokenizer.convert_ids_to_tokens(token) or "").encode("utf-8", "replace")

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
        return _SpacedPieces({"▁": " "}, has_bytes=True)
    decoder = json.loads(backend.to_str()).get("decoder") or {}
    parts = [part for part in (decoder, *decoder.get("decoders", ())) if "type" in part]
    kinds = {part["type"] for part in parts}
    if "ByteLevel" in kinds:
        return _byte_level_pieces()
    changes: dict[str, str] = {}
    for part in parts:
        match part:
            case {"type": "Replace", "pattern": {"String": old}, "content": new}:
                changes[old] = new
            case {"type": "Metaspace", "replacement": old}:
                changes[old] = " "
            case {"type": "BPEDecoder", "suffix": old} if old:
                changes[old] = " "
            case {"type": "WordPiece", "prefix": prefix}:
                return _word_pieces(prefix)
    if changes or "ByteFallback" in kinds:
        return _SpacedPieces(changes, has_bytes="ByteFallback" in kinds)
    return None


class _SpacedPieces:
    """Pieces as SentencePiece writes them: `▁` for a space, `<0x0A>` for a byte."""

    def __init__(self, changes: dict[str, str], *, has_bytes: bool) -> None:
        self._changes = changes
        self._has_bytes = has_bytes

    def __call__(self, piece: str) -> bytes:
        if self._has_bytes and (match := _BYTE_TOKEN.fullmatch(piece)):
            return bytes((int(match[1], 16),))
        for old, new in self._changes.items():
            piece = piece.replace(old, new)
        return piece.encode("utf-8", "replace")


def _byte_level_pieces() -> Callable[[str], bytes]:
    bytes_of = {char: byte for byte, char in bytes_to_unicode().items()}

    def byte_level(piece: str) -> bytes:
        if all(char in bytes_of for char in piece):
            return bytes(bytes_of[char] for char in piece)
        return piece.encode("utf-8", "replace")

    return byte_level


def _word_pieces(prefix: str) -> Callable[[str], bytes]:
    """Words that a space comes before, and their continuations, which begin with `prefix`."""

    def word_piece(piece: str) -> bytes:
        is_inside = bool(prefix) and piece.startswith(prefix)
        text = piece.removeprefix(prefix) if is_inside else f" {piece}"
        return text.encode("utf-8", "replace")

    return word_piece
