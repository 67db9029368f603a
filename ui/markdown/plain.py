"""Markdown without its marks, for where only words are wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.markdown.blocks import Block, BlockStream, Code
from ui.markdown.parser import closing, words_of
from ui.markdown.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token


def plain_text_of(source: str) -> str:
    """The words of `source`: lists keep their markers, tables their rows, links their address."""
    first = BlockStream()
    first.feed(source)
    first.finish()
    stream = BlockStream(first.references)
    parts: list[tuple[str, str]] = []
    code: list[str] | None = None
    for change in stream.feed(source) + stream.finish():
        if isinstance(change, Code):
            if change.begins:
                code = []
            if code is not None:
                code.append(change.text)
                if change.ends:
                    parts.append(("\n\n", "".join(code)))
                    code = None
        else:
            for block in change.final:
                words = _block(block)
                if block.is_cut:
                    parts.append(("", words.removeprefix("  " * block.level)))
                else:
                    parts.append(("\n\n" if block.is_spaced else "\n", words))
    text = ""
    for joint, words in parts:
        if words:
            text += joint * bool(text) + words
    return visible(text)


def _block(block: Block) -> str:
    tokens = block.tokens
    if tokens[0].type == "list_item_open":
        lines = _item(tokens, 0, len(tokens), block.number)
    else:
        lines = _sequence(tokens, 0, len(tokens))
    return "\n".join("  " * block.level + line for line in lines)


def _sequence(tokens: Sequence[Token], begin: int, end: int) -> list[str]:
    lines: list[str] = []
    index = begin
    while index < end:
        token, stop = tokens[index], closing(tokens, index, end)
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                number = int(token.attrGet("start") or 1)
                item = index + 1
                while item < stop - 1:
                    after = closing(tokens, item, stop - 1)
                    counted = number if token.type == "ordered_list_open" else None
                    lines += _item(tokens, item, after, counted)
                    item, number = after, number + 1
            case "blockquote_open":
                lines += [f"  {line}" for line in _sequence(tokens, index + 1, stop - 1)]
            case "table_open":
                lines += _rows(tokens, index, stop)
            case "fence" | "code_block" | "math_block":
                lines += token.content.strip("\n").split("\n")
            case "hr":
                lines.append("---")
            case _:
                for inner in tokens[index:stop]:
                    if inner.type == "inline":
                        lines += _inline(inner).split("\n")
        index = stop
    return lines


def _item(tokens: Sequence[Token], begin: int, end: int, number: int | None) -> list[str]:
    marker = "•" if number is None else f"{number}{tokens[begin].markup}"
    lines = _sequence(tokens, begin + 1, end - 1) or [""]
    room = " " * (len(marker) + 1)
    return [f"{marker} {lines[0]}", *(f"{room}{line}" for line in lines[1:])]


def _rows(tokens: Sequence[Token], begin: int, end: int) -> list[str]:
    rows: list[list[str]] = []
    for token in tokens[begin:end]:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(_inline(token))
    return ["\t".join(row) for row in rows]


def _inline(inline: Token) -> str:
    parts: list[str] = []
    addresses: list[str] = []
    for token in inline.children or []:
        match token.type:
            case "softbreak":
                parts.append(" ")
            case "hardbreak":
                parts.append("\n")
            case "link_open":
                addresses.append(str(token.attrGet("href") or ""))
                parts.append("")
            case "link_close":
                address = addresses.pop()
                if parts[-1] != address:
                    parts.append(f" ({address})")
            case "image":
                parts.append(f"{words_of(token)} ({token.attrGet('src')})")
            case "html_inline":
                parts.append("☑" if "checked=" in token.content else "☐")
            case "math_inline" | "math_inline_double":
                end = {"\\(": "\\)", "\\[": "\\]"}.get(token.markup, token.markup)
                parts.append(f"{token.markup}{token.content}{end}")
            case _:
                parts.append(token.content)
    return "".join(parts)
