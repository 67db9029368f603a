"""Parses Markdown: CommonMark, tables, tasks, strikethrough, formulas, bare links; no HTML."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from ui.markdown.math_rules import math_plugin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linkify_it import LinkifyIt
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

    _Rule = Callable[[StateBlock, int, int, bool], bool]

# Deeper there would be no room beside the indentation.
_DEEPEST = 16
# Of the parser, for which a level of a list is two.
_MAX_NESTING = 60
_INTERRUPTS = ["paragraph", "reference", "blockquote"]


@cache
def _parser() -> MarkdownIt:
    # A window without an answer does not wait for it.
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import blockquote, list_block, table
    from mdit_py_plugins.tasklists import tasklists_plugin

    options = {"html": False, "linkify": True, "maxNesting": _MAX_NESTING}
    parser = MarkdownIt("commonmark", options)
    parser.enable(["strikethrough", "linkify"])
    parser.linkify = _addresses()
    parser.normalizeLinkText = _as_written  # type: ignore[method-assign]
    parser.disable(["html_block", "html_inline"])
    rules = parser.block.ruler
    rules.at("list", _bounded(list_block), {"alt": _INTERRUPTS})
    rules.at("blockquote", _bounded(blockquote), {"alt": [*_INTERRUPTS, "list"]})
    # What a line begins shows in that line: nothing below makes a table of a heading or a fence.
    rules.before("lheading", "table_below", table, {"alt": _INTERRUPTS[:2]})
    parser.use(tasklists_plugin).use(math_plugin)
    return parser


def _as_written(link: str) -> str:
    """An address as it is shown: decoded, it might look like another."""
    return link


def _addresses() -> LinkifyIt:
    """Finds what says itself that it is of the web: a name with a dot may be that of a file."""
    from linkify_it import LinkifyIt

    found = LinkifyIt(options={"fuzzy_link": False, "fuzzy_email": False, "fuzzy_ip": False})
    for scheme in ("ftp:", "mailto:", "//"):
        found.add(scheme, None)
    # Most texts have none, and are not searched.
    found.pretest = lambda text: "://" in text
    return found


def _bounded(rule: _Rule) -> _Rule:
    def bounded(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        depth = state.env["depth"]
        if depth >= _DEEPEST:
            return False
        state.env["depth"] = depth + 1
        found = rule(state, start, end, silent)
        state.env["depth"] = depth
        return found

    return bounded


def parse(source: str, references: dict[str, Any], depth: int = 0) -> list[Token]:
    """Tokens of `source`, which stands in so many lists and quotes.

    Link definitions found in it are added to `references`. Within lists and quotes nested deeper
    than anybody can read all is words.
    """
    return _parser().parse(source, {"references": references, "depth": depth})


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
