"""Exported pages load nothing and run nothing, whatever models and people say."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from app.store.records import ChatRecord, MessageRecord
from ui.export.formulas import formula_html
from ui.export.markup import markdown_html
from ui.export.page import html_page

HARMLESS = {
    *[
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "nav",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "ol",
        "ul",
        "li",
        "a",
        "section",
        "p",
        "article",
    ],
    *[
        "div",
        "details",
        "summary",
        "strong",
        "em",
        "s",
        "code",
        "pre",
        "figure",
        "figcaption",
        "span",
        "table",
        "thead",
        "tbody",
        "tr",
    ],
    *["th", "td", "blockquote", "hr", "br"],
    *[
        "math",
        "mrow",
        "mi",
        "mn",
        "mo",
        "mtext",
        "msup",
        "msub",
        "msubsup",
        "mfrac",
        "msqrt",
        "mspace",
        "mstyle",
        "mtable",
        "mtr",
        "mtd",
    ],
}
HOSTILE = [
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "[a](javascript:alert(1)) [b](data:text/html,x) [c](file:///etc/passwd) [d](//host/share)",
    "![a](http://evil/x.png) ![b](\\\\host\\x) ![c](file:///x)",
    '[a](https://x "\\"><script>alert(1)</script>")',
    "```<script>\n</code></pre><script>\n```",
    '```"onload=alert(1)\nx\n```',
    "$\\text{<script>}$ $\\href{javascript:alert(1)}{x}$ $</math><script>$",
    "<think>\n<script>\n</think>\n</details><script>",
    "a\0b\u202ec\ud800d",
    "&lt;script&gt; &#60;script&#62;",
    "| <b> |\n|---|\n| <i onclick=x> |",
    "- [x] <b>\n" * 3 + "> " * 300 + "deep",
    "x" * 100_000,
]


class Page(HTMLParser):
    """What a browser would make of it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data


def page(*texts: str, title: str = "Title") -> Page:
    messages = []
    for number, text in enumerate(texts):
        messages.append(
            MessageRecord(
                message_id=str(number),
                parent_id=str(number - 1) if number else None,
                role="assistant" if number % 2 else "user",
                text=text,
                created_ms=1,
                model="<model>",
            )
        )
    chat = ChatRecord(
        chat_id="c", title=title, created_ms=1, changed_ms=1, leaf_id=messages[-1].message_id
    )
    return Page("".join(html_page([chat], [(chat, tuple(messages))])))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    made = page(text, text, title=text[:500])
    assert {tag for tag, _ in made.tags} <= HARMLESS
    for tag, attributes in made.tags:
        assert not [
            name for name in attributes if name.startswith("on") or name in ("src", "style")
        ]
        address = attributes.get("href") or "#"
        assert address.startswith(("#", "https://x", "http://evil/x.png"))
        assert tag == "a" or "href" not in attributes


def test_the_policy_lets_nothing_in_and_nothing_run() -> None:
    [policy] = [
        attributes["content"]
        for tag, attributes in page("a", "b").tags
        if attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'")
    assert "script" not in policy


def test_colours_follow_the_reader() -> None:
    text = "".join(html_page([], []))
    assert "@media (prefers-color-scheme: dark)" in text
    assert "url(" not in text
    assert "@import" not in text


def test_structure_code_and_reasoning() -> None:
    made = page(
        "How?",
        "<think>\nHm.\n</think>\n\n# Head\n\n1. **one**\n   - two\n\n```python\ndef f(): pass\n```",
    )
    tags = [tag for tag, _ in made.tags]
    assert [tag for tag in tags if tag in ("details", "h1", "ol", "ul", "strong", "pre")] == [
        "h1",
        "details",
        "h1",
        "ol",
        "strong",
        "ul",
        "pre",
    ]
    assert ("span", {"class": "code_keyword"}) in made.tags
    assert "Hm." in made.words
    assert "python" in made.words


def test_many_chats_have_a_list_that_leads_to_them() -> None:
    chats = [
        ChatRecord(chat_id=str(number), title=f"Chat {number}", created_ms=1, changed_ms=1)
        for number in range(3)
    ]
    made = Page("".join(html_page(chats, [(chat, ()) for chat in chats])))
    targets = [attributes["id"] for tag, attributes in made.tags if tag == "section"]
    links = [attributes["href"] for tag, attributes in made.tags if tag == "a"]
    assert links == [f"#{target}" for target in targets]


class TestFormulas:
    def test_as_mathml(self) -> None:
        made = formula_html(r"\frac{\pi}{2} \le x^2", is_display=True)
        assert made.startswith('<math display="block"><mrow><mfrac>')
        assert "<mi>π</mi>" in made
        assert "<mo>≤</mo>" in made

    @pytest.mark.parametrize("source", [r"\frac{", "x" * 2_000, "\\left(", "{{{", r"\begin{x}"])
    def test_what_is_none_is_shown_as_it_is_written(self, source: str) -> None:
        made = formula_html(source, is_display=False)
        assert made == f'<code class="formula">${source}$</code>' or made.startswith("<math")
        assert "<math" not in made or "\\" not in source

    def test_in_an_answer(self) -> None:
        assert "<math" in markdown_html("So $a$ is")
        assert "<math" in markdown_html("$$\na\n$$")
