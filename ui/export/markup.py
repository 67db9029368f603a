"""An answer as HTML that loads nothing and runs nothing, whatever the answer says."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ui.export.formulas import formula_html
from ui.export.highlight import code_html
from ui.markdown.parser import parse
from ui.markdown.visible import visible

if TYPE_CHECKING:
    from collections.abc import MutableMapping, Sequence

    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token
    from markdown_it.utils import OptionsDict

_SCHEMES = ("http", "https", "mailto")
_DISPLAY_FORMULAS = ("math_block", "math_inline_double")


def markdown_html(source: str) -> str:
    """Markdown as HTML: tables, tasks, code in colours, formulas; pictures as links."""
    from markdown_it import MarkdownIt

    references: dict[str, Any] = {}
    tokens = parse(visible(source), references)
    options = MarkdownIt("commonmark").options
    return _renderer().render(tokens, options, {"references": references})


@cache
def _renderer() -> RendererHTML:
    # A window that exports nothing does not wait for it.
    from markdown_it.renderer import RendererHTML

    renderer = RendererHTML()
    for kind in (
        "fence",
        "code_block",
        "image",
        "html_inline",
        "html_block",
        "math_inline",
        *_DISPLAY_FORMULAS,
    ):
        renderer.rules[kind] = _render_special  # type: ignore[assignment] # called with all
    renderer.rules["link_open"] = _link_open  # type: ignore[assignment] # called with all
    renderer.rules["link_close"] = _link_close  # type: ignore[assignment] # called with all
    return renderer


def _render_special(
    tokens: Sequence[Token],
    at: int,
    options: OptionsDict,
    env: MutableMapping[str, Any],
) -> str:
    return _special(tokens[at])


def _special(token: Token) -> str:
    match token.type:
        case "fence" | "code_block":
            return code_html(token.content, token.info.split(maxsplit=1)[0] if token.info else "")
        case "image":
            words = escape(token.content) or "…"
            address = _address(token.attrGet("src"))
            return (
                f'<a href="{address}" rel="noreferrer">🖼 {words}</a>' if address else f"🖼 {words}"
            )
        case "html_inline" | "html_block":
            # The only HTML is that of tasks, which the parser makes itself.
            if not token.content.startswith('<input class="task-list-item-checkbox"'):
                return escape(token.content)
            return "☑ " if "checked" in token.content else "☐ "
        case _:
            return formula_html(token.content, is_display=token.type in _DISPLAY_FORMULAS)


def _link_open(
    tokens: Sequence[Token],
    at: int,
    options: OptionsDict,
    env: MutableMapping[str, Any],
) -> str:
    address = _address(tokens[at].attrGet("href"))
    return f'<a href="{address}" title="{address}" rel="noreferrer">' if address else "<a>"


def _link_close(
    tokens: Sequence[Token],
    at: int,
    options: OptionsDict,
    env: MutableMapping[str, Any],
) -> str:
    return "</a>"


def _address(value: object) -> str:
    """The address of a link, escaped; empty for one that is not of the web or of mail."""
    address = str(value or "")
    try:
        scheme = urlsplit(address).scheme.lower()
    except ValueError:
        return ""
    return escape(address) if scheme in _SCHEMES else ""
