"""Figures below each other, each with how it comes about and a plain sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from ui.panels.explain.flow_text import FlowText, wrapped_height
from ui.theme import Theme

_GAP = 10.0
_LINE_GAP = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A figure: its name, its value, how it is computed, and what it means."""

    name: str
    value: str
    formula: str = ""
    sentence: str = ""


class Facts(FlowText):
    """Shows facts."""

    def __init__(self, theme: Theme) -> None:
        """Show none."""
        super().__init__(theme)
        self._facts: tuple[Fact, ...] = ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What is shown."""
        return self._facts

    def set_facts(self, facts: Sequence[Fact]) -> None:
        """Show these."""
        found = tuple(facts)
        if found != self._facts:
            self._facts = found
            self.setAccessibleDescription(
                " ".join(
                    f"{fact.name}: {fact.value}. {fact.formula} {fact.sentence}" for fact in found
                )
            )
            self.content_changed()

    def height_for(self, width: float) -> float:
        """Pixels that all take."""
        heights = [sum(self._heights(fact, width)) + self._gap for fact in self._facts]
        return max(sum(heights) - self._gap, 0)

    def paint(self, painter: QPainter) -> None:
        """Paint all."""
        width, top = float(self.width()), 0.0
        wrap = int(Qt.TextFlag.TextWordWrap)
        for fact in self._facts:
            head, formula, sentence = self._heights(fact, width)
            line = QRectF(0, top, width, head)
            painter.setFont(self.look.font(self.theme, "strong"))
            painter.setPen(self.theme.color("text"))
            right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            painter.drawText(line, right, fact.value)
            painter.setFont(self.look.font(self.theme, "control"))
            painter.drawText(line, int(Qt.AlignmentFlag.AlignVCenter), fact.name)
            top += head
            painter.setFont(self.look.font(self.theme, "secondary"))
            painter.drawText(QRectF(0, top, width, formula), wrap, fact.formula)
            top += formula
            painter.setPen(self.theme.color("muted"))
            painter.drawText(QRectF(0, top, width, sentence), wrap, fact.sentence)
            top += sentence + self._gap

    @property
    def _gap(self) -> float:
        return _GAP * self.look.text

    def _heights(self, fact: Fact, width: float) -> tuple[float, float, float]:
        """Of name and value, of the formula, of the sentence."""
        small = QFontMetricsF(self.look.font(self.theme, "secondary"))
        lines = [
            wrapped_height(small, text, width) + _LINE_GAP if text else 0.0
            for text in (fact.formula, fact.sentence)
        ]
        head = QFontMetricsF(self.look.font(self.theme, "control")).height() + _LINE_GAP
        return head, lines[0], lines[1]
