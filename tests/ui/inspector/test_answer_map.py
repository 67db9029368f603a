"""Words of real answers, as they are drawn, and the text they came from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QWidget

from app.transcript import Answer, AnswerPhase
from engine.figures import RequestTrace
from tests.waiting import WAIT_MS
from ui.conversation.answer_widget import AnswerWidget
from ui.inspector.answer_map import AnswerMap
from ui.markdown.formulas import FormulaSetter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

_WORD = re.compile(r"[^\W_]{3,}")

GUIDE = """# A guide to rivers

Rivers are **long** and *winding*; see [the atlas](https://example.org/atlas/rivers "Rivers") and
https://example.org/more for a list:

1. The Nile, with `length = 6650` km
2. The Amazon
   - its mouth is ~~narrow~~ wide
   - its source
3. The Yangtze

> A river is a road that moves.
> It never ends.

| River  | Length | Sea      |
|--------|-------:|----------|
| Nile   |  6,650 | Mediterranean |
| Amazon |  6,400 | Atlantic |

```python
def length(river: str) -> int:
    '''Length of a river.'''
    return LENGTHS[river]
```

Then $E = mc^2$ and &amp; so on, rivers &lt;again&gt;.

- [x] done
- [ ] open

![A picture](river.png)

***

The end of rivers.
"""
THINKING = (
    "<think>\nThe user asks about rivers.\n\nI know rivers.\n</think>\n\nRivers **are** long.\n"
)


@pytest.fixture
def holder(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def formulas(holder: QWidget) -> Iterator[FormulaSetter]:
    made = FormulaSetter(holder)
    yield made
    made.close()


def shown(
    qtbot: QtBot, theme: Theme, formulas: FormulaSetter, holder: QWidget, text: str
) -> AnswerWidget:
    answer = Answer(trace=RequestTrace(1, 0), text=text, phase=AnswerPhase.DONE)
    widget = AnswerWidget(theme, answer, formulas, lambda: None, holder)
    qtbot.waitUntil(lambda: not widget.is_behind, timeout=WAIT_MS)
    return widget


@pytest.mark.parametrize("text", [GUIDE, GUIDE * 12, "Plain words.\n\nAnd more \U0001f600 words."])
def test_every_word_is_found_in_the_text_in_order(
    qtbot: QtBot, theme: Theme, formulas: FormulaSetter, holder: QWidget, text: str
) -> None:
    answer_map = AnswerMap(shown(qtbot, theme, formulas, holder, text))
    last = -1
    n_words, n_wrong = 0, 0
    for part, _ in answer_map.parts():
        document = part.toPlainText()
        units = document.encode("utf-16-le")
        for word in _WORD.finditer(document):
            position = len(document[: word.start()].encode("utf-16-le")) // 2
            assert units[2 * position :].decode("utf-16-le").startswith(word[0])
            found = answer_map.word_at(part, position + 1)
            n_words += 1
            if found is None or text[slice(*found)] != word[0] or found[0] <= last:
                n_wrong += 1
            else:
                last = found[0]
    assert n_words > 3
    assert n_wrong <= n_words // 50


def test_reasoning_and_answer_are_told_apart(
    qtbot: QtBot, theme: Theme, formulas: FormulaSetter, holder: QWidget
) -> None:
    widget = shown(qtbot, theme, formulas, holder, THINKING)
    answer_map = AnswerMap(widget)
    answer_part = answer_map.parts()[1][0]
    assert answer_map.word_at(answer_part, 1) == (
        THINKING.rindex("Rivers"),
        THINKING.rindex("Rivers") + 6,
    )
    widget.parts[0].head.click()  # type: ignore[union-attr]  # the first part is the reasoning
    reasoning = answer_map.parts()[0][0]
    place = reasoning.toPlainText().rindex("know")
    assert answer_map.word_at(reasoning, place + 1) == (
        THINKING.index("know"),
        THINKING.index("know") + 4,
    )


def test_what_streams_in_is_found_too(
    qtbot: QtBot, theme: Theme, formulas: FormulaSetter, holder: QWidget
) -> None:
    answer = Answer(trace=RequestTrace(1, 0), phase=AnswerPhase.DECODE)
    widget = AnswerWidget(theme, answer, formulas, lambda: None, holder)
    answer_map = AnswerMap(widget)
    for piece in re.findall(r"\s*\S+", GUIDE):
        answer.text += piece
        widget.update_answer()
        assert len(answer_map.parts()) == len(widget.parts)
    part = answer_map.parts()[-1][0]
    place = part.toPlainText().rindex("end")
    begin = GUIDE.rindex("end")
    assert answer_map.word_at(part, place + 1) == (begin, begin + 3)


def test_beside_all_words_there_is_none(
    qtbot: QtBot, theme: Theme, formulas: FormulaSetter, holder: QWidget
) -> None:
    answer_map = AnswerMap(shown(qtbot, theme, formulas, holder, "one"))
    ((part, _),) = answer_map.parts()
    assert answer_map.word_at(part, 1) == (0, 3)
    assert answer_map.word_at(part, 99) in (None, (0, 3))
