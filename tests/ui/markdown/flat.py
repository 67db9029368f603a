"""What Markdown says, line by line, out of tokens: for texts that are cut and that are not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ui.markdown.blocks import Block, BlockStream, Code, Prose
from ui.markdown.parser import closing, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from markdown_it.token import Token

# Level, marker, what it is, and its letters.
Line = tuple[int, str, str, str]


def streamed(*pieces: str) -> list[Block | Code]:
    """What is final in the end as an answer shows it: once more if links were defined."""
    stream = BlockStream()
    changes = _changes(stream, pieces)
    if stream.has_new_references:
        changes = _changes(BlockStream(stream.references), pieces)
    shown: list[Block | Code] = []
    for change in changes:
        if isinstance(change, Prose):
            shown += change.final
        elif change.begins:
            shown.append(change)
        else:
            last = shown[-1]
            assert isinstance(last, Code)
            text = last.text + change.text
            shown[-1] = Code(text=text, language=last.language, begins=True, level=last.level)
    return shown


def _changes(stream: BlockStream, pieces: Iterable[str]) -> list[Prose | Code]:
    changes = [change for piece in pieces for change in stream.feed(piece)]
    return changes + stream.finish()


def lines_of_blocks(shown: Iterable[Block | Code]) -> list[Line]:
    """The lines of blocks; what was cut is put together."""
    lines: list[Line] = []
    for part in shown:
        if isinstance(part, Code):
            lines.append((part.level, "", f"code {part.language}", part.text.rstrip()))
            continue
        n_before, tokens = len(lines), part.tokens
        if tokens[0].type == "list_item_open":
            _add_item(lines, tokens, 0, len(tokens), part.level, part.number)
        else:
            _add(lines, tokens, 0, len(tokens), part.level, skips_head=part.continues)
        if part.continues and lines[n_before:] and lines[n_before][2] == "p":
            level, marker, kind, words = lines[n_before - 1]
            lines[n_before - 1 : n_before + 1] = [(level, marker, kind, words + lines[n_before][3])]
    return lines


def lines_of_text(text: str) -> list[Line]:
    """The lines of a text that is parsed at once."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    references: dict[str, Any] = {}
    parse(text, references)
    tokens = parse(text, references)
    lines: list[Line] = []
    _add(lines, tokens, 0, len(tokens), 0)
    return lines


def _add(
    lines: list[Line],
    tokens: Sequence[Token],
    begin: int,
    end: int,
    level: int,
    *,
    marker: str = "",
    skips_head: bool = False,
) -> None:
    index = begin
    while index < end:
        token, stop = tokens[index], closing(tokens, index, end)
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                number: int | None = None
                item = index + 1
                while item < stop - 1:
                    after = closing(tokens, item, stop - 1)
                    if tokens[item].info:
                        number = int(tokens[item].info) if number is None else number + 1
                    _add_item(lines, tokens, item, after, level, number)
                    item = after
            case "blockquote_open":
                _add(lines, tokens, index + 1, stop - 1, level + 1)
            case "fence" | "code_block":
                language = " ".join(token.info.split()[:1])
                lines.append((level, "", f"code {language}", token.content.rstrip()))
            case "math_block" | "hr":
                lines.append((level, "", token.type, _letters(token.content)))
            case "table_open":
                is_head = skips_head
                for inner in tokens[index:stop]:
                    is_head = is_head and inner.type != "thead_close"
                    if inner.type == "inline" and not is_head:
                        lines.append((level, "", "cell", _letters(_words(inner))))
            case _:
                words = _letters(_words(tokens[index + 1]))
                lines.append((level, marker, token.tag, words))
        marker = ""
        index = stop


def _add_item(
    lines: list[Line],
    tokens: Sequence[Token],
    begin: int,
    end: int,
    level: int,
    number: int | None,
) -> None:
    marker = "*" if number is None else f"{number}{tokens[begin].markup}"
    _add(lines, tokens, begin + 1, end - 1, level + 1, marker=marker)


def _words(inline: Token) -> str:
    return "".join(
        f"{child.content} {child.attrGet('href') or child.attrGet('src') or ''}"
        for child in inline.children or ()
    )


def _letters(text: str) -> str:
    """Marks that stand where a text is cut are not what is looked at here."""
    return "".join(filter(str.isalnum, text))
