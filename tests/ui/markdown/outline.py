"""The structure of Markdown, out of what is on screen and out of the HTML of a specification."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextListFormat

from tests.ui.markdown.structure import marks_of
from ui.conversation.code_part import CodePart
from ui.conversation.prose_part import ProsePart
from ui.markdown.formats import IS_CODE, IS_RULE, QUOTE_DEPTH
from ui.markdown.inline import is_openable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtGui import QTextBlock
    from PySide6.QtWidgets import QWidget

_EMPHASIS = {"em": "i", "strong": "b", "code": "`", "del": "s"}
_INLINE = {"em", "strong", "code", "del", "a", "img", "br"}

Marks = tuple[str, ...]


@dataclass
class _Node:
    name: str
    attributes: dict[str, str | None]
    children: list[_Node | str] = field(default_factory=list)


class _Tree(HTMLParser):
    """HTML as nodes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = _Node("", {})
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = _Node(tag, dict(attrs))
        self._open[-1].children.append(node)
        if tag not in ("br", "hr", "img"):
            self._open.append(node)

    def handle_endtag(self, tag: str) -> None:
        if len(self._open) > 1 and self._open[-1].name == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)


def outline_of_html(html: str) -> list[str]:
    """Each paragraph of `html` in words, as `outline_of_parts` writes them."""
    tree = _Tree()
    tree.feed(html)
    tree.close()
    lines: list[str] = []
    _add_blocks(lines, tree.root.children, level=0, quotes=0, marker="")
    return lines


def outline_of_parts(parts: Iterable[QWidget]) -> list[str]:
    """Each paragraph of an answer: its level, quotes, marker and kind, and its words."""
    lines: list[str] = []
    for part in parts:
        if isinstance(part, CodePart):
            name = f"pre[{part.body.accessibleDescription()}]".replace("[code]", "[]")
            lines += [_line(part.level, 0, "", name, text) for text in part.text().split("\n")]
        else:
            assert isinstance(part, ProsePart)
            block = part.document().begin()
            while block.isValid():
                line = _shown_line(block)
                if line is not None:
                    lines.append(line)
                block = block.next()
    return lines


def _line(level: int, quotes: int, marker: str, kind: str, text: str) -> str:
    place = f"{level}{'>' * quotes}"
    text = text if kind.startswith("pre") else text.strip(" ")
    return " ".join(word for word in (place, marker, kind) if word) + f": {text}"


# What is expected.


def _add_blocks(
    lines: list[str], children: Sequence[_Node | str], *, level: int, quotes: int, marker: str
) -> None:
    inline: list[_Node | str] = []
    blocks: list[_Node | list[_Node | str]] = []
    for child in [*children, _Node("end", {})]:
        if isinstance(child, str) or child.name in _INLINE:
            inline.append(child)
            continue
        if any(not isinstance(part, str) or part.strip() for part in inline):
            blocks.append(inline)
        inline = []
        if child.name != "end":
            blocks.append(child)
    is_bare = not blocks or (
        isinstance(blocks[0], _Node)
        and blocks[0].name not in ("p", *(f"h{n}" for n in range(1, 7)))
    )
    if marker and is_bare:
        lines.append(_line(level, quotes, marker, "p", ""))
        marker = ""
    for block in blocks:
        if isinstance(block, _Node) and block.name == "p" and not _words(block.children):
            continue
        if isinstance(block, list):
            lines.append(_line(level, quotes, marker, "p", _words(block)))
        elif block.name == "blockquote":
            _add_blocks(lines, block.children, level=level + 1, quotes=quotes + 1, marker="")
        elif block.name in ("ul", "ol"):
            _add_items(lines, block, level=level, quotes=quotes)
        elif block.name == "pre":
            _add_code(lines, block, level=level, quotes=quotes)
        else:
            lines.append(_line(level, quotes, marker, block.name, _words(block.children)))
        marker = ""


def _add_items(lines: list[str], items: _Node, *, level: int, quotes: int) -> None:
    number = int(items.attributes.get("start") or 1)
    for item in items.children:
        if isinstance(item, str):
            continue
        marker = "*" if items.name == "ul" else f"{number}."
        _add_blocks(lines, item.children, level=level + 1, quotes=quotes, marker=marker)
        number += 1


def _add_code(lines: list[str], node: _Node, *, level: int, quotes: int) -> None:
    code = next((child for child in node.children if isinstance(child, _Node)), node)
    language = (code.attributes.get("class") or "").removeprefix("language-")
    text = "".join(child for child in code.children if isinstance(child, str))
    name = f"pre[{language}]"
    lines += [_line(level, quotes, "", name, line) for line in text.removesuffix("\n").split("\n")]


def _words(children: Sequence[_Node | str]) -> str:
    runs: list[tuple[str, Marks]] = []
    _add_runs(runs, children, ())
    return _joined(runs)


def _add_runs(runs: list[tuple[str, Marks]], children: Sequence[_Node | str], marks: Marks) -> None:
    for child in children:
        if isinstance(child, str):
            runs.append((child.replace("\n", " "), marks))
        elif child.name == "br":
            # The line end after it is none of the text.
            runs.append(("⏎", marks))
        elif child.name == "img":
            words, address = child.attributes.get("alt") or "", child.attributes.get("src") or ""
            runs.append((words, (*marks, "i")))
            runs.append((f" ({address})" if words else address, marks))
        elif child.name == "a":
            address = child.attributes.get("href") or ""
            if is_openable(address):
                _add_runs(runs, child.children, (*marks, f"a {address}"))
            else:
                begin = len(runs)
                _add_runs(runs, child.children, marks)
                if address and "".join(text for text, _ in runs[begin:]) != address:
                    runs.append((f" ({address})", marks))
        else:
            _add_runs(
                runs, child.children, (*marks, _EMPHASIS.get(child.name, f"html {child.name}"))
            )


# What is shown.


def _shown_line(block: QTextBlock) -> str | None:
    made = block.blockFormat()
    kind, level, marker = "p", made.indent(), ""
    if made.headingLevel():
        kind = f"h{made.headingLevel()}"
    elif made.boolProperty(IS_RULE):
        kind = "hr"
    elif made.boolProperty(IS_CODE):
        kind = "pre[]"
    text_list = block.textList()
    if text_list is not None:
        list_format = text_list.format()
        level = list_format.indent()
        is_number = list_format.style() == QTextListFormat.Style.ListDecimal
        marker = f"{list_format.start()}." if is_number else "*"
    runs: list[tuple[str, Marks]] = []
    iterator = block.begin()
    while not iterator.atEnd():
        fragment = iterator.fragment()
        text = fragment.text().replace("\u2028", "⏎")
        runs.append((text, marks_of(fragment.charFormat()) if kind != "pre[]" else ()))
        iterator += 1
    words = _joined(runs)
    if not words and kind == "p" and not marker:
        return None
    return _line(level, made.intProperty(QUOTE_DEPTH), marker, kind, words)


def _joined(runs: Sequence[tuple[str, Marks]]) -> str:
    joined: list[tuple[str, Marks]] = []
    for text, marks in runs:
        unique = tuple(sorted(set(marks)))
        if joined and joined[-1][1] == unique:
            joined[-1] = (joined[-1][0] + text, unique)
        elif text:
            joined.append((text, unique))
    words = "".join(
        f"{''.join(f'<{m}>' for m in marks)}{text}{'<>' if marks else ''}" for text, marks in joined
    )
    return words.replace("⏎ ", "⏎")
