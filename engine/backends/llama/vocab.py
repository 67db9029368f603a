"""The model's vocabulary: text to tokens and tokens to bytes."""

import ctypes
from typing import Any

from engine.errors import EngineError, ErrorCode

_INT32_MAX = 0x7FFF_FFFF


class Vocab:
    """Tokenizes with llama.cpp. Valid as long as its model."""

    def __init__(self, llama: Any, model: Any) -> None:  # noqa: ANN401
        """Look at the vocabulary of `model`."""
        self._llama = llama
        self._handle = llama.llama_model_get_vocab(model)
        self.n_tokens: int = llama.llama_vocab_n_tokens(self._handle)
        self._piece = ctypes.create_string_buffer(256)

    def tokenize(self, text: str, *, add_special: bool) -> list[int]:
        """Token ids of `text`; markers of the model's own are read as one token.

        Raises:
            EngineError: PROMPT_TOO_LONG if the text is larger than the library can take.
        """
        raw = text.encode("utf-8", "replace")
        if len(raw) >= _INT32_MAX // 4:
            raise EngineError(ErrorCode.PROMPT_TOO_LONG, f"{len(raw)} bytes of text")
        # A token is at least one byte, but for what the tokenizer adds at both ends.
        size = len(raw) + 8
        while True:
            tokens = (self._llama.llama_token * size)()
            count = self._llama.llama_tokenize(
                self._handle, raw, len(raw), tokens, size, add_special, True
            )
            if count >= 0:
                return list(tokens[:count])
            if -count <= size:
                raise EngineError(ErrorCode.INTERNAL, f"llama_tokenize returned {count}")
            size = -count

    def token_bytes(self, token: int) -> bytes:
        """The bytes of a token; none for a control token.

        Raises:
            EngineError: INTERNAL if there is no such token.
        """
        if not 0 <= token < self.n_tokens:
            raise EngineError(ErrorCode.INTERNAL, f"token {token} of {self.n_tokens}")
        length = self._to_piece(token)
        if length < 0:
            self._piece = ctypes.create_string_buffer(-length)
            length = self._to_piece(token)
        return self._piece.raw[:length]

    def shown_bytes(self, token: int) -> bytes:
        """The bytes of a token, or the name of a control token."""
        found = self.token_bytes(token)
        if found:
            return found
        name: bytes | None = self._llama.llama_vocab_get_text(self._handle, token)
        return name or b""

    def is_end(self, token: int) -> bool:
        """Whether the token ends an answer."""
        return bool(self._llama.llama_vocab_is_eog(self._handle, token))

    def bos_token(self) -> int | None:
        """The begin token; None where the model has none."""
        token = int(self._llama.llama_vocab_bos(self._handle))
        return token if token >= 0 else None

    def bos_text(self) -> str:
        """The begin token as text; empty where the model has none."""
        return self._marker(self._llama.llama_vocab_bos(self._handle))

    def eos_text(self) -> str:
        """The end token as text; empty where the model has none."""
        return self._marker(self._llama.llama_vocab_eos(self._handle))

    def _marker(self, token: int) -> str:
        if token < 0:
            return ""
        text = self._llama.llama_vocab_get_text(self._handle, token)
        return text.decode("utf-8", "replace") if text else ""

    def _to_piece(self, token: int) -> int:
        length: int = self._llama.llama_token_to_piece(
            self._handle, token, self._piece, len(self._piece), 0, False
        )
        return length
