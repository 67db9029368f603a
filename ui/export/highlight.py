"""Code in colours, as HTML whose colours are those of the page."""

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.lexer import Lexer

# The most that is coloured, and the longest line: what colours it may take its time.
_LONGEST, _LONGEST_LINE = 200_000, 1_000


def code_html(code: str, language: str) -> str:
    """A block of code with its language above it."""
    code = code.removesuffix("\n")
    label = f"<figcaption>{escape(language)}</figcaption>" if language else ""
    body = _coloured(code, language)
    return f'<figure class="code">{label}<pre><code>{body}</code></pre></figure>\n'


def _coloured(code: str, language: str) -> str:
    lexer = _lexer(language)
    lines = code.split("\n")
    if lexer is None or len(code) > _LONGEST or max(map(len, lines)) > _LONGEST_LINE:
        return escape(code)
    from pygments import format as formatted
    from pygments.formatters.html import HtmlFormatter

    text: str = formatted(lexer.get_tokens(code), HtmlFormatter(nowrap=True))
    return text.removesuffix("\n")


def _lexer(language: str) -> "Lexer | None":
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    if not language:
        return None
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
