r"""Formulas between $, $$, \(..\) and \[..\] as the parser finds them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

_DISPLAY = {"$$": "$$", "\\[": "\\]"}
# No formula, but what is written so that it does not become a link.
_ESCAPED_LINK = re.compile(r"\\\[[^\]\\]*\][(\[:]")
_BRACKETS = {"\\(": ("\\)", "math_inline"), "\\[": ("\\]", "math_inline_double")}


def math_plugin(parser: MarkdownIt) -> None:
    """Find formulas; an amount of money is none."""
    parser.inline.ruler.before("escape", "math_dollar", _dollars)
    parser.inline.ruler.before("escape", "math_brackets", _brackets)
    alternatives = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.before("fence", "math_block", _block, {"alt": alternatives})


def closing_of(text: str) -> str | None:
    """What closes the formula on lines of its own that `text` begins with; None without one."""
    return None if _ESCAPED_LINK.match(text) else _DISPLAY.get(text[:2])


def _dollars(state: StateInline, silent: bool) -> bool:
    src, begin, stop = state.src, state.pos, state.posMax
    if src[begin] != "$":
        return False
    markup = "$$" if src.startswith("$$", begin) else "$"
    first = begin + len(markup)
    end = src.find(markup, first, stop)
    while end > 0 and src[end - 1] == "\\":
        end = src.find(markup, end + 1, stop)
    content = src[first:end] if end >= 0 else ""
    if not content.strip():
        return False
    if markup == "$":
        # Prices: "$5 and $6", "US$5", "$5-$6".
        before, after = src[begin - 1 : begin], src[end + 1 : end + 2]
        if content[0].isspace() or content[-1].isspace() or before.isalnum() or after.isdigit():
            return False
    if not silent:
        token = state.push("math_inline" if markup == "$" else "math_inline_double", "math", 0)
        token.content, token.markup = content, markup
    state.pos = end + len(markup)
    return True


def _brackets(state: StateInline, silent: bool) -> bool:
    opening = state.src[state.pos : state.pos + 2]
    if opening not in _BRACKETS:
        return False
    closing, kind = _BRACKETS[opening]
    end = state.src.find(closing, state.pos + 2, state.posMax)
    content = state.src[state.pos + 2 : end]
    if end < 0 or not content.strip():
        return False
    if not silent:
        token = state.push(kind, "math", 0)
        token.content, token.markup = content, opening
    state.pos = end + 2
    return True


def _block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A formula on lines of its own, up to the line that closes it or an empty one.

    One that is not closed yet holds its lines together as a paragraph, so that they do not
    become something else first.
    """
    if state.is_code_block(start):
        return False
    first = _line(state, start)
    opening, closing = first[:2], closing_of(first)
    if closing is None:
        return False
    line, rest = start, first[2:]
    while True:
        place = rest.rstrip().find(closing)
        if place >= 0:
            break
        line += 1
        if line >= end or state.isEmpty(line) or state.sCount[line] < state.blkIndent:
            break
        rest = _line(state, line)
    closed = place >= 0 and not rest.rstrip()[place + 2 :].strip(" .,;")
    if not closed and (place >= 0 and line == start):
        return False
    if silent:
        return True
    stop = line + 1 if place >= 0 else line
    source = state.getLines(start, stop, state.blkIndent, False).strip()
    if closed:
        token = state.push("math_block", "math", 0)
        token.content = source[2 : source.rfind(closing)]
        token.markup, token.map = opening, [start, stop]
    else:
        state.push("paragraph_open", "p", 1).map = [start, stop]
        inline = state.push("inline", "", 0)
        inline.content, inline.map, inline.children = source, [start, stop], []
        state.push("paragraph_close", "p", -1)
    state.line = stop
    return True


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
