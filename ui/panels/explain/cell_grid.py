"""The cells of a KV cache as squares, coloured by what they hold."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy

from app.kv_cells import CellRun, Origin, joined
from engine.events import CellKind
from ui.palette import ColorName
from ui.panels.explain.legend import shade
from ui.panels.explain.sized import Sized
from ui.theme import Theme

_HEIGHT = 120
# Squares as large as they can be, with the gap between two; all divide the usual height.
_ROWS = (8, 10, 12, 15)
_GAP = 1.5

CELL_COLORS: dict[CellKind, ColorName] = {
    CellKind.SYSTEM: "cell_system",
    CellKind.USER: "phase_prefill",
    CellKind.ANSWER: "phase_decode",
    CellKind.TEMPLATE: "phase_waiting",
    CellKind.UNKNOWN: "cell_unknown",
    CellKind.ADDED_SYSTEM: "cell_system",
}


_Square = tuple[CellKind, bool] | None


@dataclass(frozen=True, slots=True)
class Raster:
    """How tokens are laid out: pixels from square to square, squares a row, tokens a square."""

    pitch: int
    n_columns: int
    n_per_square: int


def raster(width: int, height: int, n_tokens: int) -> Raster:
    """The largest squares in which all tokens find room."""
    pitches = [height // n_rows for n_rows in _ROWS]
    best = Raster(pitches[-1], max(width // pitches[-1], 1), 1)
    for pitch in pitches:
        best = Raster(pitch, max(width // pitch, 1), 1)
        if best.n_columns * (height // pitch) >= n_tokens:
            return best
    room = best.n_columns * max(height // best.pitch, 1)
    while room * best.n_per_square < n_tokens:
        best = Raster(best.pitch, best.n_columns, best.n_per_square * 2)
    return best


class CellGrid(Sized):
    """Squares for tokens. Arrow keys go from one stretch of like cells to the next.

    Signals:
        pointed(object): The `CellRun` that the pointer or the keys are at; None when at none.
        raster_changed(): A square stands for another number of tokens, or other cells find no room.
    """

    pointed = Signal(object)
    raster_changed = Signal()

    def __init__(self, theme: Theme, describe: Callable[[CellRun], str]) -> None:
        """Show no cells; `describe` puts a run into words."""
        super().__init__()
        self._theme = theme
        self._describe = describe
        self._runs: tuple[CellRun, ...] = ()
        self._wholes: list[CellRun] = []
        self._n_reserved = 0
        # Of each square what it holds, and whether that was reused; None where it is empty.
        self._squares: list[_Square] = []
        self._chosen: int | None = None
        self._raster = raster(1, _HEIGHT, 0)
        self.setFixedHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        theme.changed.connect(self.update)

    def refit(self) -> None:
        """Take the height that the look asks for."""
        self.setFixedHeight(round(_HEIGHT * self.look.text))
        self._lay_out()

    @property
    def n_undrawn(self) -> int:
        """Empty cells that find no room."""
        return max(0, self._n_reserved - len(self._squares) * self._raster.n_per_square)

    @property
    def n_per_square(self) -> int:
        """Tokens that a square stands for."""
        return self._raster.n_per_square

    def set_cells(self, runs: Sequence[CellRun], n_reserved: int) -> None:
        """Show these, and empty cells as far as `n_reserved` tokens and the room go."""
        found = tuple(runs)
        if (found, n_reserved) != (self._runs, self._n_reserved):
            self._runs, self._n_reserved = found, n_reserved
            self._wholes = joined(found)
            if self._chosen is not None:
                self._choose(min(self._chosen, len(self._wholes) - 1) if found else None)
            self._lay_out()

    def run_at(self, token: int) -> CellRun | None:
        """What holds a token."""
        place = bisect_right(self._runs, token, key=lambda run: run.begin) - 1
        if place < 0 or token >= self._runs[place].end:
            return None
        return self._runs[place]

    def token_at(self, x: float, y: float) -> int:
        """The token in the middle of the square at a place."""
        raster = self._raster
        column = min(int(x) // raster.pitch, raster.n_columns - 1)
        square = int(y) // raster.pitch * raster.n_columns + column
        return square * raster.n_per_square + raster.n_per_square // 2

    def sizeHint(self) -> QSize:
        """As wide as a panel."""
        return QSize(320, _HEIGHT)

    def resizeEvent(self, _event: object) -> None:
        """Lay the squares out anew."""
        self._lay_out()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say what is under the pointer."""
        position = event.position()
        run = self.run_at(self.token_at(position.x(), position.y()))
        self._choose(None if run is None else self._whole_at(run.begin))

    def leaveEvent(self, event: QEvent) -> None:
        """Say nothing more."""
        super().leaveEvent(event)
        self._choose(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that the keys go here."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Say nothing more."""
        super().focusOutEvent(event)
        self._choose(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the next or the last stretch."""
        by = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(Qt.Key(event.key()))
        if by is None or not self._wholes:
            super().keyPressEvent(event)
            return
        last = len(self._wholes) - 1
        if self._chosen is None:
            self._choose(0 if by > 0 else last)
        else:
            self._choose(min(max(self._chosen + by, 0), last))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the squares of the rows that are to be painted, one colour after the other."""
        painter = QPainter(self)
        pitch, n_columns = self._raster.pitch, self._raster.n_columns
        first = event.rect().top() // pitch * n_columns
        last = min((event.rect().bottom() // pitch + 1) * n_columns, len(self._squares))
        places: dict[_Square, list[QRectF]] = {}
        for square in range(first, last):
            places.setdefault(self._squares[square], []).append(self._area(square))
        empty = places.pop(None, [])
        for key, areas in places.items():
            assert key is not None
            kind, is_pale = key
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(shade(self._theme, CELL_COLORS[kind], is_pale=is_pale))
            painter.drawRects(areas)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._theme.color("faint"), 1))
        painter.drawRects([_inner(area) for area in empty])
        if self._chosen is not None:
            run = self._wholes[self._chosen]
            painter.setPen(QPen(self._theme.color("text"), 1))
            chosen = range(*self._squares_of(run.begin, run.end))
            painter.drawRects([_inner(self._area(square)) for square in chosen])
        elif self.hasFocus():
            painter.setPen(QPen(self._theme.color("accent"), 1))
            painter.drawRect(_inner(QRectF(self.rect())))
        painter.end()

    def _area(self, square: int) -> QRectF:
        row, column = divmod(square, self._raster.n_columns)
        pitch = self._raster.pitch
        return QRectF(column * pitch, row * pitch, pitch - _GAP, pitch - _GAP)

    def _squares_of(self, begin: int, end: int) -> tuple[int, int]:
        """The squares whose middle token is one of these; and the last, which is seldom full."""
        n = self._raster.n_per_square
        is_last = bool(self._runs) and end == self._runs[-1].end
        middle = n // 2
        last = -(-end // n) if is_last else -(-(end - middle) // n)
        return max(-(-(begin - middle) // n), 0), min(last, len(self._squares))

    def _whole_at(self, token: int) -> int:
        return bisect_right(self._wholes, token, key=lambda run: run.begin) - 1

    def _choose(self, chosen: int | None) -> None:
        run = None if chosen is None else self._wholes[chosen]
        self._chosen = chosen
        self.setAccessibleDescription("" if run is None else self._describe(run))
        self.pointed.emit(run)
        self.update()

    def _lay_out(self) -> None:
        n_tokens = self._runs[-1].end if self._runs else 0
        found = raster(self.width(), self.height(), n_tokens)
        before = self._squares if found == self._raster else []
        has_other_raster = found != self._raster
        n_before = self.n_undrawn
        self._raster = found
        room = found.n_columns * (self.height() // found.pitch)
        n_squares = min(room, -(-max(self._n_reserved, n_tokens) // found.n_per_square))
        self._squares = [None] * n_squares
        for run in self._runs:
            first, last = self._squares_of(run.begin, run.end)
            held: _Square = (run.kind, run.origin is Origin.REUSED)
            self._squares[first:last] = [held] * (last - first)
        if has_other_raster or self.n_undrawn != n_before:
            self.raster_changed.emit()
        self._update_changed(before)

    def _update_changed(self, before: list[_Square]) -> None:
        """Paint again the rows that are not what they were."""
        if len(before) != len(self._squares):
            self.update()
            return
        changed = [
            n
            for n, pair in enumerate(zip(before, self._squares, strict=True))
            if pair[0] != pair[1]
        ]
        if changed:
            pitch, n_columns = self._raster.pitch, self._raster.n_columns
            top = changed[0] // n_columns * pitch
            bottom = (changed[-1] // n_columns + 1) * pitch
            self.update(0, top, self.width(), bottom - top)


def _inner(area: QRectF) -> QRectF:
    return area.adjusted(0.5, 0.5, -0.5, -0.5)
