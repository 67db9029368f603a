"""Formulas drawn as vectors: set in a thread of their own, kept, and placed in documents."""

from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QByteArray, QObject, QRect, QRectF, QSizeF, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QPainter,
    QPyTextObject,
    QTextCharFormat,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtSvg import QSvgRenderer

from ui.quiet_thread import QuietThread

FORMULA_OBJECT = QTextFormat.ObjectTypes.UserObject.value + 1
_SOURCE = QTextFormat.Property.UserProperty.value + 10
_IS_DISPLAY = QTextFormat.Property.UserProperty.value + 11
_SHOWN_SOURCE = QTextFormat.Property.UserProperty.value + 12
_NUMBER = QTextFormat.Property.UserProperty.value + 13

_SIZE = 20.0
_MARGIN = 1.0
_INK = "#010203"
_LONGEST_SOURCE = 1_000
_LARGEST_SVG_BYTES = 400_000
# No fewer than may be on screen: eighty of the largest, thousands of most.
_MOST_DRAWN_BYTES = 32_000_000
# No fewer than may be on screen: one that is read anew takes four times as long to draw. What is
# kept of one is four times its size.
_MOST_SVG_BYTES = 16_000_000
# Some that are nested take twice as long with every level.
_LIMIT_S = 2.0

Key = tuple[str, bool]


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula set at a font size of 20; lengths in pixels at that size.

    `svg` is empty where it has to be set again before it can be drawn.
    """

    svg: bytes
    width: float
    ascent: float
    descent: float


def typeset(source: str, *, is_display: bool) -> Formula | None:
    """Set a formula; None when it is too large.

    Slow: not for the main thread. Anything may be raised for what is no formula.
    """
    if len(source) > _LONGEST_SOURCE:
        return None
    from ziamath.config import config
    from ziamath.zmath import Math

    config.svg2 = False
    config.precision = 2
    made = Math.fromlatex(source, size=_SIZE, inline=not is_display, color=_INK, margin=_MARGIN)
    svg = made.svg().encode()
    width, height = made.getsize()
    descent = -made.getyofst()
    if len(svg) > _LARGEST_SVG_BYTES or not width or not height:
        return None
    return Formula(svg, width + 2 * _MARGIN, height - descent + _MARGIN, descent + _MARGIN)


def load_setting() -> None:
    """Import what sets formulas. Slow: not for the main thread."""
    typeset("x", is_display=False)


class FormulaSetter(QObject):
    """Sets formulas while the window has nothing else to do. Used from the main thread.

    Signals:
        ready(tuple): The formula of this key is set, or cannot be.
    """

    ready = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._done: dict[Key, Formula | None] = {}
        # The sizes of those with a drawing, that which was needed last at the end.
        self._drawn: OrderedDict[Key, int] = OrderedDict()
        self._n_drawn_bytes = 0
        # That which was needed last at the end, and the size of what they draw.
        self._renderers: OrderedDict[tuple[bytes, str], QSvgRenderer] = OrderedDict()
        self._n_svg_bytes = 0
        self._asked: set[Key] = set()
        self._is_ready = False
        self._quiet = QuietThread(self)

    @property
    def quiet(self) -> QuietThread:
        """Where formulas are set; others may use it too."""
        return self._quiet

    @property
    def is_idle(self) -> bool:
        """Whether every formula that was asked for is set."""
        return not self._asked and self._quiet.is_idle

    def knows(self, key: Key) -> bool:
        """Whether `get` has the answer."""
        return key in self._done

    def get(self, key: Key) -> Formula | None:
        """A formula; None when it cannot be set or is not yet."""
        formula = self._done.get(key)
        if formula is not None and formula.svg:
            self._drawn.move_to_end(key)
        return formula

    def want(self, key: Key) -> None:
        """Set a formula; `ready` says when."""
        formula = self._done.get(key)
        is_known = key in self._done and (formula is None or bool(formula.svg))
        if not is_known and key not in self._asked:
            self._asked.add(key)
            if not self._is_ready:
                # Modules must not be given up half imported.
                self._is_ready = True
                self._quiet.submit(self, load_setting, lambda _: None)
            work = partial(typeset, key[0], is_display=key[1])
            self._quiet.submit(self, work, partial(self._keep, key), limit_s=_LIMIT_S)

    def renderer(self, svg: bytes, color: str) -> QSvgRenderer:
        """What draws a formula in a colour."""
        key = svg, color
        if key not in self._renderers:
            self._renderers[key] = QSvgRenderer(
                QByteArray(svg.replace(_INK.encode(), color.encode()))
            )
            self._n_svg_bytes += len(svg)
            while self._n_svg_bytes > _MOST_SVG_BYTES and len(self._renderers) > 1:
                (oldest, _), _ = self._renderers.popitem(last=False)
                self._n_svg_bytes -= len(oldest)
        self._renderers.move_to_end(key)
        return self._renderers[key]

    def close(self) -> None:
        """Drop what is not set yet, also the formula that is being set."""
        self._quiet.close()

    def _keep(self, key: Key, formula: Formula | None) -> None:
        self._done[key] = formula
        self._asked.discard(key)
        if formula is not None:
            self._drawn[key] = len(formula.svg)
            self._n_drawn_bytes += len(formula.svg)
        while self._n_drawn_bytes > _MOST_DRAWN_BYTES and len(self._drawn) > 1:
            # What documents have room for stays; the drawing is made again where it is seen.
            oldest, n_bytes = self._drawn.popitem(last=False)
            self._n_drawn_bytes -= n_bytes
            kept = self._done[oldest]
            if kept is not None:
                self._done[oldest] = replace(kept, svg=b"")
        self.ready.emit(key)


def key_of(made: QTextFormat) -> Key:
    """Which formula a character stands for."""
    return str(made.property(_SOURCE)), bool(made.property(_IS_DISPLAY))


def source_of(made: QTextFormat) -> str:
    """A formula as it was written, with what stands around it."""
    return str(made.property(_SHOWN_SOURCE))


class FormulaObject(QPyTextObject):
    """Draws formulas in one document, in the colour and size of the text around them.

    Signals:
        drawn_again(): A formula that could not be drawn for a while can be.
    """

    drawn_again = Signal()

    def __init__(self, setter: FormulaSetter, parent: QObject) -> None:
        super().__init__(parent)
        self._setter = setter
        self._missing: set[Key] = set()
        # Formulas in each font have a number; by it the room they need, at the width of the text.
        self._numbers: dict[tuple[Key, str], int] = {}
        self._sizes: dict[int, tuple[float, QSizeF]] = {}
        # The room that is left for those that are not set, and their numbers.
        self._guesses: dict[int, QSizeF] = {}
        self._guessed: dict[Key, list[int]] = {}
        setter.ready.connect(self._on_ready)

    def format_of(self, key: Key, within: QTextCharFormat, shown_source: str) -> QTextCharFormat:
        """The format of the character that stands for a formula."""
        made = QTextCharFormat(within)
        made.setObjectType(FORMULA_OBJECT)
        made.setProperty(_SOURCE, key[0])
        made.setProperty(_IS_DISPLAY, key[1])
        made.setProperty(_SHOWN_SOURCE, shown_source)
        number = self._numbers.setdefault((key, within.font().key()), len(self._numbers) + 1)
        made.setProperty(_NUMBER, number)
        made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
        return made

    def intrinsicSize(
        self, document: QTextDocument, position: int, text_format: QTextFormat
    ) -> QSizeF:
        """Width, and a height that puts the baseline where the text has it.

        Qt asks for all of a paragraph whenever it paints some of it.
        """
        number, width = text_format.intProperty(_NUMBER), document.textWidth()
        kept = self._sizes.get(number)
        if kept is not None and kept[0] == width:
            return kept[1]
        guess = self._guesses.get(number)
        if guess is not None:
            return guess
        size = self._size(document, text_format)
        if size is not None:
            self._sizes[number] = width, size
            return size
        made = text_format.toCharFormat()
        height = QFontMetricsF(made.font()).height()
        guess = QSizeF(min(200.0, 8.0 * len(source_of(made))), height)
        self._guesses[number] = guess
        self._guessed.setdefault(key_of(made), []).append(number)
        return guess

    def _size(self, document: QTextDocument, text_format: QTextFormat) -> QSizeF | None:
        made = text_format.toCharFormat()
        formula = self._setter.get(key_of(made))
        metrics = QFontMetricsF(made.font())
        if formula is None:
            return None
        scale = self._scale(document, made, formula)
        # Qt centres such an object at half the height of an x.
        x_height = metrics.xHeight()
        height = max(2 * formula.descent * scale + x_height, 2 * formula.ascent * scale - x_height)
        return QSizeF(formula.width * scale, height)

    def drawObject(
        self,
        painter: QPainter,
        rect: QRectF | QRect,
        document: QTextDocument,
        position: int,
        text_format: QTextFormat,
    ) -> None:
        """Draw the formula; nothing while it is not set."""
        made = text_format.toCharFormat()
        key = key_of(made)
        formula = self._setter.get(key)
        if formula is None:
            return
        if not formula.svg:
            self._missing.add(key)
            self._setter.want(key)
            return
        scale = self._scale(document, made, formula)
        baseline = rect.top() + (rect.height() + QFontMetricsF(made.font()).xHeight()) / 2
        height = (formula.ascent + formula.descent) * scale
        place = QRectF(
            rect.left(), baseline - formula.ascent * scale, formula.width * scale, height
        )
        color = made.foreground().color().name()
        self._setter.renderer(formula.svg, color).render(painter, place)

    def _on_ready(self, key: Key) -> None:
        for number in self._guessed.pop(key, ()):
            del self._guesses[number]
        if key in self._missing:
            self._missing.discard(key)
            self.drawn_again.emit()

    def _scale(self, document: QTextDocument, made: QTextCharFormat, formula: Formula) -> float:
        scale = made.font().pixelSize() * 1.05 / _SIZE
        room = document.textWidth() - 8
        return min(scale, room / formula.width) if room > 0 else scale
