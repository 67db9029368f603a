"""Code in colours, as HTML whose classes are named as the colours of the window."""

from html import escape

from ui.markdown.highlight import LONGEST, LONGEST_LINE, color_of_kind, lexer_of


def code_html(code: str, language: str) -> str:
    """A block of code with its language above it."""
    code = code.removesuffix("\n")
    label = f"<figcaption>{escape(language)}</figcaption>" if language else ""
    body = _coloured(code, language)
    return f'<figure class="code">{label}<pre><code>{body}</code></pre></figure>\n'


def _coloured(code: str, language: str) -> str:
    lexer = lexer_of(language.lower())
    if lexer is None or len(code) > LONGEST or max(map(len, code.split("\n"))) > LONGEST_LINE:
        return escape(code)
    parts: list[str] = []
    for kind, text in lexer.get_tokens(code):
        color = color_of_kind(str(kind))
        words = escape(text)
        parts.append(f'<span class="{color}">{words}</span>' if color is not None else words)
    return "".join(parts)
