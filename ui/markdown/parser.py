"""The Markdown parser: CommonMark, tables, task lists, strikethrough and formulas; no HTML."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from ui.markdown.math_rules import math_plugin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# Each level of a list takes two.
_MAX_NESTING = 60
# A bracket may open a link, and to find out costs more with each that is open.
_MANY_BRACKETS = 150


@cache
def _parser(*, with_links: bool) -> MarkdownIt:
    # A window without an answer does not wait for it.
    from markdown_it import MarkdownIt
    from mdit_py_plugins.tasklists import tasklists_plugin

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": _MAX_NESTING})
    parser.enable(["table", "strikethrough"])
    parser.disable(["html_block", "html_inline"])
    parser.use(tasklists_plugin).use(math_plugin)
    if not with_links:
        parser.disable(["link", "image"])
    return parser


def parse(source: str, references: dict[str, Any]) -> list[Token]:
    """Tokens of `source`; link definitions found in it are added to `references`.

    What is nested deeper than anybody can read comes as one paragraph of plain text.
    """
    env: dict[str, Any] = {"references": references}
    parser = _parser(with_links=source.count("[") <= _MANY_BRACKETS)
    tokens = parser.parse(source, env)
    if any(token.level >= _MAX_NESTING - 1 for token in tokens):
        return _plain(source)
    return tokens


def _plain(source: str) -> list[Token]:
    from markdown_it.token import Token

    n_lines = source.count("\n") + 1
    text = Token("text", "", 0, content=source.strip("\n"))
    inline = Token("inline", "", 0, map=[0, n_lines], level=1, children=[text])
    return [
        Token("paragraph_open", "p", 1, map=[0, n_lines]),
        inline,
        Token("paragraph_close", "p", -1),
    ]


def unescaped(text: str) -> str:
    """`text` with its escapes and entities resolved."""
    from markdown_it.common.utils import unescapeAll

    return unescapeAll(text)


def words_of(image: Token) -> str:
    """What stands for a picture, without marks."""
    words = ""
    for token in image.children or []:
        if token.type == "image":
            words += words_of(token)
        elif token.type in ("softbreak", "hardbreak"):
            words += " "
        else:
            words += token.content
    return words


def top_level(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Index ranges of the blocks at the top."""
    return ranges_at(tokens, 0, len(tokens), level=0)


def ranges_at(
    tokens: Sequence[Token], begin: int, end: int, *, level: int
) -> list[tuple[int, int]]:
    """Index ranges of the blocks at `level` between two indices."""
    ranges: list[tuple[int, int]] = []
    first = begin
    for index in range(begin, end):
        token = tokens[index]
        if token.level != level:
            continue
        if token.nesting == 1:
            first = index
        elif token.nesting == -1:
            ranges.append((first, index + 1))
        else:
            ranges.append((index, index + 1))
    return ranges


def closing(tokens: Sequence[Token], index: int, end: int) -> int:
    """The index after the block that begins at `index`; `end` at the most."""
    depth = 0
    for place in range(index, end):
        depth += tokens[place].nesting
        if depth == 0:
            return place + 1
    return end
