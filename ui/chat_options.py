"""What can be set for a chat: the fields, what they mean, and the settings they give."""

import re

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.chat_settings import ChatSettings, Overflow, is_whole_number
from engine.sampling_bounds import MAX_TOKENS_BOUNDS, SAMPLING_BOUNDS, SamplingBounds
from engine.values import SamplingParams
from ui.multi_line_field import MultiLineField
from ui.number_field import NumberField
from ui.option_fields import choice_field
from ui.option_form import OptionRow
from ui.theme import Theme

_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_MEANING = {"n": "\n", "t": "\t"}


class ChatOptions(QObject):
    """The fields. They are children of the dialog, which lays them out.

    Signals:
        changed(): A field has another value.
    """

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._parent = parent
        self._is_filling = False
        self.system_prompt = MultiLineField(
            theme,
            least_lines=3,
            hint=self.tr("For example: Answer briefly, in plain words."),
            parent=parent,
        )
        self.numbers = {
            "temperature": self._number("temperature", 0.05),
            "top_k": self._number("top_k", 1),
            "top_p": self._number("top_p", 0.01),
            "min_p": self._number("min_p", 0.01),
            "repeat_penalty": self._number("repeat_penalty", 0.01),
            "presence_penalty": self._number("presence_penalty", 0.05),
            "frequency_penalty": self._number("frequency_penalty", 0.05),
            "penalty_last_n": self._number("penalty_last_n", 16),
            "seed": self._number("seed", 1, may_be_auto=True),
        }
        least, most = MAX_TOKENS_BOUNDS.least, MAX_TOKENS_BOUNDS.most
        self.max_tokens = NumberField(
            theme,
            SamplingBounds(least=least, most=most, usual_least=least, usual_most=most),
            ChatSettings().max_tokens,
            step=64,
            parent=parent,
            may_be_auto=True,
        )
        self.stop = MultiLineField(
            theme, least_lines=2, hint=self.tr("One text a line"), parent=parent
        )
        self.overflow = choice_field(
            [
                (Overflow.STOP.value, self.tr("Stop and ask")),
                (Overflow.DROP_OLDEST.value, self.tr("Leave out the oldest turns")),
            ],
            Overflow.STOP.value,
            parent,
        )
        self.system_prompt.textChanged.connect(self._tell)
        self.stop.textChanged.connect(self._tell)
        self.max_tokens.changed.connect(self._tell)
        self.overflow.currentIndexChanged.connect(self._tell)
        for field in self.numbers.values():
            field.changed.connect(self._tell)

    def fill(self, settings: ChatSettings) -> None:
        """Show settings."""
        self._is_filling = True
        if settings.system_prompt != self.system_prompt.text():
            self.system_prompt.set_text(settings.system_prompt)
        for name, field in self.numbers.items():
            field.set_value(getattr(settings.sampling, name))
        self.max_tokens.set_value(settings.max_tokens)
        self.stop.set_text(stop_text(settings.stop))
        self.overflow.setCurrentIndex(self.overflow.findData(settings.overflow.value))
        self._is_filling = False
        self.changed.emit()

    def settings(self) -> ChatSettings:
        """What the fields say."""
        numbers = {name: self._number_of(name) for name in self.numbers}
        max_tokens = self.max_tokens.value()
        return ChatSettings(
            system_prompt=self.system_prompt.text(),
            sampling=SamplingParams(**numbers),  # type: ignore[arg-type]  # kinds by their name
            max_tokens=None if max_tokens is None else round(max_tokens),
            stop=stop_strings(self.stop.text()),
            overflow=Overflow(self.overflow.currentData()),
        )

    def rows(self) -> list[OptionRow]:
        """The fields, in their order."""
        return [
            OptionRow(
                name=self.tr("System prompt"),
                field=self.system_prompt,
                explanation=self.tr("What the model is told before the conversation begins."),
            ),
            *self._choice_rows(),
            *self._penalty_rows(),
            OptionRow(
                name=self.tr("Seed"),
                field=self.numbers["seed"],
                explanation=self.tr(
                    "The same seed and settings give the same answer again. Auto draws another "
                    "one each time."
                ),
            ),
            *self._end_rows(),
        ]

    def _choice_rows(self) -> list[OptionRow]:
        return [
            OptionRow(
                name=self.tr("Temperature"),
                field=self.numbers["temperature"],
                explanation=self.tr(
                    "How freely words are chosen: 0 always takes the most likely one, high "
                    "values surprise more and err more."
                ),
            ),
            OptionRow(
                name=self.tr("Top-k"),
                field=self.numbers["top_k"],
                explanation=self.tr("Only this many of the most likely tokens; 0 is all."),
            ),
            OptionRow(
                name=self.tr("Top-p"),
                field=self.numbers["top_p"],
                explanation=self.tr(
                    "Only the most likely tokens that together reach this probability; 1 is all."
                ),
            ),
            OptionRow(
                name=self.tr("Min-p"),
                field=self.numbers["min_p"],
                explanation=self.tr(
                    "Leaves out tokens less likely than this share of the most likely one; 0 "
                    "leaves out none."
                ),
            ),
        ]

    def _penalty_rows(self) -> list[OptionRow]:
        return [
            OptionRow(
                name=self.tr("Repeat penalty"),
                field=self.numbers["repeat_penalty"],
                explanation=self.tr("Makes tokens that occurred lately less likely; 1 is off."),
            ),
            OptionRow(
                name=self.tr("Presence penalty"),
                field=self.numbers["presence_penalty"],
                explanation=self.tr(
                    "Counts against a token once if it occurred lately, which favours new "
                    "subjects; 0 is off."
                ),
            ),
            OptionRow(
                name=self.tr("Frequency penalty"),
                field=self.numbers["frequency_penalty"],
                explanation=self.tr(
                    "Counts against a token for each time it occurred lately; 0 is off."
                ),
            ),
            OptionRow(
                name=self.tr("Penalty window"),
                field=self.numbers["penalty_last_n"],
                explanation=self.tr("How many tokens back the penalties look; 0 is off."),
            ),
        ]

    def _end_rows(self) -> list[OptionRow]:
        return [
            OptionRow(
                name=self.tr("Maximum length"),
                field=self.max_tokens,
                explanation=self.tr(
                    "Most tokens of an answer. Auto goes on until the context is full."
                ),
            ),
            OptionRow(
                name=self.tr("Stop strings"),
                field=self.stop,
                explanation=self.tr(
                    "An answer ends before any of these texts, one a line. Write \\n for a line "
                    "break, \\t for a tab and \\\\ for a backslash."
                ),
            ),
            OptionRow(
                name=self.tr("When it no longer fits"),
                field=self.overflow,
                explanation=self.tr(
                    "What happens when the conversation outgrows the context. Turns that are "
                    "left out stay on screen, and a line shows where the model begins to see."
                ),
            ),
        ]

    def _number(self, name: str, step: float, *, may_be_auto: bool = False) -> NumberField:
        return NumberField(
            self._theme,
            SAMPLING_BOUNDS[name],
            getattr(SamplingParams(), name),
            step=step,
            parent=self._parent,
            may_be_auto=may_be_auto,
        )

    def _number_of(self, name: str) -> float | None:
        value = self.numbers[name].value()
        return round(value) if value is not None and is_whole_number(name) else value

    def _tell(self) -> None:
        # In the middle of a large paste the text cannot be asked for; its end comes here too.
        is_inserting = self.system_prompt.is_inserting or self.stop.is_inserting
        if not self._is_filling and not is_inserting:
            self.changed.emit()


def stop_text(stop: tuple[str, ...]) -> str:
    """Stop strings as they are typed, one a line."""
    escaped = (
        text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t") for text in stop
    )
    return "\n".join(escaped)


def stop_strings(text: str) -> tuple[str, ...]:
    """What was typed, as stop strings; empty lines are none."""
    lines = (line for line in text.split("\n") if line)
    return tuple(
        _ESCAPED.sub(lambda found: _MEANING.get(found[1], found[1]), line) for line in lines
    )
