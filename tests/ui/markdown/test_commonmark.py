"""Every example of the CommonMark specification 0.31.2 has the structure that it says.

Compared is what an answer shows: headings with their level, how deep lists and quotes nest, their
markers and numbers, code with its language, emphasis, links with their target, rules, line breaks
and all words. Three things are written otherwise on purpose, here and in what is expected: a line
end within a paragraph is a space; a picture, which is not loaded, is its words and its address; a
link that cannot be opened shows its address. Where the rest differs is listed, with the reason.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QWidget

from tests.ui.fakes import FakeSession
from tests.ui.markdown.mixtures import Mixture
from tests.ui.markdown.outline import outline_of_html, outline_of_parts
from ui.conversation.answer_widget import AnswerWidget
from ui.long_text import text_between
from ui.markdown.formulas import FormulaSetter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.transcript import Answer
    from ui.theme import Theme

_FILE = Path(__file__).parent / "commonmark" / "examples.json"
_PIECE = 3

RAW_HTML = "raw HTML is shown as the text it is, for a model could hide things in it"
ADDRESS = "what says itself that it is of the web is a link, as models write them"
FORMULA = r"\[ and \] stand around a formula, as models write them"
DIFFERENCES: dict[str, dict[str, Sequence[int]]] = {
    RAW_HTML: {
        "Backslash escapes": [21],
        "Entity and numeric character references": [31],
        "HTML blocks": [n for n in range(148, 192) if n != 157],
        "Link reference definitions": [201],
        "Lists": [308, 309],
        "Code spans": [344],
        "Emphasis and strong emphasis": [475, 476, 477],
        "Links": [491, 494, 524, 536],
        "Raw HTML": [*range(613, 618), 623, *range(625, 632)],
        "Hard line breaks": [642, 643],
    },
    ADDRESS: {"Autolinks": [602, 608, 611]},
    FORMULA: {"Backslash escapes": [12]},
}


@dataclass(frozen=True)
class Example:
    number: int
    section: str
    markdown: str
    html: str


@cache
def examples() -> tuple[Example, ...]:
    return tuple(Example(**made) for made in json.loads(_FILE.read_text(encoding="utf-8")))


def sections() -> dict[str, list[Example]]:
    found: dict[str, list[Example]] = defaultdict(list)
    for example in examples():
        found[example.section].append(example)
    return found


def differing(section: str) -> set[int]:
    return {n for groups in DIFFERENCES.values() for n in groups.get(section, ())}


@pytest.fixture
def show(theme: Theme) -> Iterator[Show]:
    show = Show(theme)
    yield show
    show.formulas.close()
    show.host.deleteLater()


class Show:
    """Shows answers as the conversation does."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.host = QWidget()
        self.formulas = FormulaSetter(self.host)

    def __call__(self, source: str, n_at_a_time: int) -> AnswerWidget:
        session = FakeSession()
        answer = session.add_turns("Go on")
        session.prefill(answer)
        widget = AnswerWidget(self.theme, answer, self.formulas, lambda: None, self.host)
        for begin in range(0, len(source), n_at_a_time):
            session.stream(answer, source[begin : begin + n_at_a_time])
            widget.update_answer()
        session.finish(answer)
        return self._whole(widget)

    def again(self, answer: Answer) -> AnswerWidget:
        """An answer that is over, as when its conversation is opened."""
        return self._whole(AnswerWidget(self.theme, answer, self.formulas, lambda: None, self.host))

    def _whole(self, widget: AnswerWidget) -> AnswerWidget:
        widget.update_answer()
        while not widget.is_written:
            widget.update_answer()
        return widget


def test_all_examples_are_there() -> None:
    assert [example.number for example in examples()] == list(range(1, 653))


@pytest.mark.parametrize("section", sections())
def test_structure(show: Show, section: str) -> None:
    wrong: list[tuple[int, list[str], list[str]]] = []
    for example in sections()[section]:
        expected = outline_of_html(example.html)
        shown = outline_of_parts(show(example.markdown, len(example.markdown)).parts)
        if shown != expected and example.number not in differing(section):
            wrong.append((example.number, expected, shown))
        if shown == expected and example.number in differing(section):
            wrong.append((example.number, ["a difference, as listed"], shown))
    assert wrong == []


@pytest.mark.parametrize("section", sections())
def test_what_streams_in_gets_the_same_structure(show: Show, section: str) -> None:
    for example in sections()[section]:
        whole = outline_of_parts(show(example.markdown, len(example.markdown)).parts)
        streamed = outline_of_parts(show(example.markdown, _PIECE).parts)
        assert (example.number, streamed) == (example.number, whole)


@pytest.mark.parametrize("section", sorted(DIFFERENCES[RAW_HTML]))
def test_raw_html_is_seen(show: Show, section: str) -> None:
    for example in sections()[section]:
        if example.number in DIFFERENCES[RAW_HTML][section]:
            shown = "\n".join(
                part.toPlainText()
                for part in show(example.markdown, len(example.markdown)).text_parts()
            )
            assert shown.count("<") == example.markdown.count("<"), (example.number, shown)


@pytest.mark.parametrize(
    "source",
    [
        *(Mixture(seed).text(5_000) for seed in range(2)),
        f"a ${' + '.join(f'x_{n}' for n in range(800))}$ b\n\nc",
        "> - a\n>\n>   ```py\n" + ">   b = 1\n" * 500 + ">   ```\n>\n>   c",
        "See http://a.b/c?d=e_f and " * 400,
        f"> [a] {'*words* that go on ' * 300}\nmore\n\n[a]: http://b.c",
    ],
)
def test_what_streamed_in_looks_the_same_when_it_is_opened_again(show: Show, source: str) -> None:
    streamed = show(source, 97)
    again = show.again(streamed.answer)
    assert look_of(again) == look_of(streamed)


def look_of(answer: AnswerWidget) -> tuple[list[str], list[str]]:
    """Its outline, and the text of its parts as it is copied."""
    texts = [text_between(part.document(), 0, 10**9) for part in answer.text_parts()]
    return outline_of_parts(answer.parts), texts
