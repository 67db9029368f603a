"""What could have come in place of a token: a quiet bar for each, and what the samplers did."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.inspection import TokenInspection
from ui.format import format_percent
from ui.inspector.wording import note_of, piece_text
from ui.theme import Theme

_ROW = 18
_HEAD = 18
_PIECE_WIDTH = 104
_SHARE_WIDTH = 48
_NOTE_WIDTH = 84
_BAR_HEIGHT = 8


class CandidateRows(QWidget):
    """The token that was chosen and its alternatives, the most likely first."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._inspection: TokenInspection | None = None
        self._rows: list[tuple[str, float, str, bool, bool]] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Alternatives"))
        theme.changed.connect(self.update)

    def show_inspection(self, inspection: TokenInspection) -> None:
        """Show how a token was chosen."""
        chosen = inspection.chosen
        candidates = sorted(
            (chosen, *inspection.alternatives), key=lambda one: one.probability, reverse=True
        )
        self._rows = [
            (
                piece_text(one.piece),
                one.probability,
                note_of(one),
                one is chosen,
                one.removed_by is None,
            )
            for one in candidates
        ]
        said = [
            f"{piece} {format_percent(share)}, {note}" for piece, share, note, _, _ in self._rows
        ]
        self.setAccessibleDescription("; ".join(said))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """All rows."""
        return QSize(320, _HEAD + _ROW * len(self._rows))

    def minimumSizeHint(self) -> QSize:
        """All rows, narrower."""
        return QSize(280, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint heads and rows."""
        painter = QPainter(self)
        theme, width = self._theme, self.width()
        bar_left = _PIECE_WIDTH + 8
        bar_width = width - bar_left - _SHARE_WIDTH - _NOTE_WIDTH - 8
        share_left = bar_left + bar_width + 4
        note_left = share_left + _SHARE_WIDTH + 4
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.color("muted"))
        model_head = QRect(bar_left, 0, share_left + _SHARE_WIDTH - bar_left, _HEAD)
        painter.drawText(model_head, right, self.tr("model"))
        painter.drawText(
            QRect(note_left, 0, width - note_left, _HEAD), right, self.tr("drawn with")
        )
        for number, (piece, share, note, is_chosen, is_left) in enumerate(self._rows):
            top = _HEAD + number * _ROW
            painter.setFont(theme.font("code"))
            painter.setPen(theme.color("text" if is_left else "muted"))
            shown = painter.fontMetrics().elidedText(
                piece, Qt.TextElideMode.ElideRight, _PIECE_WIDTH
            )
            painter.drawText(QRect(0, top, _PIECE_WIDTH, _ROW), left, shown)
            bar = QRect(bar_left, top + (_ROW - _BAR_HEIGHT) // 2, bar_width, _BAR_HEIGHT)
            painter.fillRect(bar, theme.color("hover"))
            filled = max(1, round(bar_width * share))
            color = theme.color("accent" if is_chosen else "faint")
            painter.fillRect(QRect(bar.left(), bar.top(), filled, bar.height()), color)
            if is_chosen:
                # Colour alone would not say it.
                painter.fillRect(QRect(0, top + _ROW - 2, _PIECE_WIDTH, 2), color)
            painter.setFont(theme.font("secondary"))
            painter.setPen(theme.color("text" if is_left else "muted"))
            painter.drawText(
                QRect(share_left, top, _SHARE_WIDTH, _ROW), right, format_percent(share)
            )
            painter.drawText(QRect(note_left, top, width - note_left, _ROW), right, note)
