"""Text of scripts without spaces between words, cut so that any part of it can be searched for.

Of a run of such letters the index gets every pair of neighbours, and the last letter alone: of
"天空蓝" the tokens "天空 空蓝 蓝". A part of a run is then a phrase of pairs, and a single letter
what a token begins with. What stands between such runs is a token as it is.
"""

import re
import unicodedata
from functools import cache
from operator import add

_UNSPACED_LETTERS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3100-\u312f"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
# Vowels of Thai are marks, which are no part of words to `\w`.
_WORD = rf"(?:[^\W_]|[{_UNSPACED_LETTERS}])+"
_RUN = f"[{_UNSPACED_LETTERS}]+"
_PART = f"[{_UNSPACED_LETTERS}]+|[^{_UNSPACED_LETTERS}]+"
_ACCENTS = re.compile("[\u0300-\u036f]+")

# Each takes 2 to 4 ms, and no start needs one.
_compiled = cache(re.compile)

Phrase = tuple[list[str], bool]
"""Tokens in a row, and whether the last may go on."""


def has_unspaced(text: str) -> bool:
    """Whether any of it is of a script without spaces."""
    return not text.isascii() and _compiled(_RUN).search(text) is not None


def longest_runs(text: str) -> tuple[str, str]:
    """The longest run of letters without spaces in `text`, as it is written and folded.

    What `text` finds has one of both, unless it is written in unusual letters itself.
    """
    as_written, folded = (
        max(_compiled(_RUN).findall(each), key=len, default="") for each in (text, _folded(text))
    )
    return as_written, folded


def grams(text: str | None) -> str | None:
    """The tokens of a text, between spaces; None where nothing of it is without spaces."""
    if not text or not has_unspaced(text):
        return None
    # Line by line, since folding is a call that holds up all other threads.
    return " ".join(
        token
        for line in text.splitlines()
        for word in _compiled(_WORD).findall(_folded(line))
        for token in _tokens(_compiled(_PART).findall(word))
    )


def phrases(text: str) -> list[Phrase]:
    """What a text must have so that `text` finds it: a phrase for each word.

    Of scripts with spaces only the last word may be half typed.
    """
    *words, last = _compiled(_WORD).findall(_folded(text)) or [""]
    return [_phrase(word, is_last=False) for word in words] + (
        [_phrase(last, is_last=True)] if last else []
    )


def expression(wanted: list[Phrase]) -> str:
    """What FTS5 is asked to find texts that have all phrases."""
    return " ".join(f'"{" ".join(tokens)}"{"*" * goes_on}' for tokens, goes_on in wanted)


def is_in(text: str, wanted: list[Phrase]) -> bool:
    """Whether the index would find a text by these phrases, told without it."""
    tokens = (grams(text) or "").split(" ")
    return all(_stands_in(tokens, phrase, goes_on) for phrase, goes_on in wanted)


def _stands_in(tokens: list[str], phrase: list[str], goes_on: bool) -> bool:
    *first, last = phrase
    for at in range(len(tokens) - len(first)):
        end = tokens[at + len(first)]
        is_end = end.startswith(last) if goes_on else end == last
        if is_end and tokens[at : at + len(first)] == first:
            return True
    return False


def _phrase(word: str, *, is_last: bool) -> Phrase:
    parts = _compiled(_PART).findall(word)
    tokens = _tokens(parts)
    if not _compiled(_RUN).match(parts[-1]):
        # A single letter begins too many words to be of use.
        return tokens, is_last and len(parts[-1]) > 1
    # In the text the run may go on, where its last letter does not stand alone.
    return (tokens[:-1], False) if len(parts[-1]) > 1 else (tokens, True)


def _tokens(parts: list[str]) -> list[str]:
    tokens: list[str] = []
    for part in parts:
        if _compiled(_RUN).match(part):
            tokens += map(add, part, part[1:])
            tokens.append(part[-1])
        else:
            tokens.append(part)
    return tokens


def _folded(text: str) -> str:
    """Without what does not matter: case, accents, width."""
    text = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", _ACCENTS.sub("", text))
