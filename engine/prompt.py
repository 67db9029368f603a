"""Prompts become tokens, so that what a conversation shares with its last turn stays in the cache.

A model may sample tokens that its tokenizer would not choose for the same text. Tokenizing the
whole conversation again would then give other tokens, and the KV cache would be of no use from
there on. `PromptMemory` therefore remembers which tokens the text of the last turn was made of.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.backend import Backend

# How far back a place is looked for where the remembered tokens may be left.
_MAX_TRIES = 16


class PromptMemory:
    """Tokenizes prompts and remembers the tokens of the last one and of its answer.

    A cut is a place where both a character and a token begin: `_cut_chars[i]` characters of the
    remembered text are exactly the first `_cut_tokens[i]` remembered tokens.
    """

    def __init__(self, backend: Backend, *, bos_text: str, is_plain: bool) -> None:
        """Remember nothing yet.

        Args:
            backend: Tokenizes.
            bos_text: The begin token as text; not added where a template wrote it already.
            is_plain: There is no template, so text may go on in the middle of a word.
        """
        self._backend = backend
        self._bos_text = bos_text
        self._is_plain = is_plain
        self._text = ""
        self._tokens: list[int] = []
        self._cut_chars: list[int] = []
        self._cut_tokens: list[int] = []

    def tokenize(self, text: str) -> list[int]:
        """The tokens of a prompt, remembered ones where its text begins as the last did."""
        tokens, n_cuts = self._tokens_of(text)
        del self._cut_chars[n_cuts:]
        del self._cut_tokens[n_cuts:]
        self._text = text
        self._tokens = list(tokens)
        self._add_cut(len(text), len(tokens))
        return tokens

    def count(self, text: str) -> int:
        """How many tokens `tokenize` would give for a prompt; nothing is remembered."""
        return len(self._tokens_of(text)[0])

    def add_answer(self, answer: AnswerRecord) -> None:
        """Remember the answer to the last prompt."""
        n_prompt_chars, n_prompt_tokens = len(self._text), len(self._tokens)
        shown = answer.shown
        self._text += shown
        self._tokens += answer.tokens
        for n_chars, n_tokens in answer.cuts:
            if n_chars <= len(shown):
                self._add_cut(n_prompt_chars + n_chars, n_prompt_tokens + n_tokens)

    def _add_cut(self, n_chars: int, n_tokens: int) -> None:
        self._cut_chars.append(n_chars)
        self._cut_tokens.append(n_tokens)

    def _tokens_of(self, text: str) -> tuple[list[int], int]:
        """The tokens of a prompt, and how many of the remembered cuts hold for it."""
        continued = self._continue(text)
        if continued is not None:
            return continued
        has_bos = bool(self._bos_text) and text.startswith(self._bos_text)
        return self._backend.tokenize(text, add_special=not has_bos), 0

    def _continue(self, text: str) -> tuple[list[int], int] | None:
        common = common_length(self._text, text)
        last = bisect_right(self._cut_chars, common)
        for index in range(last - 1, max(-1, last - 1 - _MAX_TRIES), -1):
            rest = text[self._cut_chars[index] :]
            if self._is_plain and rest and not rest[0].isspace():
                continue
            rest_tokens = self._backend.tokenize(rest, add_special=False) if rest else []
            if self._begins_alike(rest, rest_tokens):
                return [*self._tokens[: self._cut_tokens[index]], *rest_tokens], index + 1
        return None

    def _begins_alike(self, rest: str, tokens: list[int]) -> bool:
        # Some tokenizers put a space before whatever text they are given.
        expected = rest.encode("utf-8")
        begin = bytearray()
        for token in tokens:
            piece = self._backend.token_bytes(token)
            if not piece:
                break
            begin += piece
            if len(begin) > 64:
                break
        return expected.startswith(bytes(begin))


def common_length(left: str, right: str) -> int:
    """How many leading characters two texts share."""
    same, different = 0, min(len(left), len(right)) + 1
    while different - same > 1:
        middle = (same + different) // 2
        if left[same:middle] == right[same:middle]:
            same = middle
        else:
            different = middle
    return same


class AnswerRecord:
    """Collects an answer for `PromptMemory.add_answer`, at a small constant cost per token.

    Attributes:
        tokens: What was sampled, without the end token.
        cuts: (characters, tokens) of the answer at each place where both begin.
    """

    def __init__(self) -> None:
        """Begin with no token."""
        self.tokens: list[int] = []
        self.cuts: list[tuple[int, int]] = []
        self._n_chars = 0
        self._shown: list[str] = []

    @property
    def shown(self) -> str:
        """What the person was shown: a beginning of the decoded text."""
        return "".join(self._shown)

    def add(self, token: int, decoded: str, at_boundary: bool) -> None:
        """Take a token, the characters it completed, and whether none is left incomplete."""
        self.tokens.append(token)
        self._n_chars += len(decoded)
        if at_boundary:
            self.cuts.append((self._n_chars, len(self.tokens)))

    def show(self, text: str) -> None:
        """Take text that went to the person."""
        self._shown.append(text)
