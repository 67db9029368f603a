"""The words that documents show of Markdown, without making documents."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ui.markdown.blocks import Block, BlockStream, Code
from ui.markdown.inline import is_openable
from ui.markdown.parser import words_of
from ui.markdown.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token

# What is parsed at a time.
_PIECE_CHARACTERS = 1_500
_DEFINITION = re.compile(r"^[ >]*\[[^\]\n]+\]:", re.MULTILINE)
_OBJECT = "\N{OBJECT REPLACEMENT CHARACTER}"


def shown_lines(source: str) -> Iterator[str]:
    """The lines of an answer one after the other, as documents have them.

    Markers of lists are not in them; a formula is one character, whether it can be drawn or not.
    To go on to the next line takes a few milliseconds at the most.
    """
    first = BlockStream()
    if _DEFINITION.search(source) is not None:
        for _ in _changes(first, source):
            yield ""
    code = ""
    for change in _changes(BlockStream(first.references), source):
        if isinstance(change, Code):
            *lines, code = (code + change.text).split("\n")
            yield from map(visible, lines)
            if change.ends:
                yield visible(code)
                code = ""
        elif isinstance(change, Block):
            yield from _block(change)
        else:
            yield ""


def _changes(stream: BlockStream, source: str) -> Iterator[Block | Code | None]:
    """What comes of a text; None after each piece."""
    for begin in range(0, len(source), _PIECE_CHARACTERS):
        changes = stream.feed(source[begin : begin + _PIECE_CHARACTERS])
        if begin + _PIECE_CHARACTERS >= len(source):
            changes += stream.finish()
        for change in changes:
            if isinstance(change, Code):
                yield change
            else:
                yield from change.final
        yield None


def _block(block: Block) -> Iterator[str]:
    tokens = block.tokens
    # Where a table goes on its head is there once more.
    is_repeated = block.continues and tokens[0].type == "table_open"
    for token in tokens:
        match token.type:
            case "thead_close":
                is_repeated = False
            case "inline" if not is_repeated:
                yield from map(visible, _inline(token.children or []).split("\n"))
            case "fence" | "code_block":
                yield from map(visible, token.content.removesuffix("\n").split("\n"))
            case _:
                pass


def _inline(children: Sequence[Token]) -> str:
    text = ""
    # Address of each link that is open, and where its words begin.
    links: list[tuple[str, int]] = []
    is_after_box = False
    for token in children:
        content = token.content.lstrip(" ") if is_after_box else token.content
        is_after_box = False
        match token.type:
            case "softbreak":
                text += " "
            case "hardbreak":
                text += "\n"
            case "link_open":
                links.append((str(token.attrGet("href") or ""), len(text)))
            case "link_close":
                address, begin = links.pop()
                if address and not is_openable(address) and text[begin:] != address:
                    text += f" ({address})"
            case "image":
                words, address = words_of(token), str(token.attrGet("src") or "")
                text += f"{words} ({address})" if words else address
            case "math_inline" | "math_inline_double":
                text += _OBJECT
            case "html_inline":
                is_after_box = True
            case _:
                text += content.replace("\n", " ")
    return text
